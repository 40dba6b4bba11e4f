import type { PaymentStatus, RefundResult } from '@switchyard/payments/pure';
import { DAY, MINUTE, SECOND, timeAt } from './draws.ts';
import type { GatewayRefund } from './gateway.ts';
import { type RefundRow, sumRefunds } from './payment-file.ts';
import type { Actor, PaymentWorld } from './payment-world.ts';
import type { RefundScript } from './script.ts';

const CALL_ENDED_MS = 90 * SECOND;
const ARRIVAL_MS = 10 * MINUTE;
const LEASE_MS = 2 * MINUTE;
const NETWORK_MS = 60;
/** After that no refund is followed any more: what happens later is what happened before. */
const FOLLOWED_MS = 40 * DAY;

/** Begins the requests of the merchant and of staff. */
export function startRefunds(world: PaymentWorld): void {
  const { agenda, run } = world;
  for (const script of run.script.refunds) agenda.begin('a refund is asked for', script.at, requestRefund(world, script));
  const { reviewedAt } = run.script;
  if (reviewedAt !== null) agenda.begin('staff reviews', reviewedAt, reviewMoney(world));
}

/** Asks for a refund of the payment's own money. The payment is locked while it is decided. */
// biome-ignore lint/correctness/useYield: an actor of one step
function* requestRefund(world: PaymentWorld, script: RefundScript): Actor {
  const { product, run, agenda } = world;
  const { file, asked } = run;
  const { payment } = file;
  const money = product.moneyThatPaid(file.attempts);
  const taken = money === null ? 0n : sumRefunds(file.refunds, money.transactionId);
  const decided = product.decideRefund(payment, taken, script.amount);
  const granted = decided.kind === 'refund' ? decided.amount : null;
  const { status, reversal } = payment;
  asked.push({ at: agenda.now, asked: script.amount, status, taken, reversed: reversal.amount, granted });
  if (granted !== null && money !== null)
    record(world, { ...money, amount: granted, duplicate: false, mismatched: false }, script);
}

/** Refunds a second charge by itself. */
export function* refundSecondCharge(world: PaymentWorld, transactionId: string): Actor {
  const { product, run } = world;
  const { file, script } = run;
  const charge = file.duplicates.find((each) => each.transactionId === transactionId);
  if (charge === undefined || charge.state !== 'OPEN') return;
  const { whole, remainder } = product.wholeUnits(charge.amount);
  const amount = product.refundableOf(whole, sumRefunds(file.refunds, transactionId));
  if (remainder !== '0') return;
  if (amount === 0n) return file.changeDuplicate(transactionId, { state: 'REFUNDED' });
  const refund = { attemptId: charge.attemptId, transactionId, amount, duplicate: true, mismatched: false };
  const refundId = record(world, refund, script.otherRefund);
  file.changeDuplicate(transactionId, { state: 'REFUNDING', refundId });
}

/** Staff refunds what does not match the order. */
// biome-ignore lint/correctness/useYield: an actor of one step
function* reviewMoney(world: PaymentWorld): Actor {
  const { product, run } = world;
  const { file, script } = run;
  const { status, review } = file.payment;
  if (review !== 'OPEN' || status === 'SUCCESS' || status === 'REFUNDED') return;
  for (const { id: attemptId, state, transactionId, receivedAmount } of file.attempts) {
    if (state === 'PAID' || transactionId === null || receivedAmount === null) continue;
    const amount = product.refundableOf(product.wholeUnits(receivedAmount).whole, sumRefunds(file.refunds, transactionId));
    if (amount > 0n) record(world, { attemptId, transactionId, amount, duplicate: false, mismatched: true }, script.otherRefund);
  }
}

type NewRefund = Pick<RefundRow, 'attemptId' | 'transactionId' | 'amount' | 'duplicate' | 'mismatched'>;

/** Records a refund that two processes may send: the one that recorded it, and the one that finds it due. */
function record(world: PaymentWorld, money: NewRefund, script: RefundScript): string {
  const { run, newId, agenda } = world;
  const { file } = run;
  const id = newId();
  const now = timeAt(agenda.now);
  const { attemptId, transactionId, amount, duplicate, mismatched } = money;
  const row: RefundRow = {
    id,
    attemptId,
    transactionId,
    amount,
    duplicate,
    mismatched,
    state: 'REQUESTED',
    gatewayRefundId: null,
    createdAt: now,
    sentAt: null,
    sendCount: 0,
    heldAt: null,
    failureMessage: null,
    nextCheckAt: new Date(now.getTime() + 5 * SECOND),
    version: 1,
  };
  file.refunds = [...file.refunds, row];
  // As a request of the merchant's changes the version of the payment.
  file.payment = { ...file.payment, version: file.payment.version + 1 };
  run.gateways.refundOf(id, script);
  agenda.begin('the refund is sent', SECOND, sendRefund(world, id));
  const follow = (): Actor => followRefund(world, id);
  agenda.begin('the refund is due', 5 * SECOND, follow(), follow);
  return id;
}

function rowOf({ run }: PaymentWorld, id: string): RefundRow {
  const row = run.file.refunds.find((each) => each.id === id);
  if (row === undefined) throw new Error(`refund ${id} is gone`);
  return row;
}

function atGateway({ run }: PaymentWorld, id: string): GatewayRefund {
  const refund = run.gateways.refunds.get(id);
  if (refund === undefined) throw new Error(`no gateway has refund ${id}`);
  return refund;
}

