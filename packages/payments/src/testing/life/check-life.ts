import { addDecimals, compareDecimals, subtractDecimals } from '@switchyard/db/decimals';
import { MONEY, type Money } from './checkouts.ts';
import type { Heard, Life } from './life.ts';
import { AMOUNT, EXPIRES_AT, type RefundRow, type TimelineRow } from './payment-rows.ts';

/** Moves as they are published with the REST API. */
const MOVES: Readonly<Record<string, readonly string[]>> = {
  PENDING: ['SUCCESS', 'FAILED'],
  FAILED: ['SUCCESS'],
  SUCCESS: ['REFUNDED'],
  REFUNDED: [],
};

const WEEK_MS = 7 * 86_400_000;

/** Every guarantee that the rows of a payment break, a sentence for each: judged by its gateways and the answers that were heard alone. */
export function violationsOf(life: Life): string[] {
  return [
    ...checkMoves(life),
    ...checkPaid(life),
    ...checkSurplus(life),
    ...checkAttempts(life),
    ...checkFailures(life),
    ...checkReview(life),
    ...checkRefunds(life),
    ...checkReversal(life),
    ...checkAnnouncements(life),
  ];
}

/** The sentence, unless a guarantee holds. */
function unless(holds: boolean, sentence: string): string[] {
  return holds ? [] : [sentence];
}

/** A detail of an entry of the timeline, by its name. */
function said({ detail }: TimelineRow, name: string): unknown {
  return typeof detail === 'object' && detail !== null ? Reflect.get(detail, name) : undefined;
}

function isPaid({ rows: { payment } }: Life): boolean {
  return payment.status === 'SUCCESS' || payment.status === 'REFUNDED';
}

/** The status makes published moves alone, each with its entry. */
function checkMoves({ rows }: Life): string[] {
  const moves = rows.timeline.filter(({ toStatus }) => toStatus !== null);
  const wrong = moves.flatMap(({ fromStatus, toStatus }, at) => {
    const before = moves[at - 1]?.toStatus ?? fromStatus ?? '';
    const isPublished = fromStatus === before && MOVES[before]?.includes(toStatus ?? '') === true;
    return unless(isPublished, `${before} became ${toStatus}`);
  });
  const last = moves.at(-1)?.toStatus ?? rows.payment.status;
  return [...wrong, ...unless(last === rows.payment.status, `${rows.payment.status} without an entry`)];
}

/** True if an answer proves that the payment was paid. */
function proves({ money, outcome }: Heard): boolean {
  if (money === null || outcome.outcome !== 'yes' || outcome.value.reversed) return false;
  return money.amount === MONEY.exact.amount && money.currency === MONEY.exact.currency && !money.doubt;
}

/** A payment is paid by an answer that proves it, and says by which; one of which such an answer was heard is paid. */
function checkPaid(life: Life): string[] {
  const { payment, attempts, timeline } = life.rows;
  // Money that was refunded while it was under review pays nothing any more.
  const onReview = life.rows.refunds.filter(({ kind }) => kind === 'mismatched').map(({ transactionId }) => transactionId);
  const proof = life.heard.find((each) => proves(each) && !onReview.includes(each.money?.transactionId ?? ''));
  if (!isPaid(life)) return unless(proof === undefined, `${proof?.money?.transactionId} was heard of: ${payment.status}`);
  const paying = attempts.filter(({ state, duplicate }) => state === 'PAID' && !duplicate);
  const [attempt] = paying;
  if (attempt === undefined || paying.length > 1) return [`${paying.length} attempts paid it`];
  const own = life.heard.find(
    (each) => proves(each) && each.attempt.id === attempt.id && each.money?.transactionId === attempt.transactionId,
  );
  const isLate = timeline.some(({ fromStatus, toStatus }) => fromStatus === 'FAILED' && toStatus === 'SUCCESS');
  const refunded = life.rows.refunds.find(
    ({ kind, state, transactionId }) => kind === 'mismatched' && state !== 'FAILED' && transactionId === attempt.transactionId,
  );
  return [
    ...unless(own !== undefined, `nothing proves ${attempt.transactionId}`),
    ...unless(refunded === undefined, `${attempt.transactionId} was refunded on review, and paid it`),
    ...unless(payment.gatewayReference === attempt.reference, `it names ${payment.gatewayReference}`),
    ...unless((payment.paidAttemptId ?? payment.currentAttemptId) === attempt.id, 'it names another attempt'),
    ...unless(payment.receivedAmount === String(AMOUNT), `it received ${payment.receivedAmount}`),
    ...unless(payment.late === isLate, `late: ${payment.late}`),
    ...unless(payment.failureReason === null, `it is paid, and failed by ${payment.failureReason}`),
  ];
}

