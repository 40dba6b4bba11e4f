import { once } from 'node:events';
import { createServer } from 'node:http';
import { closeMonth } from '@switchyard/accounting/month-close';
import { openSwitchyard } from '@switchyard/api/process';
import { reportingListener } from '@switchyard/api/reporting';
import { readDisputes } from '@switchyard/disputes/intake';
import { verifyDecisions } from '@switchyard/payments/console/routing';
import { reconcileDay } from '@switchyard/reconciliation/runs';
import { listSettlementSources } from '@switchyard/settlements/console';
import { matchAccount, readSettlements } from '@switchyard/settlements/intake';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { GATEWAYS, openSeededDemo } from './testing/seeded-demo.ts';
import { seededRandom } from './week/random.ts';

const demo = openSeededDemo();

test.each(GATEWAYS)(
  'a historic demo payment at %s can be refunded in part and in full after the first start',
  async (gateway) => {
    const part = await demo.refundPast(gateway, 100n);
    expect(part.refund).toMatchObject({ state: 'SUCCEEDED', failureMessage: null });
    expect(part.payment).toMatchObject({ status: 'SUCCESS', refundedAmount: 100n });
    const all = await demo.refundPast(gateway, 'full');
    expect(all.refund).toMatchObject({ state: 'SUCCEEDED', amount: all.payment.amount });
    expect(all.payment.status).toBe('REFUNDED');
  },
);

test('a merchant, the accounts of its history and its rules are there before its first payment, in the audit log as well', async () => {
  const { prisma } = demo.database();
  const oldest = await prisma.payment.findFirstOrThrow({ orderBy: { createdAt: 'asc' }, select: { createdAt: true } });
  const merchants = await prisma.merchant.findMany({ select: { id: true, createdAt: true } });
  expect(merchants.length).toBe(4);
  for (const { id: tenantId, createdAt } of merchants) {
    expect(createdAt.getTime()).toBeLessThanOrEqual(oldest.createdAt.getTime());
    const entries = await prisma.auditEntry.findMany({
      where: { tenantId, createdAt: { lte: oldest.createdAt } },
      select: { action: true },
    });
    expect(entries.map(({ action }) => action).sort()).toEqual([
      'gateway_account.connected',
      'gateway_account.connected',
      'merchant.created',
      'rule_set.published',
    ]);
  }
});

test('historic refunds, duplicate charges and stuck refunds match at the gateways', async () => {
  const refunds = await demo.database().prisma.refund.findMany({ where: { gatewayRefundId: { not: null } } });
  expect(refunds.length).toBeGreaterThan(100);
  const journals = await Promise.all(
    GATEWAYS.map(async (gateway) => {
      const answer = await fetch(`${demo.controlUrl()}/control/${gateway}/journal`);
      const schema = z.object({ refunds: z.array(z.object({ id: z.number(), status: z.string(), amount: z.number() })) });
      return schema.parse(await answer.json()).refunds.map((refund) => ({ ...refund, gateway }));
    }),
  );
  const theirs = new Map(journals.flat().map((refund) => [`${refund.gateway}/${refund.id}`, refund]));
  const statuses: Record<string, string> = { SUCCEEDED: 'processed', NEEDS_ATTENTION: 'needs-attention' };
  for (const { gateway, gatewayRefundId, state, amount } of refunds) {
    expect(theirs.get(`${gateway}/${gatewayRefundId}`)).toMatchObject({
      status: statuses[state],
      amount: Number(amount) * (gateway === 'paystack' ? 100 : 1),
    });
  }
});

