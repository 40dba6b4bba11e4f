import { startOfDay } from '@switchyard/runtime/calendar-days';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import type { RoleKey } from '@switchyard/staff/permissions';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordMoney } from '../../testing/past.ts';
import { refundDuplicate } from '../duplicates/duplicates.ts';
import { type RefundAmount, requestRefund } from '../request-refund.ts';
import { changeRefundControl, describeControlFor, readRefundControl } from './change-control.ts';
import { holdFor, type RefundingPerson, requestRefundAsPerson } from './hold-refund.ts';
import { LIMIT_ZONE, type RefundControl } from './queries.ts';

const ada = person('staff:0193471e-8a3b-7c21-9f4e-0000000000a1');
const bola = person('staff:0193471e-8a3b-7c21-9f4e-0000000000b1');
/** 15:00 in Lagos. */
const AFTERNOON = new Date('2026-11-20T14:00:00.000Z');
const CODES = [
  { code: 'wrong_item', title: 'Wrong item delivered' },
  { code: 'cancelled', title: 'Order cancelled' },
];

let context: TestPayments;
let merchant: TestMerchant;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(AFTERNOON);
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});

function person(actor: string, ...roles: RoleKey[]): RefundingPerson {
  return { actor, cause: 'staff', roles: roles.length === 0 ? ['finance'] : roles };
}

async function keep(changes: Partial<RefundControl>): Promise<void> {
  const command = { merchantId: merchant.merchantId, changes, actor: ada.actor };
  expect((await changeRefundControl(context, command)).kind).toBe('changed');
}

/** A paid payment of NGN 2,500.00. */
async function paid(): Promise<string> {
  const { paymentId } = await recordMoney(context, merchant, { amount: '2500', state: 'PAID' });
  await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { status: 'SUCCESS' } });
  return paymentId;
}

const asked = (paymentId: string, amount: RefundAmount, reasonCode: string | null = null) => ({
  merchantId: merchant.merchantId,
  mode: null,
  refundId: context.newId(),
  paymentId,
  amount,
  reason: null,
  reasonCode,
});

const request = async (by: RefundingPerson, amount: RefundAmount, reasonCode: string | null = null) =>
  requestRefundAsPerson(context, asked(await paid(), amount, reasonCode), by);

