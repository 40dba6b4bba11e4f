import type { DisputeState, RefundState } from '@switchyard/db/client';
import type { ListedSettlement, ListedSettlementLine, Outcome } from '@switchyard/gateways';
import { recordPayment, type TestPayments, withGateways } from '@switchyard/payments/testing';
import type { FeeSchedule } from '@switchyard/routing';
import { dateOf } from '@switchyard/runtime/calendar-days';
import { createTestMerchant } from '@switchyard/runtime/testing';

/** A merchant with an account, at Paystack and without a contract unless others are given. */
export async function createSettledMerchant(
  context: TestPayments,
  fees: FeeSchedule | null = null,
  account = 'paystack-main',
): Promise<{ readonly merchantId: string; readonly accountId: string }> {
  const { merchantId, accounts } = await createTestMerchant(context, { [account]: { fees } });
  return { merchantId, accountId: accounts[account] ?? '' };
}

/** A payment of NGN 2,500 that the gateway received. */
export interface PaidPayment {
  readonly paymentId: string;
  readonly attemptId: string;
  readonly reference: string;
  readonly transactionId: string;
}

/** Records a paid payment. */
export async function recordPaid(
  context: TestPayments,
  merchantId: string,
  { paidAt, fee = '37.5' }: { readonly paidAt: Date; readonly fee?: string | null },
): Promise<PaidPayment> {
  const { prisma } = context.database;
  const { paymentId } = await recordPayment(context, merchantId, { createdAt: paidAt, status: 'SUCCESS' });
  const attempt = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const transactionId = `t-${attempt.reference}`;
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: { paidAt, feeAmount: fee },
  });
  await prisma.attempt.update({
    where: { merchantId_id: { merchantId, id: attempt.id } },
    data: { state: 'PAID', receivedAmount: '2500', receivedCurrency: 'NGN', transactionId },
  });
  const detail = { transactionId };
  await prisma.timelineEvent.create({
    data: { merchantId, id: context.newId(), paymentId, type: 'payment.succeeded', cause: 'api', detail, createdAt: paidAt },
  });
  return { paymentId, attemptId: attempt.id, reference: attempt.reference, transactionId };
}

/** Records a refund of a payment. Returns its id. */
export async function recordRefund(
  context: TestPayments,
  key: { readonly merchantId: string; readonly accountId: string },
  { paymentId, attemptId, transactionId }: PaidPayment,
  { amount, at, state = 'SUCCEEDED' }: { readonly amount: bigint; readonly at: Date; readonly state?: RefundState },
): Promise<string> {
  const id = context.newId();
  await context.database.prisma.refund.create({
    data: {
      ...key,
      id,
      mode: 'test',
      paymentId,
      attemptId,
      gateway: 'paystack',
      transactionId,
      amount,
      currency: 'NGN',
      state,
      reference: `rf-${id}`,
      requestedBy: 'api',
      createdAt: at,
      updatedAt: at,
    },
  });
  return id;
}

const LOST: readonly DisputeState[] = ['LOST', 'ACCEPTED', 'EXPIRED'];

/** Records a dispute of a whole payment, which takes it back where it is lost. Returns its id. */
export async function recordDispute(
  context: TestPayments,
  key: { readonly merchantId: string; readonly accountId: string },
  { paymentId, attemptId }: PaidPayment,
  {
    at,
    state,
    takenBack = LOST.includes(state) ? '2500' : '0',
  }: { readonly at: Date; readonly state: DisputeState; readonly takenBack?: string },
): Promise<string> {
  const id = context.newId();
  const times = { openedAt: at, closedAt: at, createdAt: at, updatedAt: at };
  const money = { amount: '2500', takenBack, currency: 'NGN', gatewayDisputeId: `d-${id}` };
  const data = { ...key, ...times, ...money, id, mode: 'test' as const, paymentId, attemptId, gateway: 'paystack', state };
  await context.database.prisma.dispute.create({ data });
  return id;
}

/** A settlement with its lines, as a gateway lists it. */
export interface GatewaySettlement {
  readonly head: ListedSettlement;
  readonly lines: readonly ListedSettlementLine[];
}

/** A payout on a day of these lines, which add up to its net amount unless that is given. */
export function settlementOf(
  settlementId: string,
  settledOn: string,
  lines: readonly ListedSettlementLine[],
  changes: Partial<ListedSettlement> = {},
): GatewaySettlement {
  const net = String(lines.reduce((sum, { amount }) => sum + Number(amount), 0));
  const createdAt = new Date(dateOf(settledOn).getTime() + 3_600_000);
  const head = {
    settlementId,
    status: 'paid' as const,
    currency: 'NGN',
    gross: net,
    fees: '0',
    deductions: '0',
    net,
    settledOn,
    createdAt,
  };
  return { head: { ...head, ...changes }, lines };
}

/** The amount and the fee of a payment as lines. */
export function linesOf({ reference, transactionId }: PaidPayment, occurredAt: Date, fee = '-37.5'): ListedSettlementLine[] {
  const about = { reference, transactionId, description: null, occurredAt };
  return [
    { key: `payment/${transactionId}`, kind: 'payment', amount: '2500', ...about },
    { key: `fee/${transactionId}`, kind: 'fee', amount: fee, ...about },
  ];
}

/** The context with a gateway that lists these settlements, two to a page, until a page is `down`. */
export function listing(
  context: TestPayments,
  listed: readonly GatewaySettlement[],
  down: { lines?: string; heads?: boolean } = {},
) {
  const call = { method: 'GET', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null };
  const failure = { class: 'provider_fault', code: 'http_5xx', message: 'Paystack answered HTTP 503.' } as const;
  const calls: string[] = [];
  const page = <Row>(
    rows: readonly Row[],
    cursor: string | null,
  ): Outcome<{ rows: readonly Row[]; nextCursor: string | null }> => {
    const from = Number(cursor ?? 0);
    return {
      outcome: 'yes',
      value: { rows: rows.slice(from, from + 2), nextCursor: from + 2 < rows.length ? String(from + 2) : null },
      call,
    };
  };
  const listingContext = withGateways(context, () => ({
    async listSettlements(_access, { from, to, cursor }) {
      calls.push('heads');
      if (down.heads === true) return { outcome: 'unknown', failure, call };
      const rows = listed.map(({ head }) => head).filter(({ createdAt }) => createdAt >= from && createdAt < to);
      return page(rows, cursor);
    },
    async listSettlementLines(_access, { settlement: { settlementId }, cursor }) {
      calls.push(settlementId);
      if (down.lines === settlementId && cursor !== null) return { outcome: 'unknown', failure, call };
      return page(listed.find(({ head }) => head.settlementId === settlementId)?.lines ?? [], cursor);
    },
  }));
  return { context: listingContext, calls, down };
}
