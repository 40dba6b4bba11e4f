import type { DisputeState } from '@switchyard/db/client';
import { sameDecimal } from '@switchyard/db/decimals';
import type { ReportedDispute } from '@switchyard/gateways';
import type { DisputeFields } from './queries.ts';

/** Change of a dispute, and the type of the timeline event that records it; null for no event. */
export interface DisputeChange {
  readonly fields: DisputeFields;
  readonly event: string | null;
}

/** A reported state as it is stored. */
export const DISPUTE_STATES = {
  needs_response: 'NEEDS_RESPONSE',
  under_review: 'UNDER_REVIEW',
  won: 'WON',
  lost: 'LOST',
  closed: 'CLOSED',
} as const satisfies Record<ReportedDispute['state'], DisputeState>;

const EVENTS = {
  NEEDS_RESPONSE: 'dispute.opened',
  UNDER_REVIEW: 'dispute.under_review',
  WON: 'dispute.won',
  LOST: 'dispute.lost',
  CLOSED: 'dispute.closed',
} as const satisfies Record<DisputeState, string>;

/** True if a dispute is decided. */
export function isClosed(state: DisputeState): boolean {
  return state === 'WON' || state === 'LOST' || state === 'CLOSED';
}

/**
 * The change that a gateway's report of a dispute makes to what is known of it; null for none. The report is what the gateway says now, so
 * that it is taken whatever the state before: a lost dispute may be won later. `paid` is the amount of the whole payment.
 */
export function applyDispute(
  known: DisputeFields | null,
  reported: ReportedDispute,
  { paid, now }: { readonly paid: bigint; readonly now: Date },
): DisputeChange | null {
  const state = DISPUTE_STATES[reported.state];
  const amount = reported.amount ?? known?.amount ?? String(paid);
  const closedAt = isClosed(state) ? (reported.closedAt ?? known?.closedAt ?? now) : null;
  const fields = { state, category: reported.category ?? known?.category ?? null, amount, dueAt: reported.dueAt, closedAt };
  const isNew = known === null || known.state !== state;
  if (!isNew && sameDecimal(known.amount, amount) && known.dueAt?.getTime() === reported.dueAt?.getTime()) return null;
  return { fields, event: isNew ? EVENTS[state] : null };
}
