import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../../testing/context.ts';
import { recordMoney } from '../../../testing/past.ts';
import { changeRefundControl } from '../change-control.ts';
import { type RefundingPerson, requestRefundAsPerson } from '../hold-refund.ts';
import type { RefundControl } from '../queries.ts';
import type { BulkLine } from './decide-bulk.ts';
import { type BulkPreview, previewBulk, refundBulk } from './refund-bulk.ts';

const person = (end: string): RefundingPerson => ({
  actor: `staff:0193471e-8a3b-7c21-9f4e-0000000000${end}`,
  cause: 'staff',
  roles: ['finance'],
});
const ada = person('a1');
const bola = person('b1');
let context: TestPayments;
let merchant: TestMerchant;
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
});

const keep = (changes: Partial<RefundControl>) =>
  changeRefundControl(context, { merchantId: merchant.merchantId, changes, actor: ada.actor });

/** A paid payment of NGN 2,500.00, named by the merchant's order id. */
async function paid(): Promise<{ paymentId: string; order: string }> {
  const { paymentId } = await recordMoney(context, merchant, { amount: '2500', state: 'PAID' });
  await context.database.prisma.payment.updateMany({ where: { id: paymentId }, data: { status: 'SUCCESS' } });
  return { paymentId, order: `order-${paymentId}` };
}

const scope = () => ({ merchantId: merchant.merchantId, mode: 'test' }) as const;

async function preview(file: string, by = ada): Promise<BulkPreview> {
  const outcome = await previewBulk(context, { ...scope(), file }, by);
  if (outcome.kind === 'unreadable') throw new Error(outcome.problem.message);
  return outcome;
}

const refund = (file: string, { hash }: Pick<BulkPreview, 'hash'>, by = ada) =>
  refundBulk(context, { ...scope(), file, hash }, by);
const fates = (lines: readonly BulkLine[]) => lines.map(({ line, fate }) => ({ line, ...fate }));

/** All that is recorded of refunds at the merchant, as lines of a preview have it. */
async function recorded() {
  const where = { merchantId: merchant.merchantId };
  const refunds = await context.database.prisma.refund.findMany({ where });
  const approvals = await context.database.prisma.refundApproval.findMany({ where });
  return [
    ...refunds.map(({ id, paymentId, amount }) => ({ refundId: id, paymentId, kind: 'refund', amount })),
    ...approvals.map(({ id, paymentId, amount }) => ({ refundId: id, paymentId, kind: 'needs_approval', amount })),
  ].toSorted(byId);
}

const byId = (a: { refundId: string | null }, b: { refundId: string | null }) =>
  String(a.refundId).localeCompare(String(b.refundId));

/** Refunds and approvals that a preview announces. */
function promised({ lines }: BulkPreview) {
  return lines
    .flatMap(({ refundId, paymentId, fate }) =>
      fate.kind === 'refund' || fate.kind === 'needs_approval'
        ? [{ refundId, paymentId, kind: fate.kind, amount: fate.amount }]
        : [],
    )
    .toSorted(byId);
}

/** A file with a line for everything that can become of one. */
async function everyFate() {
  await keep({
    secondPersonAbove: 2_000n,
    dailyLimits: { finance: 7_000n },
    reasonCodes: [{ code: 'cancelled', title: 'Order cancelled' }],
  });
  const [part, whole, twice, unpaid, last] = [await paid(), await paid(), await paid(), await paid(), await paid()];
  await context.database.prisma.payment.updateMany({ where: { id: unpaid.paymentId }, data: { status: 'PENDING' } });
  return [
    'payment,amount,reason_code,reason',
    `${part.paymentId},1500,cancelled,"Too small, red"`,
    `${whole.order},full,cancelled,`,
    `${twice.order},1000,cancelled,`,
    `${twice.order},1000,cancelled,`,
    `${twice.order},1000,cancelled,second`,
    `${twice.order},600,cancelled,`,
    `${part.order},10,,`,
    `${part.order},10,other,`,
    `${unpaid.order},10,cancelled,`,
    'no-such-order,10,cancelled,',
    `${part.order},1.5,cancelled,`,
    `${last.order},1001,cancelled,`,
    `${last.order},1000,cancelled,`,
  ].join('\n');
}

