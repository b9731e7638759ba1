package dev.handofffence.internal.sql;

import dev.handofffence.work.WorkRequest;
import java.util.UUID;

/**
 * A request that passed every check which needs no database, with the bytes and ids it will get.
 */
public final class NewWork {

  private final int position;
  private final WorkRequest<?, ?> request;
  private final UUID workId;
  private final UUID activityId;
  private final byte[] payload;
  private final byte[] payloadSha256;
  private final byte[] fingerprint;

  /**
   * Keeps the arrays: they were just made for this object.
   *
   * @param position place in its batch, from 0
   */
  public NewWork(
      int position,
      WorkRequest<?, ?> request,
      UUID workId,
      UUID activityId,
      byte[] payload,
      byte[] payloadSha256,
      byte[] fingerprint) {
    this.position = position;
    this.request = request;
    this.workId = workId;
    this.activityId = activityId;
    this.payload = payload;
    this.payloadSha256 = payloadSha256;
    this.fingerprint = fingerprint;
  }

  /** Returns the same with its place in another batch. */
  public NewWork at(int otherPosition) {
    return new NewWork(
        otherPosition, request, workId, activityId, payload, payloadSha256, fingerprint);
  }

  public int payloadBytes() {
    return payload.length;
  }

  public int position() {
    return position;
  }

  public WorkRequest<?, ?> request() {
    return request;
  }

  public UUID workId() {
    return workId;
  }

  public UUID activityId() {
    return activityId;
  }

  byte[] payload() {
    return payload;
  }

  byte[] payloadSha256() {
    return payloadSha256;
  }

  byte[] fingerprint() {
    return fingerprint;
  }
}
