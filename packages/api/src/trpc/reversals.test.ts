import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestMerchant,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from '../testing/dashboard.ts';
import { recordPayment } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

const DAY_MS = 24 * 3_600_000;

let dashboard: TestDashboard;
let mine: DashboardMerchant;
let theirs: DashboardMerchant;
beforeAll(async () => {
  dashboard = await openTestDashboard();
  mine = await createTestMerchant(dashboard);
  theirs = await createTestMerchant(dashboard);
});
afterAll(() => dashboard.close());

const of = ({ merchantId }: DashboardMerchant) =>
  createCallerFactory(appRouter)({ switchyard: dashboard.switchyard, session: sessionOf('viewer', merchantId) });
const attention = async (merchant: DashboardMerchant) => (await of(merchant).attention.list({ mode: 'test' })).items;

async function dispute(paymentId: string, state: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'LOST', dueAt: Date | null): Promise<void> {
  const now = new Date();
  const { newId } = dashboard.switchyard.payments;
  await dashboard.database.prisma.dispute.create({
    data: {
      merchantId: mine.merchantId,
      id: newId(),
      mode: 'test',
      paymentId,
      attemptId: newId(),
      accountId: mine.paystack,
      gateway: 'paystack',
      gatewayDisputeId: newId(),
      state,
      category: 'chargeback',
      amount: '2500',
      currency: 'NGN',
      dueAt,
      openedAt: now,
      createdAt: now,
      updatedAt: now,
    },
  });
}

test('each dispute to answer needs attention, with what is lost and when; those under review are listed with them', async () => {
  const [reviewed, later, first, lost] = [
    await recordPayment(dashboard.switchyard, mine.merchantId, 'disputed-1'),
    await recordPayment(dashboard.switchyard, mine.merchantId, 'disputed-2'),
    await recordPayment(dashboard.switchyard, mine.merchantId, 'disputed-3'),
    await recordPayment(dashboard.switchyard, mine.merchantId, 'disputed-4'),
  ];
  await dispute(reviewed, 'UNDER_REVIEW', null);
  await dispute(later, 'NEEDS_RESPONSE', new Date(Date.now() + 30 * 3_600_000));
  await dispute(first, 'NEEDS_RESPONSE', new Date(Date.now() + 3_600_000));
  await dispute(lost, 'LOST', null);
  expect(await attention(mine)).toMatchObject([
    {
      kind: 'dispute_due',
      severity: 'critical',
      title: 'NGN 2,500.00 disputed at Paystack',
      why: expect.stringMatching(/^A customer disputes NGN 2,500.00 of a payment at Paystack\. Respond by .+\. Without/),
      action: { query: {}, needs: 'reconciliation:resolve' },
    },
    { kind: 'dispute_opened', severity: 'warning' },
  ]);
  expect(await attention(theirs)).toEqual([]);

  const filter = { merchantIds: [mine.merchantId], mode: 'test' as const };
  const { items: disputed } = await of(mine).payments.list({ ...filter, disputed: true });
  expect(disputed.map(({ paymentId }) => paymentId).sort()).toEqual([reviewed, later, first].sort());
  expect((await of(mine).payments.byId({ paymentId: lost })).disputes).toMatchObject([{ state: 'LOST', amount: '2500' }]);
});

test('money that a gateway took back needs attention for seven days, and stays on the filtered list', async () => {
  const reverse = async (order: string, ageMs: number) => {
    const paymentId = await recordPayment(dashboard.switchyard, mine.merchantId, order);
    await dashboard.database.prisma.payment.updateMany({
      where: { id: paymentId },
      data: {
        status: 'SUCCESS',
        reversedAmount: '1000.5',
        reversedAt: new Date(Date.now() - ageMs),
        reversalCause: 'chargeback',
      },
    });
    return paymentId;
  };
  const recent = await reverse('reversed-1', DAY_MS);
  const old = await reverse('reversed-2', 8 * DAY_MS);
  expect((await attention(mine)).find(({ title }) => title === '1 payment was reversed')).toMatchObject({
    why: expect.stringContaining('Gateways took back NGN 1,000.50 of 1 paid payment in the last seven days'),
    action: { path: '/payments', query: { reversed: 'true' } },
  });
  const filter = { merchantIds: [mine.merchantId], mode: 'test' as const };
  const { items } = await of(mine).payments.list({ ...filter, reversed: true });
  expect(items.map(({ paymentId, reversedAmount }) => [paymentId, reversedAmount]).sort()).toEqual(
    [
      [recent, '1000.5'],
      [old, '1000.5'],
    ].sort(),
  );
  const { items: others } = await of(mine).payments.list({ ...filter, reversed: false });
  expect(others.some(({ paymentId }) => paymentId === recent)).toBe(false);
  expect((await of(mine).payments.byId({ paymentId: recent })).money.reversal).toMatchObject({
    amount: '1000.5',
    cause: 'chargeback',
  });
});
