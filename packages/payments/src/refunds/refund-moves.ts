import type { RefundState } from '@switchyard/db/client';

/** Every move a refund may make; no other exists. */
export const REFUND_MOVES: Readonly<Record<RefundState, readonly RefundState[]>> = {
  /** Being sent to the gateway. */
  REQUESTED: ['PROCESSING', 'FAILED'],
  /** It took the refund on and ended it, wants help with it, or has proved never to have heard of it. */
  PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
  /** Somebody helped. */
  NEEDS_ATTENTION: ['PROCESSING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  /** The money may be refunded again, by another refund. */
  FAILED: [],
};

export function mayMoveRefund(from: RefundState, to: RefundState): boolean {
  return REFUND_MOVES[from].includes(to);
}

/** Whether nothing will change any more. */
export function isFinalRefund(state: RefundState): boolean {
  return REFUND_MOVES[state].length === 0;
}