test('the finished days and settlements of the merchant with the fewest payments are explained', async () => {
  const { prisma } = demo.database();
  const { id: merchantId } = await prisma.merchant.findUniqueOrThrow({ where: { merchantNumber: 'M-100004' } });
  const runs = await prisma.reconciliationRun.findMany({ where: { merchantId } });
  expect(runs.length).toBeGreaterThanOrEqual(GATEWAYS.length * 6);
  for (const { accountId, day } of runs) {
    const key = { merchantId, accountId, day: day.toISOString().slice(0, 10) };
    expect((await reconcileDay(demo.payments(), key)).kind).toBe('compared');
  }
  const accounts = await prisma.gatewayAccount.findMany({ where: { merchantId, gateway: { in: [...GATEWAYS] } } });
  for (const { id: accountId } of accounts) {
    expect(await readSettlements(demo.payments(), { merchantId, accountId })).toMatchObject({ kind: 'read' });
  }
  expect(await prisma.settlementLine.count({ where: { merchantId } })).toBeGreaterThan(0);
  expect(await prisma.reconciliationDiscrepancy.findMany({ where: { merchantId, state: 'OPEN' } })).toEqual([]);
  expect(await prisma.settlementDiscrepancy.findMany({ where: { merchantId, state: 'OPEN' } })).toEqual([]);
});

test('settlements come by each of the three roads, and those by webhook and file are explained', async () => {
  const { prisma } = demo.database();
  const [{ merchantId } = { merchantId: '' }] = await prisma.settlement.findMany({ where: { road: 'FILE' } });
  const sources = await listSettlementSources(demo.payments(), { merchantIds: [merchantId], mode: 'test' });
  const roadOf = (wanted: string) => sources.find(({ gateway }) => gateway === wanted);
  expect(GATEWAYS.map((gateway) => roadOf(gateway)?.road)).toEqual(['POLLED', 'POLLED']);
  for (const gateway of ['monnify', 'squad']) {
    const { accountId = '', road, heardAt } = roadOf(gateway) ?? {};
    expect([gateway, road, heardAt === null]).toEqual([gateway, gateway === 'monnify' ? 'WEBHOOK' : 'FILE', false]);
    if (gateway === 'monnify')
      expect(await readSettlements(demo.payments(), { merchantId, accountId })).toMatchObject({ kind: 'read' });
    await matchAccount(demo.payments(), { merchantId, accountId });
    const where = { merchantId, accountId };
    const [settlement, ...others] = await prisma.settlement.findMany({ where });
    expect([others.length, settlement?.status, settlement?.lineCount]).toEqual([0, 'PAID', expect.any(Number)]);
    expect(settlement?.unexplained.toFixed()).toBe('0');
    expect(settlement?.gross.toFixed()).toBe('24700');
    expect(await prisma.settlementDiscrepancy.count({ where })).toBe(0);
  }
});

test('the disputes are those that were planted, and reading them again finds nothing else', async () => {
  const { prisma } = demo.database();
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (let reading = 0; reading < 2; reading += 1) {
    for (const { merchantId, id: accountId } of accounts) {
      expect(await readDisputes(demo.payments(), { merchantId, accountId })).toMatchObject({ kind: 'read' });
    }
  }
  const found = await prisma.dispute.findMany();
  expect(found.map(({ gateway, state, category }) => `${gateway} ${state} ${category}`).sort()).toEqual([
    'flutterwave NEEDS_RESPONSE chargeback',
    'paystack EXPIRED chargeback',
    'paystack NEEDS_RESPONSE chargeback',
    'paystack NEEDS_RESPONSE fraud',
    'paystack WON chargeback',
  ]);
  const inFourHours = new Date(Date.now() + 4 * 3_600_000);
  const dueSoon = found.filter(({ state, dueAt }) => state === 'NEEDS_RESPONSE' && dueAt !== null && dueAt < inFourHours);
  expect(dueSoon.length).toBe(1);
  const reversed = await prisma.payment.findMany({ where: { reversalCause: 'chargeback' } });
  expect(reversed.map(({ id }) => id)).toEqual(found.flatMap(({ state, paymentId }) => (state === 'EXPIRED' ? [paymentId] : [])));
});

test('decisions of the past weeks, drawn at random, come out as they were stored, from the database alone', async () => {
  expect(await demo.database().prisma.payment.count()).toBeGreaterThan(11_000);
  const draw = seededRandom(7);
  const sampled = await verifyDecisions(demo.database(), { merchantIds: null, size: 1_000, random: () => draw.next() });
  expect(sampled.failedCount).toBe(0);
  expect(sampled.checkedCount).toBeGreaterThan(800);
  expect(sampled.checkedCount).toBeLessThan(1_200);
});

