import { DAY, HOUR } from '../world/draws.ts';
import type { TimelineRow } from '../world/payment-file.ts';
import type { HeardAnswer, PaymentRun } from '../world/payment-world.ts';
import type { Money } from '../world/script.ts';
import type { Report } from './violation.ts';

/** Moves as they are published with the REST API. */
export const MOVES: Readonly<Record<string, readonly string[]>> = {
  INITIATED: ['PENDING', 'FAILED'],
  PENDING: ['SUCCESS', 'FAILED'],
  FAILED: ['SUCCESS'],
  SUCCESS: ['REFUNDED'],
  REFUNDED: [],
};

/** Money is awaited for so long after the end of a session, and checks are no further apart than this. */
const WATCHED_MS = 72 * HOUR;
const CHECK_GAP_MS = 14 * HOUR;
const UNDECIDED_MS = 7 * DAY;

/** Checks the rows of one payment against its script and the answers that were heard. */
export function checkPayment(run: PaymentRun, refundsDuplicates: boolean, report: Report): void {
  for (const { kind, what } of run.wrong.slice(0, 1)) report(kind, what);
  checkMoves(run, report);
  checkPaid(run, report);
  checkSurplus(run, refundsDuplicates, report);
  checkAttempts(run, report);
  checkFailures(run, report);
  checkReview(run, report);
  checkWatched(run, report);
}

/** Checks the product's table of moves against the published one. */
export function checkTable(
  moves: Readonly<Record<string, readonly string[]>>,
  may: (from: never, to: never) => boolean,
  report: Report,
): void {
  for (const from of Object.keys(moves)) {
    for (const to of Object.keys(moves)) {
      if (may(from as never, to as never) !== moves[from]?.includes(to)) report('move_not_published', `${from} to ${to}`);
    }
  }
}

function checkMoves({ file }: PaymentRun, report: Report): void {
  let status = 'INITIATED';
  for (const { fromStatus, toStatus } of file.timeline) {
    if (toStatus === null) continue;
    if (fromStatus !== status || !MOVES[status]?.includes(toStatus)) report('move_not_published', `${status} became ${toStatus}`);
    status = toStatus;
  }
  if (status !== file.payment.status) report('move_not_published', `${file.payment.status} without an entry, after ${status}`);
}

/** True if money proves a payment at the moment at which a gateway told of it. */
function proves({ script }: PaymentRun, { money, reversed }: HeardAnswer): boolean {
  if (money === null || reversed || money.doubt) return false;
  return money.amount === String(script.amount) && money.currency === script.currency;
}

function isPaid({ file }: PaymentRun): boolean {
  return file.payment.status === 'SUCCESS' || file.payment.status === 'REFUNDED';
}

function checkPaid(run: PaymentRun, report: Report): void {
  const { file, heard } = run;
  const { payment, attempts, timeline } = file;
  const onReview = file.refunds.filter(({ mismatched }) => mismatched);
  // Money that was refunded while it was under review pays nothing any more.
  const proof = heard.find(
    (each) => proves(run, each) && !onReview.some(({ transactionId }) => transactionId === each.money?.transactionId),
  );
  if (!isPaid(run)) {
    if (proof !== undefined)
      report('money_not_recorded', `${proof.money?.transactionId} was heard of, and it is ${payment.status}`);
    return;
  }
  const paying = attempts.filter(({ state, duplicate }) => state === 'PAID' && !duplicate);
  const [attempt] = paying;
  if (onReview.some(({ state, transactionId }) => state !== 'FAILED' && transactionId === attempt?.transactionId))
    report('paid_without_money', `${attempt?.transactionId} was refunded on review`);
  if (attempt === undefined || paying.length > 1) {
    report('paid_without_money', `${paying.length} attempts paid it`);
    return;
  }
  const own = heard.find(
    (each) => each.attemptId === attempt.id && each.money?.transactionId === attempt.transactionId && proves(run, each),
  );
  if (own === undefined) report('paid_without_money', `nothing that was heard of proves ${attempt.transactionId}`);
  if (payment.gatewayReference !== attempt.reference) report('wrong_names', `it names ${payment.gatewayReference}`);
  if ((payment.paidAttemptId ?? payment.currentAttemptId) !== attempt.id) report('wrong_names', 'it names another attempt');
  if (payment.receivedAmount !== String(payment.amount)) report('wrong_names', `it received ${payment.receivedAmount}`);
  const wasFailed = timeline.some(({ fromStatus, toStatus }) => fromStatus === 'FAILED' && toStatus === 'SUCCESS');
  if (payment.late !== wasFailed) report('wrong_names', payment.late ? 'it is late' : 'it is not late');
  if (payment.failureReason !== null) report('wrong_names', `it is paid and failed by ${payment.failureReason}`);
}