/** True if money is on record: as that of the payment, as a second charge, or as money to review. */
export function isOnRecord({ rows }: Life, { transactionId, amount, currency }: Money, attemptId: string): boolean {
  if (rows.paying()?.transactionId === transactionId) return true;
  if (rows.duplicates.some((each) => each.transactionId === transactionId)) return true;
  // An attempt holds one amount: a second transaction of the same amount looks like the first.
  return rows.timeline.some(
    (entry) =>
      entry.type === 'payment.requires_review' &&
      (said(entry, 'transactionId') === transactionId ||
        (said(entry, 'attemptId') === attemptId && said(entry, 'amount') === amount && said(entry, 'currency') === currency)),
  );
}

/** Money beyond that of the payment is on record as what it is, exactly once. */
function checkSurplus(life: Life): string[] {
  const { rows, heard, options } = life;
  const wrong: string[] = [];
  for (const { money, outcome, attempt, wasPaid } of heard) {
    // Returned before it was seen beside what paid: the customer is no longer charged.
    const isOver = outcome.outcome === 'yes' && outcome.value.reversed && wasPaid;
    if (money !== null && !isOver && !isOnRecord(life, money, attempt.id)) wrong.push(`${money.transactionId} is not on record`);
  }
  for (const { transactionId, amount, currency, refund } of rows.duplicates) {
    const answer = heard.find(
      ({ money, outcome }) => money?.transactionId === transactionId && outcome.outcome === 'yes' && !outcome.value.reversed,
    );
    const money = answer?.money;
    if (transactionId === rows.paying()?.transactionId) wrong.push(`${transactionId} paid it, and is a second charge`);
    if (money?.amount !== amount || money.currency !== currency) wrong.push(`${transactionId} is a made-up second charge`);
    else if (refund !== (options.refundDuplicates && !money.doubt)) wrong.push(`${transactionId} is refunded: ${refund}`);
    const entries = rows.timeline.filter(({ type }) => type === 'payment.duplicate_charge');
    const own = entries.filter((entry) => said(entry, 'transactionId') === transactionId);
    if (own.length !== 1) wrong.push(`${transactionId} is ${own.length} times in the timeline`);
  }
  const reviews = rows.timeline.filter(({ type }) => type === 'payment.requires_review');
  for (const [at, entry] of reviews.entries()) {
    const before = reviews[at - 1];
    const names = ['attemptId', 'transactionId', 'amount', 'currency'];
    const isSame = before !== undefined && names.every((name) => said(entry, name) === said(before, name));
    if (isSame) wrong.push(`${String(said(entry, 'transactionId'))} is brought to review again`);
  }
  return wrong;
}

/** True if an answer proves that nothing will be paid at its attempt. */
function provesUnpaid({ outcome, at, stateBefore }: Heard): boolean {
  if (outcome.outcome !== 'no') return false;
  const { code } = outcome.failure;
  if (code === 'checkout_closed' || stateBefore === 'UNKNOWN') return true;
  return code === 'declined' && at >= EXPIRES_AT;
}

/** An attempt is refused only where its gateway has no checkout, and unpaid only by proof, which is recorded once. */
function checkAttempts({ rows, heard, checkouts }: Life): string[] {
  return rows.attempts.flatMap(({ id, position, state }) => {
    const isProven = heard.some((each) => each.attempt.id === id && provesUnpaid(each));
    const entries = rows.timeline.filter((entry) => entry.type === 'attempt.unpaid' && said(entry, 'attemptId') === id);
    return [
      ...unless(state !== 'REFUSED' || !checkouts[position]?.isOpen, `attempt ${position} is open and refused`),
      ...unless(state !== 'UNPAID' || isProven, `attempt ${position} is unpaid without proof`),
      ...unless(!isProven || (state !== 'OPENED' && state !== 'UNKNOWN'), `attempt ${position} is ${state}, against proof`),
      ...unless(entries.length <= 1, `attempt ${position} became unpaid ${entries.length} times`),
    ];
  });
}

/**
 * A payment fails when its own attempt is proven unpaid, when money under review was refunded, or when its session has ended and every gateway
 * was asked after that.
 */
function checkFailures({ rows, heard }: Life): string[] {
  const current = rows.payment.currentAttemptId;
  return rows.timeline.flatMap((entry) => {
    if (entry.toStatus !== 'FAILED' || said(entry, 'refundId') !== undefined) return [];
    const attemptId = said(entry, 'attemptId');
    if (attemptId !== undefined) {
      const isProven = heard.some((each) => each.attempt.id === current && provesUnpaid(each));
      return unless(attemptId === current && isProven, 'it failed by an attempt that does not prove it');
    }
    const isReviewed = rows.timeline.some(({ type, at }) => type === 'payment.requires_review' && at < entry.at);
    const unasked = rows.attempts.filter(({ id, state }) => {
      const isAsked = heard.some(({ attempt, at, outcome }) => {
        const isSilent = outcome.outcome === 'unknown' && outcome.failure.class !== 'customer';
        return attempt.id === id && at >= EXPIRES_AT && at <= entry.at && !isSilent;
      });
      return state !== 'REFUSED' && !isAsked;
    });
    return [
      ...unless(entry.at >= EXPIRES_AT, 'its session was closed before its end'),
      ...unless(!isReviewed, 'its session was closed while it was under review'),
      ...unasked.map(({ position }) => `attempt ${position} was not asked about when its session was closed`),
    ];
  });
}