describe('a daily limit', () => {
  beforeEach(() => keep({ dailyLimits: { finance: 3_000n } }));

  test('counts what one person requested since midnight in Lagos, and leaves others theirs', async () => {
    expect(await request(ada, 2_000n)).toMatchObject({ kind: 'requested' });
    expect(await request(ada, 1_001n)).toEqual({ kind: 'over_daily_limit', limit: 3_000n, left: 1_000n });
    expect(await request(ada, 1_000n)).toMatchObject({ kind: 'requested' });
    expect(await request(bola, 2_500n)).toMatchObject({ kind: 'requested' });
    // 23:59:59 and midnight of Lagos.
    context.setClock(new Date('2026-11-20T22:59:59.999Z'));
    expect(await request(ada, 1n)).toEqual({ kind: 'over_daily_limit', limit: 3_000n, left: 0n });
    context.setClock(new Date('2026-11-20T23:00:00.000Z'));
    expect(await request(ada, 2_500n)).toMatchObject({ kind: 'requested' });
  });

  test('is not passed by requests at once', async () => {
    const payments = await Promise.all(Array.from({ length: 6 }, paid));
    const outcomes = await Promise.all(
      payments.map((paymentId) => requestRefundAsPerson(context, asked(paymentId, 1_000n), ada)),
    );
    expect(outcomes.filter(({ kind }) => kind === 'requested')).toHaveLength(3);
    const { _sum } = await context.database.prisma.refund.aggregate({
      where: { merchantId: merchant.merchantId, requestedBy: ada.actor },
      _sum: { amount: true },
    });
    expect(_sum.amount).toBe(3_000n);
  });

  test('does not count a refund that failed: nothing was moved', async () => {
    expect(await request(ada, 2_500n)).toMatchObject({ kind: 'requested' });
    await context.database.prisma.refund.updateMany({ where: { requestedBy: ada.actor }, data: { state: 'FAILED' } });
    expect(await request(ada, 2_500n)).toMatchObject({ kind: 'requested' });
  });

  test('is the most of a person’s roles, and none where one of these has none', async () => {
    await keep({ dailyLimits: { finance: 100n, owner: 2_000n } });
    const both = person(ada.actor, 'finance', 'owner');
    expect(await request(both, 2_001n)).toMatchObject({ kind: 'over_daily_limit', limit: 2_000n });
    expect(await request(both, 2_000n)).toMatchObject({ kind: 'requested' });
    await keep({ dailyLimits: { finance: 100n } });
    expect(await request(both, 2_500n)).toMatchObject({ kind: 'requested' });
  });

  test('is nothing for Support until the merchant sets one', async () => {
    const support = person(ada.actor, 'support');
    expect(await request(support, 1n)).toEqual({ kind: 'over_daily_limit', limit: 0n, left: 0n });
    const about = { merchantId: merchant.merchantId, paymentId: context.newId(), mode: 'test', currency: 'NGN' } as const;
    expect(await describeControlFor(context, about, support)).toMatchObject({ dailyLimit: 0n, leftToday: 0n });
    await keep({ dailyLimits: { finance: 3_000n, support: 500n } });
    expect(await request(support, 501n)).toEqual({ kind: 'over_daily_limit', limit: 500n, left: 500n });
    expect(await request(support, 500n)).toMatchObject({ kind: 'requested' });
    expect(await request(support, 1n)).toEqual({ kind: 'over_daily_limit', limit: 500n, left: 0n });
  });

  test('of Support holds for roles of the workspace’s own', async () => {
    const own = person(bola.actor, context.newId());
    expect(await request(own, 1n)).toEqual({ kind: 'over_daily_limit', limit: 0n, left: 0n });
    await keep({ dailyLimits: { support: 500n } });
    expect(await request(own, 501n)).toEqual({ kind: 'over_daily_limit', limit: 500n, left: 500n });
    expect(await request(own, 500n)).toMatchObject({ kind: 'requested' });
  });

  test('holds for a refund of a duplicate charge as well, which counts', async () => {
    const { merchantId } = merchant;
    const times = { createdAt: context.now(), updatedAt: context.now() };
    const charge = async () => {
      const money = await recordMoney(context, merchant, { amount: '2500', state: 'PAID' });
      const id = context.newId();
      const row = { ...money, ...times, id, mode: 'test', state: 'OPEN', amount: '2500', currency: 'NGN' } as const;
      await context.database.prisma.duplicateCharge.create({ data: row });
      return { merchantId, duplicateChargeId: id };
    };
    const refund = async () => refundDuplicate(context, await charge(), ada, holdFor(context, ada));
    expect(await refund()).toMatchObject({ kind: 'requested' });
    expect(await refund()).toEqual({ kind: 'over_daily_limit', limit: 3_000n, left: 500n });
    expect(await request(ada, 501n)).toMatchObject({ kind: 'over_daily_limit' });
  });

  test('and reason codes do not hold back the merchant’s own software', async () => {
    await keep({ dailyLimits: { finance: 1n }, reasonCodes: CODES });
    const own = { ...asked(await paid(), 2_500n), actor: 'api', cause: 'api' } as const;
    expect(await requestRefund(context, own)).toMatchObject({ kind: 'requested', refund: { reasonCode: null } });
  });

  test('is told with what is left of it', async () => {
    await request(ada, 2_000n);
    const about = { merchantId: merchant.merchantId, paymentId: context.newId(), mode: 'test', currency: 'NGN' } as const;
    expect(await describeControlFor(context, about, ada)).toMatchObject({ dailyLimit: 3_000n, leftToday: 1_000n });
    expect(await describeControlFor(context, { ...about, currency: 'USD' }, ada)).toMatchObject({ leftToday: 3_000n });
    expect(await describeControlFor(context, { ...about, mode: 'live' }, ada)).toMatchObject({ leftToday: 3_000n });
    const owner = person(ada.actor, 'owner');
    expect(await describeControlFor(context, about, owner)).toMatchObject({ dailyLimit: null, leftToday: null });
  });
});