/** A detail of an entry of the timeline, by its name. */
function said({ detail }: TimelineRow, name: string): unknown {
  return typeof detail === 'object' && detail !== null && name in detail ? Reflect.get(detail, name) : undefined;
}

function checkSurplus(run: PaymentRun, refundsDuplicates: boolean, report: Report): void {
  const { file, heard } = run;
  const { duplicates, attempts, timeline } = file;
  const reviews = timeline.filter(({ type }) => type === 'payment.requires_review');
  const paidBy = attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate)?.transactionId;
  const paidAt = timeline.find(({ toStatus }) => toStatus === 'SUCCESS')?.at ?? Number.POSITIVE_INFINITY;
  const seen = new Set<Money>();
  for (const { money, reversed, attemptId, at } of heard) {
    if (money === null || seen.has(money) || money.transactionId === paidBy) continue;
    if (duplicates.some((each) => each.transactionId === money.transactionId)) continue;
    // Returned before it was seen beside what paid: the customer is no longer charged.
    if (reversed && at + HOUR > paidAt) continue;
    seen.add(money);
    const isReviewed = reviews.some((entry) => said(entry, 'transactionId') === money.transactionId);
    // An attempt holds one amount: a second transaction of the same is not told from the first.
    const isKnown = reviews.some(
      (entry) =>
        said(entry, 'attemptId') === attemptId &&
        said(entry, 'amount') === money.amount &&
        said(entry, 'currency') === money.currency,
    );
    if (!isReviewed && !isKnown) report('surplus_not_recorded', `${money.transactionId} of ${money.amount} ${money.currency}`);
  }
  for (const each of duplicates) {
    const { transactionId, amount, currency, refund } = each;
    const answer = heard.find(({ money, reversed }) => money?.transactionId === transactionId && !reversed);
    const money = answer?.money;
    if (
      money === undefined ||
      money === null ||
      transactionId === paidBy ||
      money.amount !== amount ||
      money.currency !== currency
    ) {
      report('surplus_made_up', `${transactionId} of ${amount} ${currency}`);
    } else if (refund !== (refundsDuplicates && !money.doubt)) {
      report('surplus_made_up', `${transactionId} is ${refund ? '' : 'not '}refunded by itself`);
    }
    if ((each.state === 'REFUNDING') !== file.refunds.some((row) => row.id === each.refundId && isUnderWay(row.state))) {
      report('surplus_made_up', `${transactionId} is ${each.state}`);
    }
    if (
      timeline.filter((entry) => entry.type === 'payment.duplicate_charge' && said(entry, 'transactionId') === transactionId)
        .length !== 1
    ) {
      report('surplus_not_recorded', `${transactionId} is not in the timeline once`);
    }
  }
  for (const [at, entry] of reviews.entries()) {
    const before = reviews[at - 1];
    if (before === undefined || said(entry, 'transactionId') === undefined) continue;
    const isSame = (['attemptId', 'transactionId', 'amount', 'currency'] as const).every(
      (name) => said(entry, name) === said(before, name),
    );
    if (isSame) report('surplus_not_recorded', `${String(said(entry, 'transactionId'))} is brought to review again`);
  }
}

function isUnderWay(state: string): boolean {
  return state !== 'SUCCEEDED' && state !== 'FAILED';
}

function checkAttempts(run: PaymentRun, report: Report): void {
  const { file, heard, gateways, script } = run;
  for (const { id, position, state } of file.attempts) {
    const own = heard.filter(({ attemptId }) => attemptId === id);
    if (state === 'REFUSED' && gateways.open.has(position)) report('opening_denied', `attempt ${position} is open and refused`);
    const isDeclined = own.some(
      ({ answer, at, stateBefore }) => answer === 'declined' && (at >= script.sessionMs || stateBefore === 'UNKNOWN'),
    );
    const isDenied = own.some(({ answer, stateBefore }) => answer === 'not_found' && stateBefore === 'UNKNOWN');
    if (state === 'UNPAID' && !isDeclined && !isDenied) report('unpaid_unproven', `attempt ${position}`);
    const closes = (isDeclined || isDenied) && (state === 'OPENED' || state === 'UNKNOWN');
    if (closes) report('answer_forgotten', `attempt ${position} is ${state}`);
    const times = file.timeline.filter((entry) => entry.type === 'attempt.unpaid' && said(entry, 'attemptId') === id).length;
    if (times > 1) report('answer_forgotten', `attempt ${position} became unpaid ${times} times`);
  }
}

