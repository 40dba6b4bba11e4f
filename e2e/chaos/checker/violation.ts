import type { Answer } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';

/** What must never happen under any fault of processes, database, gateways and clocks. */
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
  | 'sums_differ'
  | 'report_sum_wrong'
  | 'forgery_accepted'
  | 'internal_error'
  | 'unexpected_answer'
  | 'never_answered'
  | 'job_given_up';

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

/** A violation with all observations of its payment, as text. */
export function buildTimeline({ kind, what, file }: Violation): string {
  if (file === null) return `${kind}: ${what}`;
  const { payment } = file;
  const lines = [
    `${kind}: ${what}`,
    `  payment ${payment.paymentId} of merchant ${payment.merchantId}, order ${payment.merchantOrderId}, ${money(payment.amount)} ${payment.currency}`,
    `  is ${payment.status}${payment.underReview ? ' under review' : ''}, version ${payment.version}, reference ${payment.gatewayReference ?? '–'}`,
    ...file.answers.map(describeAnswer),
    ...file.timeline.map(({ type, from, to, eventId }) => `  timeline: ${type} ${from ?? '–'} → ${to ?? '–'} (${eventId})`),
    ...file.moves.map((move) => `  row: ${move.from ?? '–'} v${move.fromVersion} → ${move.to} v${move.toVersion}`),
    ...file.attempts.map(({ gateway, reference, state }) => `  attempt at ${gateway}: ${reference} ${state}`),
    ...file.statements.map(
      (entry) =>
        `  ${entry.gateway}'s statement: ${entry.reference} requested ${money(entry.requested)}, paid ${entry.paid === null ? 'nothing' : money(entry.paid)}, returned ${money(entry.refunded)} (transaction ${entry.transactionId ?? '–'})`,
    ),
    ...file.duplicateCharges.map((charge) => `  duplicate charge: ${charge.reference} ${money(charge.amount)} ${charge.state}`),
    ...file.refunds.map(
      (refund) => `  refund: ${money(refund.amount)} ${refund.state}${refund.duplicate ? ' of a duplicate' : ''}`,
    ),
    ...file.events.map(({ type, eventId, position }) => `  event ${position}: ${type} (${eventId})`),
  ];
  return lines.join('\n');
}

/** One line about a request and its answer. */
export function describeAnswer({ to, begun, ended, httpStatus, payment, refusal }: Answer): string {
  const took = Math.round(ended - begun);
  const result = payment === null ? (refusal ?? '') : `${payment.status}, session ${payment.session?.reference ?? '–'}`;
  return `  ${at(begun)} ${to} → ${httpStatus ?? 'connection lost'} after ${took} ms ${result}`;
}

export function money(hundredths: number): string {
  return (hundredths / 100).toFixed(2);
}

function at(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(11, 23);
}
