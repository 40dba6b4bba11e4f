import type { DisputeState } from '@switchyard/db/client';
import { isClosed } from './apply-dispute.ts';

/** A dispute as merchants read it, in events and over REST. */
export interface DisputeResource {
  readonly disputeId: string;
  /** Null of a payment that was not made here. */
  readonly paymentId: string | null;
  readonly state: 'needs_response' | 'under_review' | 'won' | 'lost' | 'accepted' | 'expired' | 'closed';
  /** The gateway's word for its kind, or null. */
  readonly category: string | null;
  /** The gateway's word for how far it got, or null. */
  readonly stage: string | null;
  /** Disputed amount in main units, with decimals where it has them. */
  readonly amount: number;
  readonly currency: string;
  /** The gateway's charge for the dispute, or null where it is not known. */
  readonly fee: number | null;
  readonly gateway: string;
  readonly gatewayDisputeId: string;
  /** Until when it has to be answered, or null. */
  readonly dueAt: string | null;
  readonly openedAt: string;
  readonly closedAt: string | null;
}

export interface StoredDispute {
  readonly id: string;
  readonly paymentId: string | null;
  readonly state: DisputeState;
  readonly category: string | null;
  readonly stage: string | null;
  /** Exact decimals of the main unit. */
  readonly amount: string;
  readonly fee: string | null;
  readonly currency: string;
  readonly gateway: string;
  readonly gatewayDisputeId: string;
  readonly dueAt: Date | null;
  readonly openedAt: Date;
  readonly closedAt: Date | null;
}

const STATES = {
  NEEDS_RESPONSE: 'needs_response',
  UNDER_REVIEW: 'under_review',
  WON: 'won',
  LOST: 'lost',
  ACCEPTED: 'accepted',
  EXPIRED: 'expired',
  CLOSED: 'closed',
} as const satisfies Record<DisputeState, DisputeResource['state']>;

/** A stored dispute as merchants read it. */
export function disputeResource(dispute: StoredDispute): DisputeResource {
  const { id, paymentId, state, category, stage, amount, fee, currency, gateway, gatewayDisputeId } = dispute;
  return {
    disputeId: id,
    paymentId,
    state: STATES[state],
    category,
    stage,
    amount: Number(amount),
    currency,
    fee: fee === null ? null : Number(fee),
    gateway,
    gatewayDisputeId,
    dueAt: dispute.dueAt?.toISOString() ?? null,
    openedAt: dispute.openedAt.toISOString(),
    closedAt: dispute.closedAt?.toISOString() ?? null,
  };
}

/**
 * The merchant's event of a change of state: `dispute.opened` of one that is open and was not before, or needs another response, and
 * `dispute.closed` of every decision.
 */
export function disputeEventType(before: DisputeState | null, after: DisputeState): 'dispute.opened' | 'dispute.closed' | null {
  if (isClosed(after)) return 'dispute.closed';
  const wasOpen = before !== null && !isClosed(before);
  return wasOpen && after !== 'NEEDS_RESPONSE' ? null : 'dispute.opened';
}