/** A payment fails when its gateways refused it, when they say that it was declined, or when its session ended and all say that nothing was paid. */
function checkFailures({ file, heard, script }: PaymentRun, report: Report): void {
  const current = file.payment.currentAttemptId;
  for (const entry of file.timeline) {
    if (entry.toStatus !== 'FAILED' || entry.fromStatus !== 'PENDING') continue;
    const attemptId = said(entry, 'attemptId');
    const isReturned = said(entry, 'refundId') !== undefined;
    if (isReturned) continue;
    if (attemptId !== undefined) {
      const isProven =
        attemptId === current &&
        heard.some((each) => each.attemptId === current && (each.answer === 'declined' || each.answer === 'not_found'));
      if (!isProven) report('unpaid_unproven', 'it failed by an attempt that is not its own');
      continue;
    }
    if (entry.at < script.sessionMs) report('unpaid_unproven', 'its session was closed before its end');
    const isReviewed = file.timeline.some(({ type, at }) => type === 'payment.requires_review' && at < entry.at);
    if (isReviewed) report('review_differs', 'its session was closed while it was under review');
    for (const { id, position, state } of file.attempts) {
      const isAsked = heard.some(
        ({ attemptId: asked, at, answer }) => asked === id && at >= script.sessionMs && at <= entry.at && answer !== 'none',
      );
      if (state !== 'REFUSED' && state !== 'STARTED' && !isAsked)
        report('unpaid_unproven', `attempt ${position} was not asked about when its session was closed`);
    }
  }
}

function checkReview({ file, script, heard }: PaymentRun, report: Report): void {
  const { payment, attempts, refunds, timeline } = file;
  const held = attempts.filter(({ state, receivedAmount, transactionId }) => {
    const isReturned = refunds.some((each) => each.transactionId === transactionId && each.state === 'SUCCEEDED');
    return state !== 'PAID' && receivedAmount !== null && !isReturned;
  });
  if (held.length > 0 && payment.review !== 'OPEN')
    report('review_differs', `it holds ${held[0]?.receivedAmount}, and its review is ${payment.review}`);
  const undecided = timeline.find(
    (entry) => entry.type === 'payment.requires_review' && said(entry, 'transactionId') === undefined,
  );
  if (undecided !== undefined && undecided.at < script.sessionMs + UNDECIDED_MS)
    report('review_differs', 'it is undecided for less than a week');
  // Money that was under review and is a second charge since leaves the review to staff.
  const hadMoney = timeline.some((entry) => entry.type === 'payment.requires_review' && entry !== undecided);
  const isDecided = payment.status !== 'PENDING' && payment.status !== 'INITIATED';
  if (payment.review === 'OPEN' && isDecided && !hadMoney && wasDecidedByGateway(timeline, heard)) {
    report('review_differs', 'its review is open, and nothing is under it');
  }
}

/** True if the last change of status came with the answer of a gateway, after which no review is left open for nothing. */
function wasDecidedByGateway(timeline: readonly TimelineRow[], heard: readonly HeardAnswer[]): boolean {
  const last = timeline.findLast(({ toStatus }) => toStatus !== null);
  const review = timeline.findLast(({ type }) => type === 'payment.requires_review');
  if (last === undefined || review === undefined || last.at < review.at || said(last, 'attemptId') === undefined) return false;
  return heard.some(({ attemptId }) => attemptId === said(last, 'attemptId'));
}

/** Money that arrived while it is awaited is looked up, by whatever way it is heard of. */
function checkWatched(run: PaymentRun, report: Report): void {
  const { file, gateways, heard, script } = run;
  const end = script.sessionMs + WATCHED_MS;
  for (const { id, position, state } of file.attempts) {
    if (state === 'REFUSED' || state === 'STARTED' || !gateways.open.has(position)) continue;
    const { money, silence } = gateways.checkoutAt(position);
    const [first] = money;
    if (first === undefined || first.at > end - CHECK_GAP_MS || silence !== null) continue;
    const isStill = script.checkouts.every((each) => each.silence === null) && script.crashes < 0.01 && script.stallMs < HOUR / 2;
    if (isStill && !heard.some((each) => each.attemptId === id && each.money !== null)) {
      report('money_not_recorded', `${first.transactionId} arrived at ${first.at} ms, and it was not asked about`);
    }
  }
}
