package dev.handofffence;

import java.net.URI;
import java.util.Locale;

/**
 * One entry of the diagnostics catalog: a fixed code with fixed texts (protocol section 7).
 *
 * <p>The texts name no payload, identifier, SQL or server text, so that a problem can be logged and
 * shown as it is. Codes are never reused.
 */
public enum Problem {
  /** A request has a value outside its documented range. */
  INVALID_REQUEST(
      "DUR100",
      "The request is invalid.",
      "A value is missing, too long, too large or outside its documented range.",
      "Correct the named value; nothing was written."),
  /**
   * The operation needs an open READ COMMITTED transaction of the caller and was given something
   * else.
   */
  TRANSACTION_REQUIRED(
      "DUR101",
      "An active READ COMMITTED read-write transaction is required.",
      "The connection is closed, in autocommit mode, read-only, without a transaction, or has another isolation level.",
      "Pass the Configuration or Connection of an open READ COMMITTED transaction with autocommit off."),
  /** A command id or idempotency key is known with other content. */
  COMMAND_CONFLICT(
      "DUR102",
      "The command conflicts with an earlier one.",
      "The command id or the idempotency key was used before, with a different content.",
      "Use new keys for a new command, or repeat the earlier one unchanged; nothing was written."),
  /** The store cannot be reached or lost the connection. */
  STORE_UNAVAILABLE(
      "DUR103",
      "The store is unavailable.",
      "The database cannot be reached, refuses connections or is shutting down.",
      "Check the JDBC URL, the network and the server, then try again."),
  /** The claim is no longer the current owner of its Work. */
  CLAIM_LOST(
      "DUR104",
      "The claim is no longer current.",
      "Another attempt owns the Work, or its state, scope generation or epoch has changed since the claim.",
      "Do not call the provider; return retryBeforeEffect and let the current owner go on."),
  /** The lease of the claim is over by the database's clock. */
  LEASE_EXPIRED(
      "DUR105",
      "The lease has expired.",
      "Renewal stopped: a stall, a lost connection, or the maximum lease lifetime.",
      "Do not call the provider; return retryBeforeEffect. Lengthen the lease if attempts really take that long."),
  /** An effect may have happened and nothing proves it either way. */
  AMBIGUOUS_OUTCOME(
      "DUR106",
      "The outcome of an effect is unknown.",
      "An attempt ended after its permit without evidence of what the provider did.",
      "Let the reconciler or an operator decide; the Work stays suspended until then."),
  /** The scope was disabled. */
  SCOPE_DISABLED(
      "DUR107",
      "The scope is disabled.",
      "An operator disabled the scope; that is permanent.",
      "Do not call the provider. Use another scope for new Work; resolve or cancel what is suspended."),
  /** The active epoch is absent, or is not this runtime's. */
  EPOCH_MISMATCH(
      "DUR108",
      "The epoch is not the active one.",
      "No epoch was initialised, or a deployer rotated it after this runtime was configured.",
      "Initialise the epoch, or restart the runtime with the active one, which"
          + " StoreAdministration.status().activeEpoch() says; rotateEpoch changes it."
          + " Work that was accepted in an earlier epoch waits for releaseEpoch."),
  /** No executor of this contract, or none that can decode its payload, is registered. */
  CONTRACT_UNAVAILABLE(
      "DUR109",
      "The contract is unavailable.",
      "No executor is registered for this contract name and version, or its payload cannot be decoded.",
      "Deploy a runtime that registers the contract, then release the Work."),
  /** The Work has ended. */
  WORK_TERMINAL(
      "DUR110",
      "The Work has ended.",
      "It succeeded, failed or was canceled.",
      "Do not call the provider."),
  /** There is no such Work in the scope. */
  WORK_ABSENT(
      "DUR111",
      "The Work does not exist in this scope.",
      "The id is wrong, belongs to another scope, or the Work was removed by retention.",
      "Check the scope and the id."),
  /** The Work changed since the caller looked at it. */
  REVISION_CONFLICT(
      "DUR112",
      "The Work has another revision.",
      "It changed after it was read.",
      "Read it again and decide anew."),
  /** The scope was never used on this store. */
  SCOPE_ABSENT(
      "DUR113",
      "The scope does not exist on this store.",
      "Nothing was ever accepted in it, or the store is another one.",
      "Check the scope and the store."),
  /** The scope has another generation than the claim. */
  SCOPE_GENERATION_CHANGED(
      "DUR114",
      "The scope has another generation.",
      "The scope was changed after the claim.",
      "Do not call the provider; return retryBeforeEffect."),
  /** The database is not the configured store. */
  STORE_MISMATCH(
      "DUR115",
      "The database is not the configured store.",
      "The connection leads to another database, or the store was replaced.",
      "Check the JDBC URL and the configured store id; StoreAdministration.status().storeId(), asked with"
          + " the deployer's data source, is the one of the database."),
  /** The transition is not legal from the current state. */
  TRANSITION_REJECTED(
      "DUR116",
      "The transition is not allowed in the current state.",
      "The state machine has no such step from here.",
      "Read the Work again and choose a command that its state allows."),
  /** The command needs evidence that it did not bring. */
  PROOF_REQUIRED(
      "DUR117",
      "The command needs proof.",
      "The provider safety of the Work asks for evidence or a result that was not given.",
      "Repeat the command with the evidence."),
  /** The same command is being carried out right now. */
  COMMAND_IN_PROGRESS(
      "DUR118",
      "The command is in progress.",
      "Another session is carrying out the command with this id, or holds the Work that it is about.",
      "Try again with the same command id."),
  /** No live invocation is bound to the fence. */
  NO_LIVE_INVOCATION(
      "DUR120",
      "No live invocation is bound to this fence.",
      "The fence was used before or after its executor ran, or by another invocation.",
      "Use the fence only inside the execute call of the executor it was made for."),
  /** The exact permit of this claim is absent or not admitted. */
  PERMIT_INVALID(
      "DUR121",
      "There is no admitted permit of this claim.",
      "The permit is absent, settled, or belongs to another claim.",
      "Do not call the provider; return retryBeforeEffect."),
  /** Cancellation of the Work was requested. */
  CANCELLATION_REQUESTED(
      "DUR122",
      "Cancellation of the Work was requested.",
      "An operator or the application asked for it.",
      "Do not call the provider; return retryBeforeEffect."),
  /** The execution deadline of the Work has passed, or had passed before it could be accepted. */
  DEADLINE_PASSED(
      "DUR123",
      "The execution deadline has passed.",
      "The deadline of the Work, or of the request, is over by the database's clock.",
      "Do not call the provider; return failedWithoutEffect or retryBeforeEffect. A request needs a later deadline."),
  /** The schema is missing. */
  SCHEMA_MISSING(
      "DUR400",
      "The durable schema is missing.",
      "The migrations were not applied to this database.",
      "Apply the Flyway migrations of this library, then grant the roles."),
  /** The schema is older than this library needs. */
  SCHEMA_TOO_OLD(
      "DUR401",
      "The durable schema is too old for this library.",
      "The library was updated before the migrations were applied.",
      "Apply the Flyway migrations of this library version."),
  /** The schema no longer admits this library version. */
  SCHEMA_TOO_NEW(
      "DUR402",
      "The durable schema is too new for this library.",
      "A newer library version migrated the store and no longer admits this one.",
      "Update the library."),
  /** The store row is absent or contradicts itself. */
  SCHEMA_INCONSISTENT(
      "DUR403",
      "The durable schema is inconsistent.",
      "A role lacks a grant, the data sources of runtime and dispatcher are swapped, the store row is"
          + " absent, or part of the schema was changed by hand.",
      "Run grantRoles, as after every migration, and check which role each data source logs in as;"
          + " if that is right, restore what was changed from the migrations or a backup."),
  /** The process that activates Work has not reported for too long. */
  ACTIVATOR_STALE(
      "DUR404",
      "The activator is stale.",
      "No pass has ended for longer than the health bound.",
      "Check the worker host and its database connections."),
  /** Two workers run with one identity. */
  WORKER_IDENTITY_CONFLICT(
      "DUR405",
      "The worker identity is in use.",
      "Another live worker has registered the same id.",
      "Give every worker its own id.");

  private final String code;
  private final String problem;
  private final String cause;
  private final String fix;

  Problem(String code, String problem, String cause, String fix) {
    this.code = code;
    this.problem = problem;
    this.cause = cause;
    this.fix = fix;
  }

  /** {@return the stable code, for example {@code DUR104}} */
  public String code() {
    return code;
  }

  /** {@return what is wrong, in one sentence} */
  public String problem() {
    return problem;
  }

  /** {@return why that happens} */
  public String cause() {
    return cause;
  }

  /** {@return what to do about it} */
  public String fix() {
    return fix;
  }

  /** {@return where the entry stands in this project's documents} */
  public URI docs() {
    return URI.create("docs/diagnostics.md#" + code.toLowerCase(Locale.ROOT));
  }

  /** Returns code and name, as both are searched for: {@code DUR115 STORE_MISMATCH}. */
  @Override
  public String toString() {
    return code + " " + name();
  }
}
