import type { DisputeDueSource, DisputeState } from '@switchyard/db/client';
import { sameDecimal } from '@switchyard/db/decimals';
import { findGateway, type ReportedDispute } from '@switchyard/gateways';
import type { DisputeFields } from '../record/dispute-rows.ts';

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
  accepted: 'ACCEPTED',
  expired: 'EXPIRED',
  closed: 'CLOSED',
} as const satisfies Record<ReportedDispute['state'], DisputeState>;

/** The type of the timeline event of each state. */
export const DISPUTE_EVENTS = {
  NEEDS_RESPONSE: 'dispute.opened',
  UNDER_REVIEW: 'dispute.under_review',
  WON: 'dispute.won',
  LOST: 'dispute.lost',
  ACCEPTED: 'dispute.accepted',
  EXPIRED: 'dispute.expired',
  CLOSED: 'dispute.closed',
} as const satisfies Record<DisputeState, string>;

/** True if a dispute is decided. */
export function isClosed(state: DisputeState): boolean {
  return state !== 'NEEDS_RESPONSE' && state !== 'UNDER_REVIEW';
}

/** Due date of a dispute, and where it comes from. */
export interface DisputeDue {
  readonly at: Date;
  readonly source: DisputeDueSource;
}

/** The circumstances of a report of a dispute. */
export interface DisputeTerms {
  /** Amount of the whole payment, an exact decimal of the main unit. */
  readonly paid: string;
  readonly now: Date;
  readonly due: DisputeDue | null;
  /** The gateway's charge for the dispute, where a staff user entered it. */
  readonly fee?: string | null;
  /** True if a staff user reports what they saw at the gateway. */
  readonly isSeen?: boolean;
}

/**
 * The change that a gateway's report of a dispute makes to what is known of it; null for none. The report is what the gateway says now, so
 * that it is taken whatever the state before: a lost dispute may be won later. Of an unrecognised status see {@link stateOf}. `paid` is the amount of the whole payment, `due` the due date by
 * the gateway's rule for a dispute that has none.
 */
export function applyDispute(
  known: DisputeFields | null,
  reported: ReportedDispute,
  { paid, now, due, fee = null, isSeen = false }: DisputeTerms,
): DisputeChange | null {
  const unrecognised = isSeen ? (known?.unrecognised ?? null) : (reported.unrecognised?.message ?? null);
  const state = isSeen || unrecognised === null ? DISPUTE_STATES[reported.state] : stateOf(known, unrecognised);
  const amount = reported.amount ?? known?.amount ?? paid;
  const { dueAt, dueSource } = dueOf(known, reported, due);
  const closedAt = isClosed(state) ? (reported.closedAt ?? known?.closedAt ?? now) : null;
  const category = reported.category ?? known?.category ?? null;
  const stage = reported.stage ?? known?.stage ?? null;
  const fields = { state, category, stage, amount, fee: fee ?? known?.fee ?? null, dueAt, dueSource, closedAt, unrecognised };
  const isNew = known === null || known.state !== state || known.stage !== stage;
  const isSameStatus = known?.unrecognised === unrecognised;
  const isSameMoney = known !== null && sameDecimal(known.amount, amount) && sameDecimal(known.fee ?? '0', fields.fee ?? '0');
  if (!isNew && isSameStatus && isSameMoney && known.dueAt?.getTime() === dueAt?.getTime()) return null;
  // A status that cannot be read is shown as such, and opens nothing that is known already.
  const isRead = known === null || isSeen || unrecognised === null;
  return { fields, event: isNew && isRead ? DISPUTE_EVENTS[state] : null };
}

/**
 * The state of a dispute with an unrecognised status: a decision stays, as nothing says that it was taken back. Any other may wait for an
 * answer within hours, so that people have to look; what they have said since the status was first reported stays as well.
 */
function stateOf(known: Pick<DisputeFields, 'state' | 'unrecognised'> | null, unrecognised: string): DisputeState {
  if (known === null) return 'NEEDS_RESPONSE';
  return isClosed(known.state) || known.unrecognised === unrecognised ? known.state : 'NEEDS_RESPONSE';
}

/** The gateway's own date; else the one that is known; else the one by its rule. */
function dueOf(known: DisputeFields | null, reported: Pick<ReportedDispute, 'dueAt'>, due: DisputeDue | null) {
  if (reported.dueAt !== null) return { dueAt: reported.dueAt, dueSource: 'GATEWAY' } as const;
  if (known !== null && known.dueAt !== null) return { dueAt: known.dueAt, dueSource: known.dueSource };
  return { dueAt: due?.at ?? null, dueSource: due?.source ?? null };
}

const HOUR_MS = 3_600_000;

/**
 * The due date of a dispute whose gateway names none and publishes a number of hours; null for any other. Working hours need an account's
 * calendar, which reading the gateway's list applies.
 */
export function publishedDue(gateway: string, openedAt: Date): DisputeDue | null {
  const rule = findGateway(gateway)?.disputes.answerWithin ?? null;
  if (rule === null || rule.kind !== 'hours') return null;
  return { at: new Date(openedAt.getTime() + rule.hours * HOUR_MS), source: 'RULE' };
}
