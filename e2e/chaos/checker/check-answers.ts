import { bookKey, type CaseFile, grouped } from './case-files.ts';
import { tellAnswer, type Violation, violation } from './violation.ts';
import type { Answer, AnsweredPayment, GatewayCall, Status, Witnesses } from './witnesses.ts';

/** Whether what merchants were answered about one payment is true, and stays so. */
export function checkAnswers(file: CaseFile): Violation[] {
  return [...checkContents(file), ...checkRepeats(file), ...checkSessions(file), ...checkOrderSeen(file), ...checkRecords(file)];
}

/** What merchants were answered, whichever payment it was about. */
export function checkAllAnswers(witnesses: Witnesses): Violation[] {
  const found: Violation[] = [];
  const known = new Set(witnesses.payments.map((row) => `${row.merchantId} ${row.paymentId} ${row.merchantOrderId}`));
  for (const answer of witnesses.answers) {
    const { merchantId, merchantOrderId, payment, httpStatus } = answer;
    if (!isExpected(answer)) {
      found.push(violation('unexpected_answer', tellAnswer(answer)));
    }
    if (httpStatus === 500) found.push(violation('internal_error', tellAnswer(answer)));
    if (payment === null || known.has(`${merchantId} ${payment.paymentId} ${merchantOrderId}`)) continue;
    found.push(
      violation('answer_without_payment', `order ${merchantOrderId} was answered ${payment.paymentId}, which is no such payment`),
    );
  }
  for (const [order, answers] of grouped(witnesses.answers, (answer) => `${answer.merchantId} ${answer.merchantOrderId}`)) {
    const ids = new Set(answers.flatMap(({ payment }) => (payment === null ? [] : [payment.paymentId])));
    if (ids.size > 1) found.push(violation('two_payments_for_an_order', `${order} was answered ${[...ids].join(' and ')}`));
    // A get is only ever made of what was answered before; an initiate is kept up until it is.
    if (answers.some(({ to }) => to === 'initiate') && ids.size === 0) {
      found.push(violation('never_answered', `${order} never got an answer:\n${answers.map(tellAnswer).join('\n')}`));
    }
  }
  for (const { what, url, httpStatus } of witnesses.forgeries) {
    if (httpStatus !== null && httpStatus < 400)
      found.push(violation('forgery_accepted', `${what} at ${url} was answered ${httpStatus}`));
  }
  return found;
}

/** What gateways saw of us: nothing that was not on record before. */
export function checkReferences({ calls, committed, books }: Witnesses): Violation[] {
  const onRecord = new Map(committed.map((attempt) => [bookKey(attempt), attempt.at]));
  const references = new Map(committed.map(({ reference, at }) => [reference, at]));
  const found: Violation[] = [];
  const first = new Map<string, GatewayCall>();
  for (const call of calls) if (!first.has(bookKey(call))) first.set(bookKey(call), call);
  for (const { gateway, accountId, reference, at } of first.values()) {
    const since = accountId === null ? references.get(reference) : onRecord.get(bookKey({ accountId, reference }));
    if (since === undefined)
      found.push(violation('reference_unknown', `${gateway} was told ${reference}, which is no attempt of ours there`));
    // Both are told by the same machine's clock, in whole milliseconds.
    else if (at + 1 < since) {
      found.push(
        violation(
          'reference_too_early',
          `${gateway} was told ${reference} ${(since - at).toFixed(1)} ms before it was on record`,
        ),
      );
    }
  }
  for (const entry of books) {
    if (!onRecord.has(bookKey(entry)))
      found.push(violation('reference_unknown', `${entry.gateway} has ${entry.reference}, which is no attempt of ours there`));
  }
  return found;
}

function checkContents(file: CaseFile): Violation[] {
  const { payment: row } = file;
  const wrong = toldOf(file).find(
    ({ paymentId, amount, currency }) => paymentId === row.paymentId && (amount !== row.amount || currency !== row.currency),
  );
  return wrong === undefined ? [] : [violation('answers_differ', `an answer said ${wrong.amount / 100} ${wrong.currency}`, file)];
}

/** The first answer under a key is the answer for ever. */
function checkRepeats(file: CaseFile): Violation[] {
  const given = file.answers.filter(({ httpStatus, idempotencyKey }) => httpStatus === 200 && idempotencyKey !== null);
  for (const [key, answers] of grouped(given, ({ idempotencyKey }) => idempotencyKey ?? '')) {
    const digests = new Set(answers.map(({ digest }) => digest));
    if (digests.size > 1) return [violation('answers_differ', `${digests.size} answers were given under the key ${key}`, file)];
  }
  return [];
}

function checkSessions(file: CaseFile): Violation[] {
  const sessions = new Set(
    toldOf(file).flatMap(({ session }) => (session === null ? [] : [`${session.reference} at ${session.redirectUrl}`])),
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

/** Whoever asks after having been answered is answered the same or what came of it. Repeats of a first answer are old by nature. */
function checkOrderSeen(file: CaseFile): Violation[] {
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

/** The record of one status has one id for ever. */
function checkRecords(file: CaseFile): Violation[] {
  const known = new Map(file.timeline.map(({ eventId, to }) => [eventId, to]));
  for (const { recordId, status } of toldOf(file)) {
    if (recordId === null) continue;
    if (known.get(recordId) !== status)
      return [violation('answers_differ', `verify answered ${status} as ${recordId}, which the timeline does not have`, file)];
  }
  return [];
}

/** What may be answered while things go wrong: later, or that somebody is at it. A 409 also refuses a refund. */
function isExpected({ httpStatus }: Answer): boolean {
  return httpStatus === null || [200, 409, 429, 500, 503].includes(httpStatus);
}

function toldOf({ answers }: CaseFile): AnsweredPayment[] {
  return answers.flatMap(({ payment }) => (payment === null ? [] : [payment]));
}
