import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { recordMoney } from '../../testing/past.ts';
import { refundDuplicate } from '../duplicates/duplicates.ts';
import { listApprovals, sumRefundsToApprove } from './approval-queries.ts';
import { changeRefundControl } from './change-control.ts';
import { approveRefund, declineRefund, withdrawRefund } from './decide-approval.ts';
import { holdFor, type RefundingPerson, requestRefundAsPerson } from './hold-refund.ts';
import type { RefundControl } from './queries.ts';

const person = (end: string): RefundingPerson => ({
  actor: `staff:0193471e-8a3b-7c21-9f4e-0000000000${end}`,
  cause: 'staff',
  roles: ['finance'],
});
const ada = person('a1');
const bola = person('b1');
const chi = person('c1');
const NOON = new Date('2026-11-20T11:00:00.000Z');
const DAY_MS = 86_400_000;

let context: TestPayments;
let merchant: TestMerchant;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(NOON);
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
  await keep({ secondPersonAbove: 1_000n });
});

async function keep(changes: Partial<RefundControl>): Promise<void> {
  const command = { merchantId: merchant.merchantId, changes, actor: chi.actor };
  expect((await changeRefundControl(context, command)).kind).toBe('changed');
}

/** A paid payment of NGN 2,500.00. */
async function paid() {
  const money = await recordMoney(context, merchant, { amount: '2500', state: 'PAID' });
  await context.database.prisma.payment.updateMany({ where: { id: money.paymentId }, data: { status: 'SUCCESS' } });
  return money;
}

function request(paymentId: string, amount: bigint, by = ada, refundId = context.newId()) {
  const asked = { merchantId: merchant.merchantId, mode: null, refundId, paymentId, amount, reason: 'Returned' };
  return requestRefundAsPerson(context, asked, by);
}

/** A refund of a new payment that waits for a second person. */
async function waiting(amount = 2_500n, by = ada) {
  const { merchantId } = merchant;
  const { paymentId } = await paid();
  const outcome = await request(paymentId, amount, by);
  if (outcome.kind !== 'needs_approval') throw new Error(outcome.kind);
  return { merchantId, paymentId, approvalId: outcome.approval.id };
}

const refundsOf = (paymentId: string) => context.database.prisma.refund.findMany({ where: { paymentId } });
const stateOf = async ({ approvalId }: { approvalId: string }) =>
  (await context.database.prisma.refundApproval.findFirstOrThrow({ where: { id: approvalId } })).state;
const actionsOn = async (objectId: string) => {
  const entries = await context.database.prisma.auditEntry.findMany({ where: { objectId }, orderBy: { position: 'asc' } });
  return entries.map(({ action, actor }) => [action, actor]);
};
const timelineOf = async (paymentId: string) => {
  const events = await context.database.prisma.timelineEvent.findMany({ where: { paymentId }, orderBy: { id: 'asc' } });
  return events.map(({ type }) => type).filter((type) => type.startsWith('refund.'));
};

