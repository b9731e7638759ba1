/** What an application says about its Work: definitions, requests, executors and their exits. */
@NullMarked
package dev.handofffence.work;

import org.jspecify.annotations.NullMarked;
