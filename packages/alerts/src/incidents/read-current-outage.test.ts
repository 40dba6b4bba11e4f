import { openTestPayments, recordPayment, type TestPayments } from '@switchyard/payments/testing';
import { createHealthFixture, type HealthFixture, timedOut } from '@switchyard/provider-health/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { detectIncidents } from '../detect-incidents.ts';
import { readCurrentOutage } from './read-current-outage.ts';

let fixture: HealthFixture<TestPayments>;

beforeAll(async () => {
  fixture = createHealthFixture(await openTestPayments());
});
afterAll(() => fixture.context.close());
beforeEach(() => fixture.begin());

const scope = (merchantId = fixture.merchant.merchantId) =>
  ({ of: () => ({ merchantIds: [merchantId], workspace: false }), mode: 'test' }) as const;

async function goDown(): Promise<void> {
  await fixture.see('paystack-main', timedOut, 10);
  await detectIncidents(fixture.context);
}

const NONE = { payments: 0, amount: 0n };

/** A payment that Paystack failed to open, and for which Flutterwave opened a checkout. */
async function caughtPayment(amount: number): Promise<void> {
  const { merchantId } = fixture.merchant;
  const { prisma } = fixture.context.database;
  const { paymentId } = await recordPayment(fixture.context, merchantId, { fellBack: true, amount });
  const first = await prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
  const { failureClass: _, ...second } = first;
  const id = fixture.context.newId();
  const at = { id, accountId: fixture.id('flutterwave-main'), gateway: 'flutterwave', position: 1, reference: id };
  await prisma.attempt.create({ data: { ...second, ...at, state: 'OPENED' } });
  await prisma.payment.update({ where: { merchantId_id: { merchantId, id: paymentId } }, data: { currentAttemptId: id } });
}

test('without an open incident of a gateway there is none', async () => {
  await detectIncidents(fixture.context);
  expect(await readCurrentOutage(fixture.context, scope())).toBeNull();
});

test('it says which account is down since when, and what became of the payments that met its fault', async () => {
  const { merchantId } = fixture.merchant;
  const { context } = fixture;
  await caughtPayment(1_000);
  await caughtPayment(2_000);
  const lost = await recordPayment(context, merchantId, { fellBack: true, amount: 4_000 });
  await recordPayment(context, merchantId, { amount: 8_000 });
  // No account opened a checkout for this one.
  await context.database.prisma.payment.update({
    where: { merchantId_id: { merchantId, id: lost.paymentId } },
    data: { status: 'FAILED', currentAttemptId: null, paidAttemptId: null },
  });
  await goDown();
  const outage = await readCurrentOutage(context, scope());
  expect(outage).toMatchObject({ isCritical: true, isCorrelated: false, accounts: [{ label: 'paystack-main', state: 'down' }] });
  // One method is at fault, so it is named.
  expect(outage?.accounts[0]?.why).toMatchObject({ method: 'CARD' });
  expect(outage?.accounts[0]?.drain).toBeNull();
  expect(outage?.since).toEqual(outage?.accounts[0]?.since);
  expect(outage?.impact).toEqual([
    {
      currency: 'NGN',
      met: { payments: 3, amount: 7_000n },
      outcomes: {
        recovered: NONE,
        same_account: NONE,
        retried: NONE,
        open: { payments: 2, amount: 3_000n },
        lost: { payments: 1, amount: 4_000n },
      },
    },
  ]);
});

test.each(['drain', 'disable'] as const)(
  'an account that an override takes out of use says by which, with what ends it: %s',
  async (action) => {
    await goDown();
    await fixture.override(action);
    const accountId = fixture.id('paystack-main');
    const outage = await readCurrentOutage(fixture.context, scope());
    expect(outage?.accounts).toMatchObject([{ accountId, drain: { action, expiresAt: null } }]);
  },
);

test("nothing is said of other merchants' accounts", async () => {
  await goDown();
  expect(await readCurrentOutage(fixture.context, scope(fixture.context.newId()))).toBeNull();
});
