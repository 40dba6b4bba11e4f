import { randomUUID } from 'node:crypto';
import type { Harness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';

const DAY_MS = 86_400_000;

/** Five settlements of a merchant, the newest first, each with three lines. Returns their ids. */
export async function recordSettlements(harness: Harness, { merchantId }: TestMerchant): Promise<string[]> {
  const { prisma } = harness.database;
  const { id: accountId, gateway } = await prisma.gatewayAccount.findFirstOrThrow({ where: { merchantId, mode: 'test' } });
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const [at, id] of ids.entries()) {
    const settledOn = new Date(Date.UTC(2026, 10, 20) - at * DAY_MS);
    const times = { settledOn, createdAt: settledOn, updatedAt: settledOn };
    const money = { currency: 'NGN', gross: '2500', fees: '37.5', deductions: '0', net: '2462.5', explained: '2537.5' };
    const key = { merchantId, id, mode: 'test', accountId, gateway, reference: `payout-${at}` } as const;
    await prisma.settlement.create({ data: { ...key, road: 'POLLED', status: 'PAID', ...money, ...times, lineCount: 3 } });
    const line = { merchantId, settlementId: id, accountId, currency: 'NGN', reference: `sy-${at}`, createdAt: settledOn };
    await prisma.settlementLine.createMany({
      data: [
        { ...line, id: randomUUID(), position: 0, kind: 'PAYMENT', amount: '2500', linkedBy: 'REFERENCE' },
        { ...line, id: randomUUID(), position: 1, kind: 'FEE', amount: '-37.5', linkedBy: 'REFERENCE' },
        { ...line, id: randomUUID(), position: 2, kind: 'OTHER', amount: '-0.01', reference: null },
      ],
    });
  }
  return ids;
}

/** Five disputes of a payment, the newest first, the first of them won. Returns their ids. */
export async function recordDisputes(harness: Harness, { merchantId }: TestMerchant, paymentId: string): Promise<string[]> {
  const { prisma } = harness.database;
  const { id: accountId, gateway } = await prisma.gatewayAccount.findFirstOrThrow({ where: { merchantId, mode: 'test' } });
  const ids = Array.from({ length: 5 }, () => randomUUID());
  for (const [at, id] of ids.entries()) {
    const openedAt = new Date(Date.UTC(2026, 10, 20) - at * DAY_MS);
    const times = { openedAt, createdAt: openedAt, updatedAt: openedAt };
    const state = at === 0 ? 'WON' : 'NEEDS_RESPONSE';
    const key = { merchantId, id, mode: 'test', paymentId, attemptId: randomUUID(), accountId, gateway } as const;
    await prisma.dispute.create({
      data: { ...key, gatewayDisputeId: String(at), state, amount: '1000.5', currency: 'NGN', fee: '15', ...times },
    });
  }
  return ids;
}
