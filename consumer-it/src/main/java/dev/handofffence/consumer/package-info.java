/**
 * An application that sends receipts, each at most once and only while somebody still allows it.
 */
@NullMarked
package dev.handofffence.consumer;

import org.jspecify.annotations.NullMarked;
