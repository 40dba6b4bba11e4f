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
