import type { RefundState } from '@switchyard/db/client';

/** Every allowed transition of a refund. */
export const REFUND_TRANSITIONS: Readonly<Record<RefundState, readonly RefundState[]>> = {
  /** Being sent to the gateway. */
  REQUESTED: ['PROCESSING', 'FAILED'],
  /** The gateway accepted and ended it, requires help with it, or provably never received it. */
  PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
  /** A staff user completed it at the gateway, or saw that the gateway had not made one that was held back. */
  NEEDS_ATTENTION: ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  /** The money may be refunded again, by another refund. */
  FAILED: [],
};

/** True if a refund may change from one state to another. */
export function canTransitionRefund(from: RefundState, to: RefundState): boolean {
  return REFUND_TRANSITIONS[from].includes(to);
}

/** True if the state is final. */
export function isFinalRefund(state: RefundState): boolean {
  return REFUND_TRANSITIONS[state].length === 0;
}
