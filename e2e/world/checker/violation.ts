import { inspect } from 'node:util';
import type { Answer } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';

/** Violations that must never happen under any fault of processes, database, gateways and clocks. */
export type ViolationKind =
  | 'paid_but_not_succeeded'
  | 'succeeded_but_not_paid'
  | 'never_settled'
  | 'charge_not_recorded'
  | 'charge_made_up'
  | 'event_missing'
  | 'event_not_delivered'
  | 'event_altered'
  | 'event_out_of_order'
  | 'event_not_genuine'
  | 'event_misdirected'
  | 'answer_without_payment'
  | 'answers_differ'
  | 'two_sessions'
  | 'two_payments_for_an_order'
  | 'status_went_back'
  | 'reference_unknown'
  | 'reference_too_early'
  | 'opening_denied'
  | 'closed_unasked'
  | 'move_not_allowed'
  | 'timeline_differs'
  | 'refunded_too_much'
  | 'refund_differs'
  | 'refund_sent_twice'
  | 'refund_lost'
  | 'refund_not_asked_for'
  | 'received_differs'
  | 'fee_differs'
  | 'dispute_differs'
  | 'payout_differs'
  | 'not_refused'
  | 'plan_not_followed'
  | 'sums_differ'
  | 'report_sum_wrong'
  | 'forgery_accepted'
  | 'internal_error'
  | 'unexpected_answer'
  | 'never_answered'
  | 'job_given_up'
  | 'settled_late'
  | 'decision_differs'
  | 'audit_chain_broken'
  | 'export_differs'
  | 'erased_too_much'
  | 'erased_too_little'
  | 'reconciliation_differs'
  | 'process_ended'
  | 'webhook_lost';

export interface Violation {
  readonly kind: ViolationKind;
  readonly what: string;
  /** The payment it is about, where it is about one. */
  readonly file: PaymentObservations | null;
}

/** A violation of the payment, or of the run, that is being checked. */
export type Finding = readonly [kind: ViolationKind, what: string];

export function violation(kind: ViolationKind, what: string, file: PaymentObservations | null = null): Violation {
  return { kind, what, file };
}

/** A violation with all observations of its payment, as text; amounts are in hundredths. */
export function buildTimeline({ kind, what, file }: Violation): string {
  const observations = file === null ? '' : `\n${inspect(file, { depth: null, breakLength: 200, maxArrayLength: null })}`;
  return `${kind}: ${what}${observations}`;
}

/** One line about a request and its answer. */
export function describeAnswer(answer: Answer): string {
  return inspect(answer, { depth: null, breakLength: Number.POSITIVE_INFINITY });
}

export function money(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

/** Invariants, a sentence for each kind of violation. */
export const INVARIANTS: Readonly<Record<ViolationKind, string>> = {
  paid_but_not_succeeded: 'A payment whose exact amount a gateway received succeeds, and another amount comes to review.',
  succeeded_but_not_paid: 'A payment succeeds only when a gateway received its exact amount under the reference that it names.',
  never_settled: 'Every payment, refund and piece of work comes to an end.',
  charge_not_recorded: 'Money beyond the one successful charge is recorded as a duplicate charge.',
  charge_made_up: 'A duplicate charge is recorded only where a gateway received one.',
  event_missing: 'Each change that merchants are told of has one event.',
  event_not_delivered: 'An event counts as delivered when, and only when, its endpoint answered with 2xx in time.',
  event_altered: 'An event is sent as it was written, and belongs to an entry of the timeline.',
  event_out_of_order: 'Events of one payment are accepted in their order.',
  event_not_genuine: 'Every delivery is signed.',
  event_misdirected: 'An event goes to endpoints of its own merchant.',
  answer_without_payment: 'Every payment that a merchant is answered exists.',
  answers_differ: 'Answers about a payment agree with each other and with what is stored.',
  two_sessions: 'A payment has one session that is given out.',
  two_payments_for_an_order: 'An order has one payment.',
  status_went_back: 'No answered status goes back.',
  reference_unknown: 'A gateway sees only references that are on record.',
  reference_too_early: 'A reference is on record before its gateway sees it.',
  opening_denied: 'An attempt is on record as refused only where no checkout can be open.',
  closed_unasked: 'A session is closed only after its gateway has said that nothing was paid.',
  move_not_allowed: 'A payment moves only as its table of transitions allows, a version at a time.',
  timeline_differs: 'The timeline has each change of the row, once.',
  refunded_too_much: 'No more is refunded than was received.',
  refund_differs: 'Refunds on record, by their references, are those in the books of the gateways.',
  refund_sent_twice: 'A gateway accepts a refund once at most.',
  received_differs: 'The money of an attempt is on the statement of its gateway.',
  plan_not_followed: 'Accounts are tried in the order of the decision, and none is left out.',
  fee_differs: 'The fee on record is the one that the gateway took.',
  dispute_differs: 'A dispute on record stands as at its gateway, and what a lost one took back is taken back once.',
  payout_differs: 'A payout settles what it pays, and what it leaves out is missing.',
  not_refused:
    'What must be refused is refused: a refund of too much, a wrong key, what is another merchant’s, what a role, a key or a token may not, a forged webhook.',
  refund_lost: 'A refund that was granted is on record.',
  refund_not_asked_for: 'Refunds on record are those that were asked for and not refused.',
  sums_differ: 'Payments of a merchant add up to what its gateways received.',
  report_sum_wrong: 'Roll-ups add up to their payments.',
  forgery_accepted: 'A forged webhook is refused.',
  internal_error: 'No request ends in an error of ours.',
  unexpected_answer: 'Every answer has a status that merchants are told of.',
  never_answered: 'Every order gets an answer.',
  job_given_up: 'No job is given up.',
  settled_late: 'A payment is settled soon after its session and all faults have ended.',
  decision_differs: 'A decision comes out again from what was stored with it.',
  audit_chain_broken: 'The chain of the audit log is whole.',
  export_differs: 'A file has each row of its list once, as it is on record.',
  erased_too_much: 'An erasure changes nothing but the personal data of its customer.',
  erased_too_little: 'Nothing is left of an erased customer.',
  reconciliation_differs: 'Reconciliation finds each difference between our records and gateways’ lists, and nothing else.',
  process_ended: 'No error ends a process.',
  webhook_lost: 'A webhook that was answered 200 is stored.',
};