/** Sends a refund that is still to be sent. */
function* sendRefund(world: PaymentWorld, id: string): Actor {
  const { product, run, agenda } = world;
  const read = rowOf(world, id);
  if (read.state !== 'REQUESTED') return;
  yield 3;
  const now = timeAt(agenda.now);
  // `UPDATE … WHERE state = 'REQUESTED'`: one process sends it.
  const present = rowOf(world, id);
  if (present.state !== 'REQUESTED') return;
  const sent = { state: 'PROCESSING', sentAt: now, sendCount: present.sendCount + 1, failureMessage: null } as const;
  run.file.changeRefund(present, { ...sent, nextCheckAt: new Date(now.getTime() + CALL_ENDED_MS) });
  const startedAt = agenda.now;
  yield NETWORK_MS;
  if (agenda.now - startedAt > CALL_ENDED_MS) return;
  const refund = atGateway(world, id);
  const outcome = run.gateways.send(refund, agenda.now);
  yield NETWORK_MS + (read.sendCount === 0 ? refund.script.answersAfter : 0);
  const sending = read.sendCount + 1;
  const result = product.resultFromSending(outcome, sending);
  const isRefused = result.kind === 'reported' && result.state === 'FAILED';
  const listed = sending > 1 && isRefused ? run.gateways.find(refund, agenda.now) : null;
  yield* settle(world, id, listed === null ? result : product.resultFromReceipt(listed));
}

/** Follows a refund until it has ended: sends it, or asks its gateway for it. */
function* followRefund(world: PaymentWorld, id: string): Actor {
  const { run, agenda } = world;
  while (agenda.now < FOLLOWED_MS) {
    const row = rowOf(world, id);
    if (row.nextCheckAt === null) return;
    const wait = row.nextCheckAt.getTime() - timeAt(agenda.now).getTime();
    if (wait > 0) {
      yield wait;
      continue;
    }
    run.file.refunds = run.file.refunds.map((each) =>
      each.id === id ? { ...each, nextCheckAt: new Date(timeAt(agenda.now).getTime() + LEASE_MS) } : each,
    );
    if (row.state === 'REQUESTED') {
      yield* sendRefund(world, id);
      continue;
    }
    const refund = atGateway(world, id);
    const mayArrive = (row.sentAt ?? row.createdAt).getTime() + ARRIVAL_MS > timeAt(agenda.now).getTime();
    if (world.draws.chance(0.2)) yield NETWORK_MS;
    const found = run.gateways.find(refund, agenda.now);
    yield NETWORK_MS;
    yield* settle(world, id, resultOf(world, row, found, mayArrive));
  }
}

function resultOf(
  { product }: PaymentWorld,
  { gatewayRefundId, sendCount }: RefundRow,
  found: ReturnType<PaymentWorld['run']['gateways']['find']>,
  mayArrive: boolean,
): RefundResult {
  if (found !== null) return product.resultFromReceipt(found);
  const message = 'The gateway lists no such refund.';
  if (mayArrive || gatewayRefundId !== null) return { kind: 'unanswered', message };
  return { kind: 'not_received', sending: sendCount, message };
}

/** Applies a result to a refund and to its payment in one transaction, which has locked the payment. */
function* settle(world: PaymentWorld, id: string, result: RefundResult): Actor {
  const { product, run, agenda, draws, newId } = world;
  const { file } = run;
  if (draws.chance(0.1)) yield draws.spread(1, 500);
  const refund = rowOf(world, id);
  const now = timeAt(agenda.now);
  const change = product.applyRefundResult(refund, result, { now, random: draws.next() });
  if (change === null) return;
  const after = file.changeRefund(refund, change);
  if (after === null || after.state === refund.state) return;
  const { payment } = file;
  const event = (type: string, toStatus: PaymentStatus | null = null) => ({
    eventId: newId(),
    type,
    fromStatus: toStatus === null ? null : payment.status,
    toStatus,
    cause: 'schedule',
    actor: null,
    detail: { refundId: id },
  });
  const { merchantId, paymentId, version } = payment;
  if (after.state === 'SUCCEEDED') {
    if (after.duplicate) file.changeDuplicate(after.transactionId, { state: 'REFUNDED' });
    const returned = product.changeOfReturnedMoney(payment, after, after.mismatched && holdsMore(world), event);
    file.change({ merchantId, paymentId, version, ...returned.change, events: returned.events }, now, agenda.now);
  }
  if (after.state === 'FAILED' || after.state === 'NEEDS_ATTENTION') {
    if (after.duplicate && after.state === 'FAILED') file.changeDuplicate(after.transactionId, { state: 'OPEN' });
    const type = after.state === 'FAILED' ? 'refund.failed' : 'refund.needs_attention';
    file.change({ merchantId, paymentId, version, events: [event(type)] }, now, agenda.now);
  }
}

/** True if any attempt holds money that does not match the order, or a refund of it that may fail. */
function holdsMore({ product, run }: PaymentWorld): boolean {
  const { attempts, refunds } = run.file;
  return attempts.some(({ state, transactionId, receivedAmount }) => {
    if (state === 'PAID' || transactionId === null || receivedAmount === null) return false;
    const isUnderWay = refunds.some(
      (each) => each.transactionId === transactionId && each.state !== 'FAILED' && each.state !== 'SUCCEEDED',
    );
    return isUnderWay || product.refundableOf(product.wholeUnits(receivedAmount).whole, sumRefunds(refunds, transactionId)) > 0n;
  });
}
