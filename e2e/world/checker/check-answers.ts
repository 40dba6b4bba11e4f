import type { Answer, AnsweredPayment, Observations, Status } from './observations.ts';
import { orderKey, type PaymentObservations, statementKey } from './payment-observations.ts';
import { describeAnswer, type Finding, money } from './violation.ts';

/** The statuses allowed under faults: try later, or a request in progress. A 409 also refuses a refund. */
const EXPECTED_STATUSES: readonly (number | null)[] = [null, 200, 409, 429, 500, 503];

/** The statuses that may follow each. */
const LATER: Readonly<Record<Status, readonly Status[]>> = {
  INITIATED: ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  PENDING: ['PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  FAILED: ['FAILED', 'SUCCESS', 'REFUNDED'],
  SUCCESS: ['SUCCESS', 'REFUNDED'],
  REFUNDED: ['REFUNDED'],
};

type AnswerWithPayment = Answer & { readonly payment: AnsweredPayment };

/** Checks that the answers about one payment are true, and stay so. */
export function* checkAnswers({ payment: row, answers, timeline }: PaymentObservations): Generator<Finding> {
  const answered = answers.filter((answer): answer is AnswerWithPayment => answer.payment !== null);
  for (const { payment } of answered) {
    const isWrong = payment.amount !== row.amount || payment.currency !== row.currency;
    if (payment.paymentId === row.paymentId && isWrong) {
      yield ['answers_differ', `an answer has ${money(payment.amount)} ${payment.currency}`];
    }
  }
  // All answers under one idempotency key are the same.
  const withKey = answers.filter(({ httpStatus, idempotencyKey }) => httpStatus === 200 && idempotencyKey !== null);
  for (const [key, own] of Map.groupBy(withKey, ({ idempotencyKey }) => idempotencyKey)) {
    const digests = new Set(own.map(({ digest }) => digest));
    if (digests.size > 1) yield ['answers_differ', `${digests.size} answers were given under the key ${key}`];
  }
  const sessions = new Set(
    answered.flatMap(({ payment: { session } }) => (session ? [`${session.reference} at ${session.redirectUrl}`] : [])),
  );
  if (sessions.size > 1) yield ['two_sessions', `sessions ${[...sessions].join(' and ')} were given out`];
  // Repeats of an initiate are excluded: they repeat the first answer.
  for (const later of answered.filter(({ to }) => to !== 'initiate')) {
    const { status } = later.payment;
    const before = answered.find(({ ended, payment }) => ended < later.begun && !LATER[payment.status].includes(status));
    if (before) yield ['status_went_back', `${before.payment.status} was answered first, then ${status}`];
  }
  // The record of one status always has the same id.
  const recorded = new Map(timeline.map(({ eventId, to }) => [eventId, to]));
  for (const { recordId, status } of answered.map(({ payment }) => payment)) {
    if (recordId === null || recorded.get(recordId) === status) continue;
    yield ['answers_differ', `verify answered ${status} as ${recordId}, which the timeline does not have`];
  }
}

/** Checks all answers to merchants, whichever payment they are about. */
export function* checkAllAnswers({ payments, answers, forgeries }: Observations): Generator<Finding> {
  const known = new Set(payments.map((row) => `${orderKey(row)} ${row.paymentId}`));
  for (const answer of answers) {
    const { merchantOrderId, payment, httpStatus } = answer;
    if (!EXPECTED_STATUSES.includes(httpStatus)) yield ['unexpected_answer', describeAnswer(answer)];
    if (httpStatus === 500) yield ['internal_error', describeAnswer(answer)];
    if (payment === null || known.has(`${orderKey(answer)} ${payment.paymentId}`)) continue;
    yield ['answer_without_payment', `order ${merchantOrderId} was answered ${payment.paymentId}, which is no such payment`];
  }
  for (const [order, own] of Map.groupBy(answers, orderKey)) {
    const ids = new Set(own.flatMap(({ payment }) => (payment === null ? [] : [payment.paymentId])));
    if (ids.size > 1) yield ['two_payments_for_an_order', `${order} was answered ${[...ids].join(' and ')}`];
    // A get follows an answer; an initiate is retried until there is one.
    if (own.some(({ to }) => to === 'initiate') && ids.size === 0) {
      yield ['never_answered', `${order} never got an answer:\n${own.map(describeAnswer).join('\n')}`];
    }
  }
  for (const { gateway, event, reference, httpStatus } of forgeries) {
    if (httpStatus === null || httpStatus >= 400) continue;
    yield ['forgery_accepted', `a forged ${event} of ${reference} in the name of ${gateway} was answered ${httpStatus}`];
  }
}

/** Checks that gateways saw no reference that was not committed before. */
export function* checkReferences({ calls, committed, statements, differences }: Observations): Generator<Finding> {
  const atAccount = new Map(committed.map((attempt) => [statementKey(attempt), attempt.at]));
  const anywhere = new Map(committed.map(({ reference, at }) => [reference, at]));
  for (const [first] of Map.groupBy(calls, statementKey).values()) {
    if (first === undefined) continue;
    const { gateway, accountId, reference, at } = first;
    const since = accountId === null ? anywhere.get(reference) : atAccount.get(statementKey(first));
    if (since === undefined) {
      yield ['reference_unknown', `${gateway} was sent ${reference}, which is no attempt of ours there`];
    } else if (at + 1 < since) {
      // Both times are of the same clock, in whole milliseconds.
      yield ['reference_too_early', `${gateway} was sent ${reference} ${(since - at).toFixed(1)} ms before it was on record`];
    }
  }
  const foreign = new Set(differences.filter(({ finds }) => finds === 'MISSING_HERE').map(statementKey));
  for (const entry of statements) {
    if (atAccount.has(statementKey(entry)) || foreign.has(statementKey(entry))) continue;
    yield ['reference_unknown', `${entry.gateway} has ${entry.reference}, which is no attempt of ours there`];
  }
}
