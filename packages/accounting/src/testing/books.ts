import type { DisputeState, RefundState, SettlementLineKind } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import { recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { dateOf } from '@switchyard/runtime/calendar-days';
import { createTestMerchant } from '@switchyard/runtime/testing';

/** A merchant with accounts at Paystack and Flutterwave, and what a suite records of them. */
export interface TestBooks {
  readonly merchantId: string;
  readonly mode: 'test';
  readonly paystack: string;
  readonly flutterwave: string;
}

/** A merchant without any money. */
export async function createBooks(context: TestPayments): Promise<TestBooks> {
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  return { merchantId, mode: 'test', paystack: accounts['paystack-main'] ?? '', flutterwave: accounts['flutterwave-main'] ?? '' };
}

/** Records a payment of NGN 2,500, paid at a moment at Paystack. Returns its id. */
export async function recordPaid(
  context: TestPayments,
  { merchantId }: TestBooks,
  at: string,
  {
    fee = '37.5',
    received = '2500',
    currency = 'NGN',
    duplicate = false,
  }: { fee?: string | null; received?: string; currency?: string; duplicate?: boolean } = {},
): Promise<string> {
  const { prisma } = context.database;
  const paidAt = new Date(at);
  const { paymentId } = await recordPayment(context, merchantId, { createdAt: paidAt, status: 'SUCCESS' });
  await prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { paidAt, feeAmount: fee } });
  await prisma.attempt.updateMany({
    where: { merchantId, paymentId },
    data: { state: 'PAID', receivedAmount: received, receivedCurrency: currency, duplicate },
  });
  return paymentId;
}

/** Records a refund of a payment. Returns its id. */
export async function recordRefund(
  context: TestPayments,
  { merchantId, paystack }: TestBooks,
  paymentId: string,
  { amount, at, state = 'SUCCEEDED' }: { amount: bigint; at: string; state?: RefundState },
): Promise<string> {
  const id = context.newId();
  const times = { createdAt: new Date(at), updatedAt: new Date(at) };
  const names = { gateway: 'paystack', transactionId: 't', reference: `rf-${id}`, requestedBy: 'api', attemptId: id };
  const data = { merchantId, accountId: paystack, id, mode: 'test' as const, paymentId, amount, currency: 'NGN', state };
  await context.database.prisma.refund.create({ data: { ...data, ...times, ...names } });
  return id;
}

const LOST: readonly DisputeState[] = ['LOST', 'ACCEPTED', 'EXPIRED'];

/** Records a dispute of NGN 1,000 with a charge of the gateway's, and what it took back of its payment. Returns its id. */
export async function recordDispute(
  context: TestPayments,
  { merchantId, paystack }: TestBooks,
  paymentId: string,
  {
    at,
    state,
    fee = null,
    takenBack = LOST.includes(state) ? '1000' : '0',
  }: { at: string; state: DisputeState; fee?: string | null; takenBack?: string },
): Promise<string> {
  const id = context.newId();
  const moment = new Date(at);
  const times = { openedAt: moment, closedAt: moment, createdAt: moment, updatedAt: moment };
  const money = { amount: '1000', takenBack, currency: 'NGN', fee, gatewayDisputeId: `d-${id}` };
  const { prisma } = context.database;
  const { id: attemptId } = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const names = { attemptId, gateway: 'paystack', state };
  const data = { merchantId, accountId: paystack, id, mode: 'test' as const, paymentId };
  await prisma.dispute.create({ data: { ...data, ...times, ...money, ...names } });
  const { _sum } = await prisma.dispute.aggregate({ where: { merchantId, paymentId }, _sum: { takenBack: true } });
  const reversed = { reversedAmount: _sum.takenBack?.toFixed() ?? '0', reversalCause: 'chargeback', reversedAt: moment };
  if (LOST.includes(state)) await prisma.payment.updateMany({ where: { merchantId, id: paymentId }, data: reversed });
  return id;
}

/** A line of a payout; linked where it names a payment. */
export interface TestLine {
  readonly kind: SettlementLineKind;
  readonly amount: string;
  readonly paymentId?: string;
  /** A dispute of that payment, which it is linked with in its place. */
  readonly disputeId?: string;
  readonly description?: string;
}

/** Records a payout of a day with these lines, which add up to its net amount. Returns its id. */
export async function recordPayout(
  context: TestPayments,
  { merchantId, paystack }: TestBooks,
  settledOn: string,
  lines: readonly TestLine[],
): Promise<string> {
  const { prisma } = context.database;
  const id = context.newId();
  const at = dateOf(settledOn);
  const net = addDecimals(...lines.map(({ amount }) => amount));
  const money = { currency: 'NGN', gross: net, fees: '0', deductions: '0', net };
  const names = { gateway: 'paystack', reference: `s-${id}`, road: 'POLLED' as const, status: 'PAID' as const };
  const times = { settledOn: at, linesReadAt: at, createdAt: at, updatedAt: at };
  const key = { merchantId, accountId: paystack };
  await prisma.settlement.create({ data: { ...key, ...money, ...names, ...times, id, mode: 'test', lineCount: lines.length } });
  await prisma.settlementLine.createMany({
    data: lines.map(({ kind, amount, paymentId = null, disputeId = null, description = null }, position) => ({
      ...key,
      id: context.newId(),
      settlementId: id,
      position,
      kind,
      amount,
      currency: 'NGN',
      description,
      paymentId,
      disputeId,
      subjects: paymentId === null ? [] : [disputeId === null ? `payment/${paymentId}` : `dispute/${disputeId}`],
      linkedBy: paymentId === null ? null : ('REFERENCE' as const),
      createdAt: at,
    })),
  });
  return id;
}

/** Records a credit at the bank that pays these payouts. Returns its id. */
export async function recordCredit(
  context: TestPayments,
  { merchantId }: TestBooks,
  bookedOn: string,
  amount: string,
  settlementIds: readonly string[],
): Promise<string> {
  const { prisma } = context.database;
  const id = context.newId();
  const at = dateOf(bookedOn);
  const facts = { bookedOn: at, amount, currency: 'NGN', text: 'PAYSTACK', dedupeKey: id, createdAt: at, bankAccount: 'GTB' };
  await prisma.bankLine.create({ data: { merchantId, id, mode: 'test', statementId: id, ...facts } });
  await prisma.bankMatch.createMany({
    data: settlementIds.map((settlementId) => ({
      merchantId,
      bankLineId: id,
      settlementId,
      matchedBy: 'reference',
      createdAt: at,
    })),
  });
  return id;
}
