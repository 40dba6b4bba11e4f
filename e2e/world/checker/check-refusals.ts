import type { ForbiddenKind, Observations } from './observations.ts';
import type { PaymentObservations } from './payment-observations.ts';
import { type Finding, type Violation, violation } from './violation.ts';

/** The statuses that refuse each kind of request that must not be granted. */
const REFUSED_WITH: Readonly<Record<ForbiddenKind, readonly number[]>> = {
  refund_of_too_much: [409],
  refund_of_nothing: [400],
  unknown_key: [401],
  no_key: [401],
  foreign_payment: [404],
  refund_of_foreign_payment: [404],
  refund_without_scope: [403],
  initiate_without_scope: [403],
  forged_webhook: [400, 401],
};
/** Statuses that say neither; a failure of ours is found by its own check. */
const UNDECIDED: readonly (number | null)[] = [null, 429, 500, 503];

/** Checks that what must be refused was refused, with the status that is documented. */
export function* checkRefusals({ forbidden }: Observations, files: readonly PaymentObservations[]): Generator<Violation> {
  const fileOf = new Map(files.map((file) => [file.payment.paymentId, file]));
  for (const { kind, paymentId, httpStatus, answer } of forbidden) {
    const file = fileOf.get(paymentId) ?? null;
    if (httpStatus === 500) yield violation('internal_error', `${kind} of ${paymentId} was answered 500: ${answer}`, file);
    if (UNDECIDED.includes(httpStatus) || REFUSED_WITH[kind].some((status) => status === httpStatus)) continue;
    const expected = REFUSED_WITH[kind].join(' or ');
    yield violation('not_refused', `${kind} of ${paymentId} was answered ${httpStatus} and not ${expected}: ${answer}`, file);
  }
}

/** Checks that refunds on record are those that their merchant asked for and was not refused, beside those of duplicate charges. */
export function* checkRefundRequests({ refunds, answers }: PaymentObservations): Generator<Finding> {
  const requests = answers.filter(({ to, idempotencyKey }) => to === 'refund' && idempotencyKey !== null);
  const keys = [...Map.groupBy(requests, ({ idempotencyKey }) => idempotencyKey).values()];
  const granted = keys.filter((own) => own.some(({ httpStatus }) => httpStatus === 200));
  const undecided = keys.filter((own) => !granted.includes(own) && own.some(({ httpStatus }) => UNDECIDED.includes(httpStatus)));
  const recorded = refunds.filter(({ duplicate, mismatched }) => !duplicate && !mismatched);
  if (recorded.length < granted.length) {
    yield ['refund_lost', `${granted.length} requests for refunds were granted, and ${recorded.length} refunds are on record`];
  }
  if (recorded.length > granted.length + undecided.length) {
    const asked = `${granted.length} requests were granted, ${undecided.length} not answered`;
    yield ['refund_not_asked_for', `${recorded.length} refunds are on record, and ${asked}`];
  }
}