test('the preview equals what is done, line by line, for everything that can become of a line', async () => {
  const file = await everyFate();
  const before = await preview(file);
  expect(fates(before.lines)).toEqual([
    { line: 2, kind: 'refund', amount: 1_500n },
    { line: 3, kind: 'needs_approval', amount: 2_500n },
    { line: 4, kind: 'refund', amount: 1_000n },
    { line: 4, kind: 'repeated' },
    { line: 6, kind: 'refund', amount: 1_000n },
    { line: 7, kind: 'too_much', refundable: 500n },
    { line: 8, kind: 'needs_reason_code' },
    { line: 9, kind: 'needs_reason_code' },
    { line: 10, kind: 'not_paid', status: 'PENDING' },
    { line: 11, kind: 'not_found' },
    expect.objectContaining({ line: 12, kind: 'unreadable', column: 'amount' }),
    { line: 13, kind: 'over_daily_limit', limit: 7_000n, left: 1_000n },
    { line: 14, kind: 'refund', amount: 1_000n },
  ]);
  expect(await recorded()).toEqual([]);
  expect(await refund(file, before)).toEqual({ kind: 'done', refunds: 4, approvals: 1 });
  expect(await recorded()).toEqual(promised(before));
});

test('each line becomes what a single request of the same person would become', async () => {
  await keep({ secondPersonAbove: 1_200n, dailyLimits: { finance: 4_000n } });
  const amounts = [1_000n, 200n, 1n, 1_300n, 1_500n, 400n, 1_100n, 98n];
  const [mine, theirs] = [await paid(), await paid()];
  const { lines } = await preview(`payment,amount\n${amounts.map((amount) => `${mine.order},${amount}`).join('\n')}`);
  const single: string[] = [];
  for (const amount of amounts) {
    const request = { ...scope(), refundId: context.newId(), paymentId: theirs.paymentId, amount, reason: null };
    single.push((await requestRefundAsPerson(context, request, ada)).kind);
  }
  expect(lines.map(({ fate }) => (fate.kind === 'refund' ? 'requested' : fate.kind))).toEqual(single);
  expect(new Set(single)).toEqual(new Set(['requested', 'needs_approval', 'too_much', 'over_daily_limit']));
});

test('the same file again refunds nothing, nor do its lines in another', async () => {
  const [one, two] = [await paid(), await paid()];
  const file = `payment,amount\n${one.order},1000\n${two.order},full\n`;
  expect(await refund(file, await preview(file))).toEqual({ kind: 'done', refunds: 2, approvals: 0 });
  const after = await recorded();
  const again = await preview(file, bola);
  expect(fates(again.lines)).toEqual([
    { line: 2, kind: 'known', state: 'REQUESTED' },
    { line: 3, kind: 'known', state: 'REQUESTED' },
  ]);
  expect(await refund(file, again, bola)).toEqual({ kind: 'done', refunds: 0, approvals: 0 });
  const other = `amount;payment\n1000;${one.paymentId}\n`;
  expect(await refund(other, await preview(other))).toMatchObject({ refunds: 0 });
  expect(await recorded()).toEqual(after);
  const reasoned = `payment,amount,reason\n${one.order},1000,second`;
  expect(await refund(reasoned, await preview(reasoned))).toMatchObject({ refunds: 1 });
});

test.each([
  [
    'a payment was refunded in part',
    (paymentId: string) =>
      requestRefundAsPerson(context, { ...scope(), refundId: context.newId(), paymentId, amount: 1n, reason: null }, bola),
  ],
  ['the control has changed', () => keep({ secondPersonAbove: 1n })],
])('nothing is done when %s since the preview, and the new preview is returned', async (_, change) => {
  const [one, two] = [await paid(), await paid()];
  const file = `payment,amount\n${one.order},full\n${two.order},100\n`;
  const before = await preview(file);
  await change(one.paymentId);
  const known = await recorded();
  const outcome = await refund(file, before);
  expect(outcome).toEqual({ kind: 'changed', preview: await preview(file) });
  expect(await recorded()).toEqual(known);
});

test('of one file that two people refund at once, each line is refunded once', async () => {
  const payments = await Promise.all(Array.from({ length: 5 }, paid));
  const file = ['payment,amount', ...payments.map(({ order }) => `${order},full`)].join('\n');
  const before = await preview(file);
  const outcomes = await Promise.all([refund(file, before), refund(file, before, bola)]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'done']);
  expect(await recorded()).toHaveLength(5);
});

test('another merchant’s payments, and those of the other mode, are not found', async () => {
  const { order, paymentId } = await paid();
  const file = `payment,amount\n${order},full\n${paymentId},full`;
  const live = await previewBulk(context, { ...scope(), mode: 'live', file }, ada);
  const other = await createTestMerchant(context, { 'paystack-main': {} });
  const foreign = await previewBulk(context, { merchantId: other.merchantId, mode: 'test', file }, ada);
  for (const outcome of [live, foreign]) {
    expect(outcome.kind === 'preview' && outcome.lines.map(({ fate }) => fate.kind)).toEqual(['not_found', 'not_found']);
  }
});
