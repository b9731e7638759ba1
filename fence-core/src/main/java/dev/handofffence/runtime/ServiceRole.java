package dev.handofffence.runtime;

/** The roles that services log in with. */
public enum ServiceRole {
  /** May execute the discovery function and read no table. */
  DISPATCHER,
  /** May accept, claim, permit, hand off and complete. */
  RUNTIME,
  /** May read everything, decide about Work and change scopes. */
  OPERATOR,
  /** May execute the functions that remove what is old, and read no table. */
  RETENTION
}
