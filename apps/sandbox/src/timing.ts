/** A transfer or a refund whose time is asked for, by the reference of its payment. */
interface Subject {
  readonly gateway: string;
  readonly reference: string;
}

/** End of a refund: milliseconds after its acceptance, and as what. */
export interface RefundEnd {
  readonly afterMs: number;
  readonly status: 'processed' | 'failed';
}

/** Durations of transfers and refunds, where they are not the same for all payments. */
export interface Timing {
  /** Milliseconds from a transfer to its arrival: until then the transaction is pending, in the gateway's own word. */
  readonly transferMs?: (of: Subject) => number;
  /** The end of a refund; null for that of all others. */
  readonly refundEnd?: (of: Subject) => RefundEnd | null;
}