/** A review is open while money that does not match is held, or once no gateway has decided the payment for a week. */
function checkReview({ rows }: Life): string[] {
  const { payment, refunds, timeline } = rows;
  const isReturned = (id: string) => refunds.some(({ transactionId, state }) => transactionId === id && state === 'SUCCEEDED');
  const held = rows.mismatched().find(({ transactionId }) => !isReturned(transactionId));
  const reviews = timeline.filter(({ type }) => type === 'payment.requires_review');
  const undecided = reviews.filter((entry) => said(entry, 'transactionId') === undefined);
  const wrong = undecided.some(({ at }) => at.getTime() < EXPIRES_AT.getTime() + WEEK_MS)
    ? ['undecided for less than a week']
    : [];
  if (held !== undefined && payment.review !== 'OPEN') wrong.push(`it holds ${held.amount}, and its review is ${payment.review}`);
  const last = timeline.findLast(({ toStatus }) => toStatus !== null);
  const isDecided = last !== undefined && said(last, 'attemptId') !== undefined && reviews.every(({ at }) => at <= last.at);
  if (payment.review === 'OPEN' && isDecided && reviews.length === undecided.length)
    wrong.push('its review is open, and nothing is under it');
  return wrong;
}

function sumOf(refunds: readonly RefundRow[]): bigint {
  return refunds.reduce((sum, { amount }) => sum + amount, 0n);
}

/** No more is refunded of money than there is, and what went back of a payment is the sum of its refunds that succeeded. */
function checkRefunds({ rows }: Life): string[] {
  const { payment, refunds } = rows;
  const own = refunds.filter(({ kind }) => kind === 'own');
  const sum = sumOf(own.filter(({ state }) => state === 'SUCCEEDED'));
  const standing = sumOf(own.filter(({ state }) => state !== 'FAILED'));
  const left = subtractDecimals(String(AMOUNT), payment.reversal.amount);
  const other = own.find(({ transactionId }) => transactionId !== rows.paying()?.transactionId);
  return [
    ...unless(other === undefined, `${other?.transactionId} is refunded in place of what paid`),
    ...unless(payment.refundedAmount === sum, `${payment.refundedAmount} is on record, and ${sum} was refunded`),
    ...unless((payment.status === 'REFUNDED') === sum >= AMOUNT, `${payment.status} after ${sum}`),
    ...unless(compareDecimals(String(standing), left) <= 0, `${standing} is refunded of ${left}`),
  ];
}

/** Money that the gateway took back adds up, and comes from a dispute or from the transaction that paid. */
function checkReversal({ rows, heard, disputes }: Life): string[] {
  const { amount, cause } = rows.payment.reversal;
  const changes = rows.timeline.flatMap((entry) => {
    const change = String(said(entry, 'amount'));
    if (entry.type === 'payment.reversed') return [change];
    return entry.type === 'payment.reinstated' ? [subtractDecimals('0', change)] : [];
  });
  const own = rows.paying()?.transactionId;
  const isReversed = heard.some(
    ({ money, outcome }) => money?.transactionId === own && outcome.outcome === 'yes' && outcome.value.reversed,
  );
  const isCaused = isReversed || amount === '0';
  const sum = addDecimals(...changes);
  return [
    ...unless(sum === amount, `${amount} is on record, and ${sum} by its entries`),
    ...unless(isCaused || disputes.length > 0, `${amount} went back by nothing`),
    ...unless(isCaused || disputes.length === 0 || cause === 'chargeback', `${cause} in place of a dispute`),
  ];
}

/** Events that a merchant hears of are in the timeline, in its order, once. */
function checkAnnouncements({ rows: { timeline, announced } }: Life): string[] {
  const types = ['payment.succeeded', 'payment.failed', 'payment.requires_review', 'payment.duplicate_charge'];
  const own = (each: { readonly type: string; readonly detail?: unknown }) => types.includes(each.type);
  const entries = timeline.filter((entry) => own(entry) && said(entry, 'refundId') === undefined).map(({ eventId }) => eventId);
  const events = announced.filter(own);
  const isInOrder = events.every(({ position }, at) => position > (events[at - 1]?.position ?? 0));
  const isSame = entries.join() === events.map(({ eventId }) => eventId).join();
  return [...unless(isSame, 'its merchant did not hear of every change'), ...unless(isInOrder, 'events are out of order')];
}