test('a day of Lagos begins at 23:00 UTC', () => {
  expect(startOfDay(new Date('2026-11-20T22:59:59.999Z'), LIMIT_ZONE)).toEqual(new Date('2026-11-19T23:00:00.000Z'));
  expect(startOfDay(new Date('2026-11-20T23:00:00.000Z'), LIMIT_ZONE)).toEqual(new Date('2026-11-20T23:00:00.000Z'));
});

test('where reason codes are kept, a person’s refund needs one of them, which is stored', async () => {
  await keep({ reasonCodes: CODES });
  expect(await request(ada, 'full')).toEqual({ kind: 'needs_reason_code', codes: CODES });
  expect(await request(ada, 'full', 'other')).toEqual({ kind: 'needs_reason_code', codes: CODES });
  expect(await request(ada, 'full', 'cancelled')).toMatchObject({ kind: 'requested', refund: { reasonCode: 'cancelled' } });
});

test('a reason code that the merchant does not keep is refused, also where none is needed', async () => {
  expect(await request(ada, 'full', 'cancelled')).toEqual({ kind: 'needs_reason_code', codes: [] });
  expect(await request(ada, 'full')).toMatchObject({ kind: 'requested', refund: { reasonCode: null } });
});

test('a request that is repeated returns its refund, though the limit is used up', async () => {
  await keep({ dailyLimits: { finance: 1_000n } });
  const same = asked(await paid(), 1_000n);
  const first = await requestRefundAsPerson(context, same, ada);
  expect(first).toMatchObject({ kind: 'requested' });
  expect(await requestRefundAsPerson(context, same, ada)).toEqual(first);
});

describe('the settings', () => {
  test('are none at first, change one by one, and are audited', async () => {
    const { merchantId } = merchant;
    expect(await readRefundControl(context, merchantId)).toEqual({ secondPersonAbove: null, dailyLimits: {}, reasonCodes: [] });
    await keep({ dailyLimits: { finance: 9_007_199_254n } });
    await keep({ reasonCodes: CODES, secondPersonAbove: 50_000n });
    const control = { secondPersonAbove: 50_000n, dailyLimits: { finance: 9_007_199_254n }, reasonCodes: CODES };
    expect(await readRefundControl(context, merchantId)).toEqual(control);
    const entries = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, action: 'merchant.refund_control_changed' },
      orderBy: { position: 'asc' },
    });
    expect(entries.map(({ actor, before, after }) => [actor, before, after])).toEqual([
      [ada.actor, { secondPersonAbove: null, dailyLimits: {}, reasonCodes: [] }, { ...NONE, dailyLimits: LIMITS }],
      [ada.actor, { ...NONE, dailyLimits: LIMITS }, { secondPersonAbove: 50_000, dailyLimits: LIMITS, reasonCodes: CODES }],
    ]);
  });

  test.each([
    ['an amount of 0', { secondPersonAbove: 0n }, 'secondPersonAbove'],
    ['a limit below 1', { dailyLimits: { finance: -1n } }, 'dailyLimits.finance'],
    ['a code twice', { reasonCodes: [...CODES, ...CODES] }, 'reasonCodes'],
    ['a code with a space', { reasonCodes: [{ code: 'wrong item', title: 'Wrong' }] }, 'reasonCodes.0.code'],
    ['a code without a title', { reasonCodes: [{ code: 'wrong', title: ' ' }] }, 'reasonCodes.0.title'],
  ])('are not %s', async (_, changes, field) => {
    const outcome = await changeRefundControl(context, { merchantId: merchant.merchantId, changes, actor: ada.actor });
    expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field }] });
  });
});

const NONE = { secondPersonAbove: null, dailyLimits: {}, reasonCodes: [] };
const LIMITS = { finance: 9_007_199_254 };
