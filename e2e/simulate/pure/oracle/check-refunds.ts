import { DAY, HOUR, timeAt } from '../world/draws.ts';
import { stateOf } from '../world/gateway.ts';
import type { RefundRow } from '../world/payment-file.ts';
import type { AskedRefund, PaymentRun } from '../world/payment-world.ts';
import type { Report } from './violation.ts';

export const REFUND_MOVES: Readonly<Record<string, readonly string[]>> = {
  REQUESTED: ['PROCESSING', 'FAILED'],
  PROCESSING: ['REQUESTED', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'],
  NEEDS_ATTENTION: ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED'],
  SUCCEEDED: [],
  FAILED: [],
};

/** A refund that ended at its gateway is followed until long after that. */
const FOLLOWED_MS = 39 * DAY;
/** A refund that does not end is handed over after so long, with the longest wait between two checks. */
const HANDED_OVER_MS = 30 * DAY + 8 * HOUR;

/** The same where its status cannot be read. */
const UNREAD_MS = 3 * DAY + 8 * HOUR;

/** Checks the refunds of one payment against its gateways. */
export function checkRefunds(run: PaymentRun, report: Report): void {
  const { file, asked } = run;
  for (const request of asked) checkRequest(run, request, report);
  for (const { refundId, from, to } of file.refundMoves) {
    if (!REFUND_MOVES[from]?.includes(to)) report('move_not_published', `refund ${refundId}: ${from} became ${to}`);
  }
  for (const refund of file.refunds) checkRefund(run, refund, report);
  checkSums(run, report);
  checkReversal(run, report);
}

/** A refund is granted of paid money alone, of as much as is left after refunds that have not failed and what the gateway took back. */
function checkRequest({ script }: PaymentRun, { asked, status, taken, reversed, granted }: AskedRefund, report: Report): void {
  const isPaid = status === 'SUCCESS' || status === 'REFUNDED';
  const left = BigInt(Math.floor(Number(script.amount) - Number(reversed))) - taken;
  const expected = asked === 'full' ? left : asked;
  const may = isPaid && left > 0n && expected <= left;
  if (granted !== (may ? expected : null)) {
    report('refund_not_as_asked', `${asked} of ${left} that are left, ${status}: ${granted ?? 'nothing'} granted`);
  }
}

function checkRefund(run: PaymentRun, refund: RefundRow, report: Report): void {
  const { id, state, gatewayRefundId } = refund;
  const truth = run.gateways.refunds.get(id);
  if (truth === undefined) return;
  const [arrived, second] = truth.arrivals;
  if (second !== undefined) report('refund_paid_twice', `refund ${id} arrived ${truth.arrivals.length} times`);
  if (gatewayRefundId !== null && gatewayRefundId !== `g-${id}`) report('refund_differs', `refund ${id} is ${gatewayRefundId}`);
  const isOwn = !refund.duplicate && !refund.mismatched;
  const paid = run.file.attempts.find((each) => each.state === 'PAID' && !each.duplicate);
  if (isOwn && paid?.transactionId !== refund.transactionId)
    report('refund_not_as_asked', `refund ${id} is of ${refund.transactionId}`);
  const created = refund.createdAt.getTime() - timeAt(0).getTime();
  const types = ['refund.succeeded', 'refund.failed', 'refund.needs_attention'] as const;
  const told = types.map((type) => countOf(run, type, id));
  const ends = run.file.refundMoves.filter(
    ({ refundId, to }) => refundId === id && `refund.${to.toLowerCase()}` === 'refund.needs_attention',
  ).length;
  if (told[0] !== Number(state === 'SUCCEEDED') || told[1] !== Number(state === 'FAILED') || told[2] !== ends) {
    report('refund_differs', `refund ${id} is ${state}, and ${told.join(', ')} times told of`);
  }
  if (arrived === undefined) {
    checkNeverArrived(run, refund, created, report);
    return;
  }
  const { script } = truth;
  const ended = arrived + Math.max(script.endsAfter, script.unrecognisedFor);
  const atGateway = stateOf(script, Number.POSITIVE_INFINITY);
  const isFinal = state === 'SUCCEEDED' || state === 'FAILED';
  if (isFinal && refund.nextCheckAt !== null) report('refund_differs', `refund ${id} is ${state}, and followed`);
  const isUnread = script.unrecognisedFor > UNREAD_MS && arrived + script.unrecognisedFor < FOLLOWED_MS;
  if (isUnread && told[2] === 0) report('refund_differs', `refund ${id} had a status that no document lists for days`);
  if (state === 'SUCCEEDED' && atGateway !== 'succeeded')
    report('refund_differs', `refund ${id} succeeded, and is ${atGateway} there`);
  if (state === 'FAILED' && atGateway !== 'failed') report('refund_differs', `refund ${id} failed, and is ${atGateway} there`);
  if (ended + DAY > FOLLOWED_MS) return;
  if (atGateway === 'succeeded' && state !== 'SUCCEEDED')
    report('refund_differs', `refund ${id} is ${state}, and succeeded there`);
  if (atGateway === 'failed' && state !== 'FAILED') report('refund_differs', `refund ${id} is ${state}, and failed there`);
  const isLeft = atGateway === 'needs_attention' || (atGateway === 'processing' && created + HANDED_OVER_MS + DAY < FOLLOWED_MS);
  if (isLeft && state !== 'NEEDS_ATTENTION') report('refund_differs', `refund ${id} is ${state}, and ${atGateway} there`);
}

/** A refund that its gateway never received fails: when it was refused, or after a day of trying. */
function checkNeverArrived(run: PaymentRun, { id, state }: RefundRow, created: number, report: Report): void {
  if (state === 'SUCCEEDED') report('refund_differs', `refund ${id} succeeded, and never arrived`);
  const truth = run.gateways.refunds.get(id);
  const sent = truth?.script.sendings.slice(0, truth.sendings) ?? [];
  const failed = run.file.timeline.find(({ type, detail }) => type === 'refund.failed' && isAbout(detail, id));
  if (failed !== undefined && failed.at < created + DAY && !sent.includes('refuses')) {
    report('refund_differs', `refund ${id} failed at once, and nothing refused it`);
  }
  if (created + 2 * DAY > FOLLOWED_MS || state === 'FAILED') return;
  report('refund_differs', `refund ${id} is ${state}, and never arrived`);
}

function isAbout(detail: unknown, refundId: string): boolean {
  return typeof detail === 'object' && detail !== null && Reflect.get(detail, 'refundId') === refundId;
}

function countOf({ file }: PaymentRun, type: string, refundId: string): number {
  let count = 0;
  for (const { type: each, detail } of file.timeline) {
    if (each === type && typeof detail === 'object' && detail !== null && Reflect.get(detail, 'refundId') === refundId)
      count += 1;
  }
  return count;
}

function checkSums({ file }: PaymentRun, report: Report): void {
  const { payment, refunds } = file;
  let sum = 0n;
  for (const { state, amount, duplicate, mismatched } of refunds)
    if (state === 'SUCCEEDED' && !duplicate && !mismatched) sum += amount;
  if (payment.refundedAmount !== sum) report('sums_differ', `${payment.refundedAmount} is on record, and ${sum} was refunded`);
  if ((payment.status === 'REFUNDED') !== (sum > 0n && sum >= payment.amount))
    report('sums_differ', `${payment.status} after ${sum}`);
}

/** The changes that were told of add up to what is on record, which comes from a dispute or from the transaction. */
function checkReversal({ file, heard, disputes, script }: PaymentRun, report: Report): void {
  const { payment, timeline, attempts } = file;
  let sum = 0;
  for (const { type, detail } of timeline) {
    if (type !== 'payment.reversed' && type !== 'payment.reinstated') continue;
    const amount = Number(typeof detail === 'object' && detail !== null ? Reflect.get(detail, 'amount') : 0);
    if (!(amount > 0)) report('reversal_differs', `${type} of ${amount}`);
    sum += type === 'payment.reversed' ? amount : -amount;
  }
  const { amount, cause } = payment.reversal;
  if (Math.abs(sum - Number(amount)) > 0.001) report('reversal_differs', `${amount} is on record, and ${sum} by its entries`);
  if (Number(amount) > Number(script.amount)) report('reversal_differs', `${amount} of ${script.amount}`);
  if (Number(amount) + Number(standing(file.refunds)) > Number(script.amount)) {
    report('reversal_differs', `${amount} went back, and ${standing(file.refunds)} is refunded, of ${script.amount}`);
  }
  const own = attempts.find(({ state, duplicate }) => state === 'PAID' && !duplicate)?.transactionId;
  const isReversed = heard.some(({ money, reversed }) => reversed && money?.transactionId === own);
  const paidAt = timeline.find(({ toStatus }) => toStatus === 'SUCCESS')?.at ?? 0;
  const seen = heard.filter(({ at, money, reversed }) => reversed && at > paidAt && money?.transactionId === own);
  const isLasting = seen[0]?.money?.restoredAt === null;
  const isOldNews =
    isLasting && file.refunds.length === 0 && disputes.length === 0 && (seen.at(-1)?.at ?? 0) > (seen[0]?.at ?? 0) + HOUR;
  if (isOldNews && payment.reversal.at !== null && payment.reversal.at > timeAt(seen.at(-1)?.at ?? 0)) {
    report('reversal_differs', 'what went back is dated by when it was seen again');
  }
  const [lost] = disputes;
  if (lost === undefined && !isReversed && Number(amount) !== 0) report('reversal_differs', `${amount} went back by nothing`);
  if (lost !== undefined && !isReversed && (cause === 'chargeback') !== Number(amount) > 0)
    report('reversal_differs', `cause ${cause} of ${amount}`);
  if (lost !== undefined && Number(amount) < Math.min(Number(lost), Number(script.amount) - Number(notFailed(file.refunds)))) {
    report('reversal_differs', `${amount} is on record, and ${lost} was lost`);
  }
}

function standing(refunds: readonly RefundRow[]): bigint {
  return notFailed(refunds.filter(({ state }) => state !== 'FAILED'));
}

function notFailed(refunds: readonly RefundRow[]): bigint {
  let sum = 0n;
  for (const { amount, duplicate, mismatched } of refunds) if (!duplicate && !mismatched) sum += amount;
  return sum;
}
