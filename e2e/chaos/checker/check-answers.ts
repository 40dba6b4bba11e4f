import type { Answer, AnsweredPayment, GatewayCall, Observations, Status } from './observations.ts';
import { orderKey, type PaymentObservations, statementKey } from './payment-observations.ts';
import { describeAnswer, type Violation, violation } from './violation.ts';

/** Checks that the answers about one payment are true, and stay so. */
export function checkAnswers(file: PaymentObservations): Violation[] {
  return [...checkContents(file), ...checkRepeats(file), ...checkSessions(file), ...checkOrderSeen(file), ...checkRecords(file)];
}

/** Checks all answers to merchants, whichever payment they are about. */
export function checkAllAnswers(observations: Observations): Violation[] {
  const found: Violation[] = [];
  const known = new Set(observations.payments.map((row) => `${row.merchantId} ${row.paymentId} ${row.merchantOrderId}`));
  for (const answer of observations.answers) {
    const { merchantId, merchantOrderId, payment, httpStatus } = answer;
    if (!isExpected(answer)) {
      found.push(violation('unexpected_answer', describeAnswer(answer)));
    }
    if (httpStatus === 500) found.push(violation('internal_error', describeAnswer(answer)));
    if (payment === null || known.has(`${merchantId} ${payment.paymentId} ${merchantOrderId}`)) continue;
    found.push(
      violation('answer_without_payment', `order ${merchantOrderId} was answered ${payment.paymentId}, which is no such payment`),
    );
  }
  for (const [order, answers] of Map.groupBy(observations.answers, orderKey)) {
    const ids = new Set(answers.flatMap(({ payment }) => (payment === null ? [] : [payment.paymentId])));
    if (ids.size > 1) found.push(violation('two_payments_for_an_order', `${order} was answered ${[...ids].join(' and ')}`));
    // A get follows an answer; an initiate is retried until there is one.
    if (answers.some(({ to }) => to === 'initiate') && ids.size === 0) {
      found.push(violation('never_answered', `${order} never got an answer:\n${answers.map(describeAnswer).join('\n')}`));
    }
  }
  for (const { what, url, httpStatus } of observations.forgeries) {
    if (httpStatus !== null && httpStatus < 400)
      found.push(violation('forgery_accepted', `${what} at ${url} was answered ${httpStatus}`));
  }
  return found;
}

/** Checks that gateways saw no reference that was not committed before. */
export function checkReferences({ calls, committed, statements }: Observations): Violation[] {
  const onRecord = new Map(committed.map((attempt) => [statementKey(attempt), attempt.at]));
  const references = new Map(committed.map(({ reference, at }) => [reference, at]));
  const found: Violation[] = [];
  const first = new Map<string, GatewayCall>();
  for (const call of calls) if (!first.has(statementKey(call))) first.set(statementKey(call), call);
  for (const { gateway, accountId, reference, at } of first.values()) {
    const since = accountId === null ? references.get(reference) : onRecord.get(statementKey({ accountId, reference }));
    if (since === undefined)
      found.push(violation('reference_unknown', `${gateway} was sent ${reference}, which is no attempt of ours there`));
    // Both times are of the same machine's clock, in whole milliseconds.
    else if (at + 1 < since) {
      found.push(
        violation(
          'reference_too_early',
          `${gateway} was sent ${reference} ${(since - at).toFixed(1)} ms before it was on record`,
        ),
      );
    }
  }
  for (const entry of statements) {
    if (!onRecord.has(statementKey(entry)))
      found.push(violation('reference_unknown', `${entry.gateway} has ${entry.reference}, which is no attempt of ours there`));
  }
  return found;
}

function checkContents(file: PaymentObservations): Violation[] {
  const { payment: row } = file;
  const wrong = answeredPayments(file).find(
    ({ paymentId, amount, currency }) => paymentId === row.paymentId && (amount !== row.amount || currency !== row.currency),
  );
  return wrong === undefined ? [] : [violation('answers_differ', `an answer has ${wrong.amount / 100} ${wrong.currency}`, file)];
}

/** All answers under one idempotency key are the same. */
function checkRepeats(file: PaymentObservations): Violation[] {
  const given = file.answers.filter(({ httpStatus, idempotencyKey }) => httpStatus === 200 && idempotencyKey !== null);
  for (const [key, answers] of Map.groupBy(given, ({ idempotencyKey }) => idempotencyKey)) {
    const digests = new Set(answers.map(({ digest }) => digest));
    if (digests.size > 1) return [violation('answers_differ', `${digests.size} answers were given under the key ${key}`, file)];
  }
  return [];
}

function checkSessions(file: PaymentObservations): Violation[] {
  const sessions = new Set(
    answeredPayments(file).flatMap(({ session }) => (session === null ? [] : [`${session.reference} at ${session.redirectUrl}`])),
  );
  return sessions.size > 1 ? [violation('two_sessions', `sessions ${[...sessions].join(' and ')} were given out`, file)] : [];
}

const LATER: Readonly<Record<Status, readonly Status[]>> = {
  INITIATED: ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  PENDING: ['PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'],
  FAILED: ['FAILED', 'SUCCESS', 'REFUNDED'],
  SUCCESS: ['SUCCESS', 'REFUNDED'],
  REFUNDED: ['REFUNDED'],
};

/** A later answer has the same status or one that may follow it. Repeats of an initiate are excluded: they repeat the first answer. */
function checkOrderSeen(file: PaymentObservations): Violation[] {
  const seen = file.answers.filter((answer): answer is Answer & { payment: AnsweredPayment } => answer.payment !== null);
  for (const later of seen) {
    if (later.to === 'initiate') continue;
    const before = seen.find(
      ({ ended, payment }) => ended < later.begun && !LATER[payment.status].includes(later.payment.status),
    );
    if (before !== undefined) {
      return [violation('status_went_back', `${before.payment.status} was answered first, then ${later.payment.status}`, file)];
    }
  }
  return [];
}

/** The record of one status always has the same id. */
function checkRecords(file: PaymentObservations): Violation[] {
  const known = new Map(file.timeline.map(({ eventId, to }) => [eventId, to]));
  for (const { recordId, status } of answeredPayments(file)) {
    if (recordId === null) continue;
    if (known.get(recordId) !== status)
      return [violation('answers_differ', `verify answered ${status} as ${recordId}, which the timeline does not have`, file)];
  }
  return [];
}

/** The statuses allowed under faults: try later, or a request in progress. A 409 also refuses a refund. */
function isExpected({ httpStatus }: Answer): boolean {
  return httpStatus === null || [200, 409, 429, 500, 503].includes(httpStatus);
}

function answeredPayments({ answers }: PaymentObservations): AnsweredPayment[] {
  return answers.flatMap(({ payment }) => (payment === null ? [] : [payment]));
}