describe('a refund above the amount', () => {
  test('is not requested, but waits, also when its request is repeated; one of exactly the amount is requested', async () => {
    const { paymentId } = await paid();
    const refundId = context.newId();
    const first = await request(paymentId, 1_001n, ada, refundId);
    expect(first).toMatchObject({ kind: 'needs_approval', approval: { id: refundId, state: 'WAITING', amount: 1_001n } });
    expect(await request(paymentId, 1_001n, ada, refundId)).toEqual(first);
    expect(await refundsOf(paymentId)).toEqual([]);
    expect(await timelineOf(paymentId)).toEqual(['refund.approval_requested']);
    expect(await request((await paid()).paymentId, 1_000n)).toMatchObject({ kind: 'requested' });
  });

  test('is requested in the name of its requester when another person approves it, once, audited for both', async () => {
    const key = await waiting();
    const outcome = await approveRefund(context, key, bola);
    expect(outcome).toMatchObject({
      kind: 'approved',
      refund: { id: key.approvalId, amount: 2_500n, requestedBy: ada.actor, reason: 'Returned', state: 'REQUESTED' },
    });
    expect(await approveRefund(context, key, chi)).toEqual({ kind: 'not_waiting', state: 'APPROVED' });
    expect(await refundsOf(key.paymentId)).toHaveLength(1);
    expect(await actionsOn(key.approvalId)).toEqual([
      ['refund.approval_requested', ada.actor],
      ['refund.approved', bola.actor],
      ['refund.requested', ada.actor],
    ]);
    expect(await timelineOf(key.paymentId)).toEqual(['refund.approval_requested', 'refund.requested']);
  });

  test.each([approveRefund, declineRefund])(
    'is not decided by its requester, nor by anything that is no person',
    async (decide) => {
      const key = { ...(await waiting()), note: null };
      expect(await decide(context, key, ada)).toEqual({ kind: 'own_request' });
      expect(await decide(context, key, { actor: 'system:schedule', cause: 'schedule' })).toEqual({ kind: 'not_a_person' });
      expect(await decide(context, { ...key, approvalId: context.newId() }, bola)).toEqual({ kind: 'not_found' });
      const other = await createTestMerchant(context, { 'paystack-main': {} });
      expect(await decide(context, { ...key, merchantId: other.merchantId }, bola)).toEqual({ kind: 'not_found' });
      expect(await stateOf(key)).toBe('WAITING');
    },
  );

  test('is checked anew: where less is left, nothing is requested, and it still waits', async () => {
    const key = await waiting();
    expect(await request(key.paymentId, 500n, bola)).toMatchObject({ kind: 'requested' });
    expect(await approveRefund(context, key, bola)).toEqual({ kind: 'not_refundable', refundable: 2_000n });
    expect(await stateOf(key)).toBe('WAITING');
    expect(await refundsOf(key.paymentId)).toHaveLength(1);
  });

  test('of two who decide at once, one does', async () => {
    const key = await waiting();
    const outcomes = await Promise.all([
      approveRefund(context, key, bola),
      declineRefund(context, { ...key, note: 'Too much' }, chi),
      withdrawRefund(context, key, ada),
    ]);
    expect(outcomes.filter(({ kind }) => kind === 'not_waiting')).toHaveLength(2);
    expect(await refundsOf(key.paymentId)).toHaveLength(outcomes[0].kind === 'approved' ? 1 : 0);
  });

  test('that is declined or withdrawn is never requested', async () => {
    const declined = await waiting();
    expect(await declineRefund(context, { ...declined, note: 'Too much' }, bola)).toEqual({ kind: 'declined' });
    expect(await approveRefund(context, declined, bola)).toEqual({ kind: 'not_waiting', state: 'DECLINED' });
    const withdrawn = await waiting();
    expect(await withdrawRefund(context, withdrawn, bola)).toEqual({ kind: 'not_own_request' });
    expect(await withdrawRefund(context, withdrawn, ada)).toEqual({ kind: 'withdrawn' });
    expect(await approveRefund(context, withdrawn, bola)).toEqual({ kind: 'not_waiting', state: 'WITHDRAWN' });
    expect(await timelineOf(withdrawn.paymentId)).toEqual(['refund.approval_requested', 'refund.approval_withdrawn']);
  });

  test('expires after seven days', async () => {
    const key = await waiting();
    context.setClock(new Date(NOON.getTime() + 7 * DAY_MS));
    expect(await approveRefund(context, key, bola)).toEqual({ kind: 'not_waiting', state: 'EXPIRED' });
    expect(await refundsOf(key.paymentId)).toEqual([]);
  });

  test('cannot be had in parts: what people refunded of the payment alone is added', async () => {
    const { paymentId } = await paid();
    expect(await request(paymentId, 600n)).toMatchObject({ kind: 'requested' });
    expect(await request(paymentId, 401n, bola)).toMatchObject({ kind: 'needs_approval' });
    expect(await request(paymentId, 400n, bola)).toMatchObject({ kind: 'requested' });
  });
});

