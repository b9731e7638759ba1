package org.example.trespasser;

import dev.handofffence.CancellationToken;

/** On the class path no module guards anything; what is sealed stays so. */
abstract class ImplementsTheToken implements CancellationToken {}