describe('the past month', () => {
  /** The month before this one: the demo's past reaches into it on every day of a month. */
  const lastMonth = new Date(Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 0)).toISOString().slice(0, 7);

  let switchyard: ReturnType<typeof openSwitchyard>;
  let reportsUrl: string;
  let authorization: string;

  beforeAll(async () => {
    switchyard = openSwitchyard(demo.environment(), { write: () => undefined });
    const server = createServer(reportingListener(switchyard));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    reportsUrl = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`;
    await switchyard.resources.configuration.refresh();
    const { id: staffId } = await demo.database().prisma.staffUser.findFirstOrThrow();
    const merchantIds = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
    const expiresAt = new Date(Date.now() + 3_600_000);
    const token = { scopes: ['reports'], name: 'Books', merchantIds, modes: ['test'], staffId, expiresAt } as const;
    const issued = await issueToken(switchyard, token);
    if (issued.kind !== 'issued') throw new Error(issued.kind);
    authorization = `Bearer ${issued.token}`;
    return async () => {
      server.close();
      await switchyard.close();
    };
  });

  const answerSchema = z.object({
    data: z.object({
      monthClose: z.object({
        state: z.string(),
        totals: z.array(
          z.object({
            currency: z.string(),
            opening: z.string(),
            closing: z.string(),
            figures: z.array(z.object({ kind: z.string(), count: z.int(), amount: z.string() })),
          }),
        ),
      }),
    }),
  });

  async function ask(merchantId: string) {
    const query = `{ monthClose(filter: { mode: test, merchantId: "${merchantId}", month: "${lastMonth}" }) {
      state totals { currency opening closing figures { kind count amount } } } }`;
    const headers = { 'content-type': 'application/json', authorization };
    const answer = await fetch(`${reportsUrl}/api/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
    return answerSchema.parse(await answer.json()).data.monthClose;
  }

  /** Sums of the demo by plain SQL, written apart from the product's. */
  async function expected(merchantId: string): Promise<Record<string, string>> {
    const within = (moment: string) => `to_char(${moment} AT TIME ZONE 'Africa/Lagos', 'YYYY-MM') = $2`;
    const { rows } = await demo.database().pool.query<Record<string, string>>(
      `SELECT
        (SELECT count(*) || ' ' || trim_scale(coalesce(sum(coalesce(a.received_amount, p.amount)), 0)) FROM payment p JOIN attempt a ON a.payment_id = p.id
          WHERE p.merchant_id = $1 AND a.state = 'PAID' AND NOT a.duplicate AND ${within('coalesce(p.paid_at, a.updated_at)')}) AS payment,
        (SELECT count(*) || ' ' || trim_scale(coalesce(-sum(fee_amount), 0)) FROM payment p
          WHERE merchant_id = $1 AND fee_amount <> 0 AND ${within('paid_at')}) AS fee,
        (SELECT count(*) || ' ' || trim_scale(coalesce(-sum(amount), 0)) FROM refund
          WHERE merchant_id = $1 AND state = 'SUCCEEDED' AND ${within('updated_at')}) AS refund,
        (SELECT count(*) || ' ' || trim_scale(coalesce(sum(amount), 0)) FROM duplicate_charge
          WHERE merchant_id = $1 AND ${within('created_at')}) AS duplicate`,
      [merchantId, lastMonth],
    );
    return rows[0] ?? {};
  }

  test('is there to close, and its figures over GraphQL equal plain SQL to the unit before and after it is closed', async () => {
    const merchants = switchyard.resources.configuration.merchants().map(({ merchant }) => merchant.id);
    expect(merchants).toHaveLength(4);
    for (const merchantId of merchants) {
      const sums = await expected(merchantId);
      const before = await ask(merchantId);
      const [total] = before.totals;
      const figures = Object.fromEntries(total?.figures.map(({ kind, count, amount }) => [kind, `${count} ${amount}`]) ?? []);
      expect(figures).toMatchObject(sums);
      expect(figures.payment).not.toMatch(/^0 /);
      const outcome = await closeMonth(switchyard, { merchantId, mode: 'test', month: lastMonth }, 'system:test');
      expect(outcome.kind).toBe('closed');
      expect(await ask(merchantId)).toEqual({ ...before, state: 'CLOSED' });
    }
  });
});
