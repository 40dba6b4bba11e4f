/** Identifies a run. */
export interface RunKey {
  /** The nil UUID of a schedule for all merchants. */
  readonly merchantId: string;
  readonly runId: string;
}
