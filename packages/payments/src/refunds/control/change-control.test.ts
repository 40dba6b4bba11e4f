import { createTestMerchant, type TestMerchant, testStaff } from '@switchyard/runtime/testing';
import { grantRole } from '@switchyard/staff/grants';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordMoney } from '../../testing/past.ts';
import { answerControlWaiver, changeRefundControl, listRefundControlWaivers, readRefundControl } from './change-control.ts';
import { requestRefundAsPerson } from './hold-refund.ts';
import type { RefundControl } from './queries.ts';

const NOON = new Date('2026-11-20T11:00:00.000Z');
const later = (hours: number) => new Date(NOON.getTime() + hours * 3_600_000);

let context: TestPayments;
let merchant: TestMerchant;
let ada: string;
let bola: string;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(NOON);
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
  // An owner configures and refunds, finance refunds.
  [ada, bola] = [await person('owner'), await person('finance')];
  expect(await change({ secondPersonAbove: 1_000n })).toMatchObject({ kind: 'changed', waiver: null });
});

async function person(role: 'owner' | 'finance'): Promise<string> {
  const staffId = await testStaff(context);
  await grantRole(context, { staffId, merchantId: merchant.merchantId, role, actor: 'system:test' });
  return `staff:${staffId}`;
}

const change = (changes: Partial<RefundControl>, actor = ada) =>
  changeRefundControl(context, { merchantId: merchant.merchantId, changes, actor });
const answer = (agree: boolean, actor: string, wanted: bigint | null = null) =>
  answerControlWaiver(context, { merchantId: merchant.merchantId, agree, wanted, actor });
const above = async () => (await readRefundControl(context, merchant.merchantId)).secondPersonAbove;

/** Requests a refund of NGN 2,500. */
async function refund(actor: string) {
  const { paymentId } = await recordMoney(context, merchant, { amount: '2500', state: 'PAID' });
  await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { status: 'SUCCESS' } });
  const { merchantId } = merchant;
  const asked = {
    merchantId,
    mode: null,
    refundId: context.newId(),
    paymentId,
    amount: 'full',
    reason: null,
    reasonCode: null,
  } as const;
  return requestRefundAsPerson(context, asked, { actor, cause: 'staff', roles: ['owner'] });
}

test.each([
  ['none', null],
  ['a larger amount', 5_000n],
])('who needs a second person cannot set %s, refund, and set it back', async (_, wanted) => {
  const outcome = await change({ secondPersonAbove: wanted });
  expect(outcome).toMatchObject({
    kind: 'changed',
    control: { secondPersonAbove: 1_000n },
    waiver: { wanted, requestedBy: ada, until: later(24) },
  });
  expect(await change({ secondPersonAbove: wanted })).toMatchObject({ waiver: { wanted } });
  expect(await answer(true, ada, wanted)).toEqual({ kind: 'own_request' });
  expect(await answer(true, 'system:seed', wanted)).toEqual({ kind: 'own_request' });
  expect(await refund(ada)).toMatchObject({ kind: 'needs_approval' });
  expect(await answer(true, bola, wanted)).toMatchObject({ kind: 'changed', control: { secondPersonAbove: wanted } });
  expect(await refund(ada)).toMatchObject({ kind: 'requested' });
  expect(await answer(true, bola, wanted)).toEqual({ kind: 'not_requested' });
});

test('two owners who set the same agree; another amount is another request', async () => {
  const chi = await person('owner');
  await change({ secondPersonAbove: 5_000n });
  expect(await change({ secondPersonAbove: null }, chi)).toMatchObject({ waiver: { wanted: null, requestedBy: chi } });
  expect(await answer(true, bola, 5_000n)).toEqual({ kind: 'not_requested' });
  expect(await change({ secondPersonAbove: null })).toMatchObject({ control: { secondPersonAbove: null }, waiver: null });
  expect(await above()).toBeNull();
});

test('a smaller amount, and the other settings, change at once, and end or keep the request', async () => {
  const dailyLimits = { finance: 9_000n };
  expect(await change({ secondPersonAbove: null, dailyLimits })).toMatchObject({
    control: { secondPersonAbove: 1_000n, dailyLimits },
    waiver: { wanted: null },
  });
  await change({ dailyLimits: {} });
  expect(await listRefundControlWaivers(context, { merchantIds: [merchant.merchantId] })).toHaveLength(1);
  expect(await change({ secondPersonAbove: 500n })).toMatchObject({ control: { secondPersonAbove: 500n }, waiver: null });
  expect(await answer(true, bola)).toEqual({ kind: 'not_requested' });
  expect(await above()).toBe(500n);
});

test('a request that was declined or withdrawn, or has expired, changes nothing', async () => {
  await change({ secondPersonAbove: null });
  expect(await answer(false, bola)).toEqual({ kind: 'closed' });
  expect(await answer(true, bola)).toEqual({ kind: 'not_requested' });
  await change({ secondPersonAbove: null });
  expect(await answer(false, ada)).toEqual({ kind: 'closed' });
  await change({ secondPersonAbove: null });
  context.setClock(later(24));
  expect(await answer(true, bola)).toEqual({ kind: 'not_requested' });
  expect(await above()).toBe(1_000n);
});

test('where no one else may refund, one changes it alone, and the audit log says so', async () => {
  await context.database.prisma.staffUser.update({
    where: { id: bola.replace('staff:', '') },
    data: { disabledAt: context.now() },
  });
  expect(await change({ secondPersonAbove: null })).toMatchObject({ control: { secondPersonAbove: null }, waiver: null });
  const last = await context.database.prisma.auditEntry.findFirstOrThrow({
    where: { tenantId: merchant.merchantId },
    orderBy: { position: 'desc' },
  });
  expect(last).toMatchObject({
    action: 'merchant.refund_control_changed',
    actor: ada,
    after: { secondPersonAbove: null, withoutSecondPerson: true },
  });
});

test('requests and answers are audited, and wait for the others', async () => {
  const waiting = (actor: string) =>
    listRefundControlWaivers(context, { merchantIds: [merchant.merchantId], staffId: actor.replace('staff:', '') });
  await change({ secondPersonAbove: 5_000n });
  expect(await waiting(ada)).toEqual([]);
  expect(await waiting(bola)).toMatchObject([{ requestedBy: ada, above: 1_000n, wanted: 5_000n }]);
  await answer(true, bola, 5_000n);
  expect(await waiting(bola)).toEqual([]);
  const rows = await context.database.prisma.auditEntry.findMany({
    where: { tenantId: merchant.merchantId, action: { startsWith: 'merchant.refund_control' } },
    orderBy: { position: 'asc' },
  });
  const waiver = { secondPersonAbove: 5_000, requestedBy: ada };
  const kept = { secondPersonAbove: 1_000, dailyLimits: {}, reasonCodes: [] };
  expect(rows.slice(1).map(({ action, actor, before, after }) => [action, actor, before, after])).toEqual([
    ['merchant.refund_control_waiver_requested', ada, kept, { ...kept, waiver }],
    ['merchant.refund_control_changed', bola, { ...kept, waiver }, { ...kept, secondPersonAbove: 5_000 }],
  ]);
});