test('a refund that waits or was approved counts for its requester on the day of the request, and no more once it ended', async () => {
  await keep({ dailyLimits: { finance: 3_000n } });
  const key = await waiting(2_000n);
  const { paymentId } = await paid();
  expect(await request(paymentId, 1_001n)).toEqual({ kind: 'over_daily_limit', limit: 3_000n, left: 1_000n });
  expect(await approveRefund(context, key, bola)).toMatchObject({ kind: 'approved' });
  expect(await request(paymentId, 1_001n)).toEqual({ kind: 'over_daily_limit', limit: 3_000n, left: 1_000n });
  expect(await request(paymentId, 1_001n, bola)).toMatchObject({ kind: 'needs_approval' });
  await context.database.prisma.refund.updateMany({ where: { id: key.approvalId }, data: { state: 'FAILED' } });
  const next = await request(paymentId, 1_001n);
  if (next.kind !== 'needs_approval') throw new Error(next.kind);
  const last = { merchantId: merchant.merchantId, approvalId: next.approval.id };
  expect(await request((await paid()).paymentId, 2_000n)).toMatchObject({ kind: 'over_daily_limit', left: 1_999n });
  expect(await withdrawRefund(context, last, ada)).toEqual({ kind: 'withdrawn' });
  expect(await request((await paid()).paymentId, 2_500n)).toMatchObject({ kind: 'needs_approval' });
});

test('a duplicate charge waits once, and is refunded as one when it is approved', async () => {
  const { merchantId } = merchant;
  const money = await paid();
  const id = context.newId();
  const times = { createdAt: context.now(), updatedAt: context.now() };
  const row = { ...money, ...times, id, mode: 'test', state: 'OPEN', amount: '2500', currency: 'NGN' } as const;
  await context.database.prisma.duplicateCharge.create({ data: row });
  const refund = () => refundDuplicate(context, { merchantId, duplicateChargeId: id }, ada, holdFor(context, ada, id));
  const first = await refund();
  if (first.kind !== 'needs_approval') throw new Error(first.kind);
  expect(await refund()).toEqual(first);
  const approve = () => approveRefund(context, { merchantId, approvalId: first.approval.id }, bola);
  // Less of it is left than was approved.
  await context.database.prisma.duplicateCharge.updateMany({ where: { id }, data: { amount: '2000' } });
  expect(await approve()).toEqual({ kind: 'not_refundable', refundable: null });
  await context.database.prisma.duplicateCharge.updateMany({ where: { id }, data: { amount: '2500' } });
  expect(await approve()).toMatchObject({ kind: 'approved', refund: { id: first.approval.id, duplicate: true } });
  const charge = await context.database.prisma.duplicateCharge.findFirstOrThrow({ where: { id } });
  expect(charge).toMatchObject({ state: 'REFUNDING', refundId: first.approval.id });
});

test('the list has states as they are now, and what waits for a person leaves out their own', async () => {
  const { merchantId } = merchant;
  const expired = await waiting();
  context.setClock(new Date(NOON.getTime() + 7 * DAY_MS));
  const open = await waiting(2_000n);
  const filter = { merchantIds: [merchantId], mode: 'test', states: [], gateways: [], paymentId: null } as const;
  const list = async (states: readonly ('WAITING' | 'EXPIRED')[] = []) => {
    const page = { createdFrom: null, createdTo: null, after: null, limit: 10 };
    return (await listApprovals(context, { ...filter, ...page, states })).items;
  };
  expect((await list()).map(({ approvalId, state }) => [approvalId, state])).toEqual([
    [open.approvalId, 'WAITING'],
    [expired.approvalId, 'EXPIRED'],
  ]);
  expect(await list(['WAITING'])).toMatchObject([{ amount: 2_000n, paymentAmount: 2_500n, requestedBy: ada.actor }]);
  const waitsFor = ({ actor }: RefundingPerson) =>
    sumRefundsToApprove(context, { merchantIds: [merchantId], mode: 'test', staffId: actor.replace('staff:', '') });
  expect(await waitsFor(bola)).toMatchObject([{ merchantId, currency: 'NGN', count: 1, amount: '2000' }]);
  expect(await waitsFor(ada)).toEqual([]);
});
