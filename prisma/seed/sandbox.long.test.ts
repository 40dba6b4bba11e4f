import { verifyDecisions } from '@switchyard/payments/console/routing';
import { reconcileDay } from '@switchyard/reconciliation/runs';
import { followBank } from '@switchyard/settlements/bank';
import { auditFees, readSettlements } from '@switchyard/settlements/intake';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { GATEWAYS, openSeededDemo } from './testing/seeded-demo.ts';

/*
 * Every payment, day, settlement, payout and fee of the demo's history. A part of them is compared in `sandbox.test.ts`.
 */

const demo = openSeededDemo();

/** The number of transactions that the sandbox has at a gateway. */
async function held(gateway: (typeof GATEWAYS)[number]): Promise<number> {
  const answer = await fetch(`${demo.controlUrl()}/control/${gateway}/journal`);
  return z.object({ transactions: z.array(z.unknown()) }).parse(await answer.json()).transactions.length;
}

test('a historic demo payment is still known after a restart with stored state, after one without, and is imported once', async () => {
  const refundAtEach = async () => {
    for (const gateway of GATEWAYS) expect((await demo.refundPast(gateway, 'full')).refund).toMatchObject({ state: 'SUCCEEDED' });
  };
  const heldAtEach = () => Promise.all(GATEWAYS.map(held));
  const before = await heldAtEach();
  await demo.restartSandbox({ keepsState: true });
  await refundAtEach();
  await demo.restart();
  expect(await heldAtEach()).toEqual(before);
  await demo.restartSandbox({ keepsState: false });
  await demo.restart();
  expect(await heldAtEach()).toEqual(before);
  await refundAtEach();
});

test('the finished days reconcile with the gateways but for a payment that did not come through the switch, and one under review', async () => {
  const { prisma } = demo.database();
  const runs = await prisma.reconciliationRun.findMany({ orderBy: { day: 'asc' } });
  // Runs of four merchants. Yesterday is not compared before four in the morning.
  expect(runs.length).toBeGreaterThanOrEqual(4 * GATEWAYS.length * 6);
  for (const { merchantId, accountId, day } of runs) {
    const key = { merchantId, accountId, day: day.toISOString().slice(0, 10) };
    expect((await reconcileDay(demo.payments(), key)).kind).toBe('compared');
  }
  const open = await prisma.reconciliationDiscrepancy.findMany({ where: { state: 'OPEN' } });
  const underReview = await prisma.payment.findMany({ where: { review: 'OPEN' }, select: { id: true } });
  const others = open.filter(({ paymentId }) => !underReview.some(({ id }) => id === paymentId));
  expect(others).toMatchObject([{ kind: 'MISSING_HERE', reference: 'terminal-4217730951' }]);
});

test('the settlements of the last weeks are explained but for what was planted in them', async () => {
  const { prisma } = demo.database();
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (const { merchantId, id: accountId } of accounts) {
    expect(await readSettlements(demo.payments(), { merchantId, accountId })).toMatchObject({ kind: 'read' });
  }
  const open = await prisma.settlementDiscrepancy.findMany({ where: { state: 'OPEN' } });
  const lines = await prisma.settlementLine.findMany({ where: { id: { in: open.flatMap(({ lineId }) => lineId ?? []) } } });
  // Money that came, and that a person has to decide on before it belongs to a payment: by the hour, it is settled or not yet.
  const underReview = await prisma.attempt.findMany({ where: { payment: { review: 'OPEN' } }, select: { reference: true } });
  const found = open.flatMap(({ kind, subject, lineId }) => {
    const line = lines.find(({ id }) => id === lineId);
    if (kind === 'OVERCHARGED') return [];
    if (line === undefined) return `${kind} ${subject.split('/')[0]}`;
    if (underReview.some(({ reference }) => reference === line.reference)) return [];
    return `${kind} ${line.kind} ${line.reference ?? ''}`.trim();
  });
  expect(found.sort()).toEqual([
    'LATE payment',
    'MISSING payment',
    'UNMATCHED FEE terminal-4217730951',
    'UNMATCHED PAYMENT terminal-4217730951',
    'UNMATCHED RESIDUE',
  ]);
});

test('the payouts of the last weeks are on the bank statement but for what was planted in it', async () => {
  const { prisma } = demo.database();
  const { merchantId } = await prisma.bankStatement.findFirstOrThrow();
  // A minute after the demo's files came: what lacks is said once nothing more comes.
  const later = { ...demo.payments(), now: () => new Date(Date.now() + 60_000) };
  expect((await followBank(later, { merchantId, mode: 'test' })).matched).toBeGreaterThan(10);
  const about = { OR: [{ subject: { startsWith: 'payout/' } }, { subject: { startsWith: 'bank/' } }] };
  const open = await prisma.settlementDiscrepancy.findMany({ where: { state: 'OPEN', ...about } });
  const found = open.map(({ kind, subject, expected, settled }) => {
    const difference = expected === null ? settled : settled?.minus(expected);
    return `${kind} ${subject.split('/')[0]} ${difference?.toFixed() ?? 'nothing'}`;
  });
  expect(found.sort()).toEqual(['MISSING payout nothing', 'UNDER payout -50', 'UNMATCHED bank 3250']);
});

test('every planted overcharge is found with what it is too much, and nothing else', async () => {
  const { prisma } = demo.database();
  const accounts = await prisma.gatewayAccount.findMany({ where: { gateway: { in: [...GATEWAYS] } } });
  for (const { merchantId, id: accountId } of accounts) await auditFees(demo.payments(), { merchantId, accountId });
  const planted = await demo.database().pool.query<{ subject: string; excess: string }>(`
WITH fee AS (
  SELECT payment.id, payment.received_amount AS amount, payment.fee_amount AS reported,
    (SELECT -sum(line.amount) FROM settlement_line AS line WHERE line.payment_id = payment.id AND line.kind = 'FEE' AND 'payment/' || payment.id = ANY (line.subjects)) AS settled,
    CASE payment.account_gateway
      WHEN 'paystack' THEN least(round(payment.received_amount * 0.015, 2) + CASE WHEN payment.received_amount < 2500 THEN 0 ELSE 100 END, 2000)
      ELSE round(least(round(payment.received_amount * 0.014, 2), 2000) * 1.075, 2) END AS agreed
  FROM payment WHERE fee_amount IS NOT NULL AND account_gateway IN ('paystack', 'flutterwave'))
SELECT 'fee/' || id AS subject, trim_scale(coalesce(settled, reported) - agreed)::text AS excess FROM fee
WHERE coalesce(settled, reported) - agreed > 0.01 ORDER BY 1`);
  const open = await prisma.settlementDiscrepancy.findMany({ where: { kind: 'OVERCHARGED', state: 'OPEN' } });
  const fees = await prisma.paymentFee.findMany({ where: { excess: { not: 0 } } });
  const found = fees.map(({ paymentId, excess }) => ({ subject: `fee/${paymentId}`, excess: excess.toFixed() }));
  expect(found.toSorted((a, b) => (a.subject < b.subject ? -1 : 1))).toEqual(planted.rows);
  expect(open.map(({ subject }) => subject).toSorted()).toEqual(planted.rows.map(({ subject }) => subject));
  // Two gateways, on a day each, and the fee of one settlement.
  const byGateway = Object.groupBy(fees, ({ gateway }) => gateway);
  expect(byGateway.paystack?.filter(({ amount }) => amount.lessThan(2_500)).length).toBeGreaterThan(0);
  expect(byGateway.flutterwave?.length).toBeGreaterThan(0);
  expect(fees.filter(({ settled, reported }) => !settled?.equals(reported ?? 0)).length).toBe(1);
});

test('every decision of the past weeks comes out as it was stored, from the database alone, and one that was changed is named', async () => {
  const { prisma } = demo.database();
  const random = () => 0.5;
  const payments = await prisma.payment.count();
  expect(payments).toBeGreaterThan(11_000);
  const all = await verifyDecisions(demo.database(), { merchantIds: null, size: null, random });
  expect(all).toEqual({ checkedCount: payments, failedCount: 0, failed: [] });

  const where = { accountGateway: { in: [...GATEWAYS] } };
  const { merchantId, id } = await prisma.payment.findFirstOrThrow({ where, orderBy: { createdAt: 'desc' } });
  await prisma.gatewayAccount.deleteMany({ where: { merchantId } });
  await prisma.payment.update({ where: { merchantId_id: { merchantId, id } }, data: { routingMode: 'requested' } });
  const changed = await verifyDecisions(demo.database(), { merchantIds: [merchantId], size: null, random });
  expect(changed.failed).toEqual([
    { merchantId, paymentId: id, differences: ['What was stored as routingMode is different when recomputed.'] },
  ]);
});
