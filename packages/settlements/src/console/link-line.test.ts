import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { matchAccount } from '../intake/match-account.ts';
import { readSettlements } from '../intake/read-settlements.ts';
import {
  createSettledMerchant,
  linesOf,
  listing,
  type PaidPayment,
  recordPaid,
  recordRefund,
  settlementOf,
} from '../testing/account.ts';
import { findLinkable, findPairs, linkLine, unlinkLine } from './link-line.ts';

const PAID_AT = new Date('2026-11-24T11:00:00Z');
const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
let paid: PaidPayment;
let lineId: string;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  context.setClock(new Date('2026-11-23T08:00:00Z'));
  key = await createSettledMerchant(context);
  await readSettlements(listing(context, []).context, key);
  paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const strange = { ...paid, reference: 'terminal-1', transactionId: 't-1' };
  context.setClock(new Date('2026-11-25T08:00:00Z'));
  await readSettlements(listing(context, [settlementOf('s1', '2026-11-25', linesOf(strange, PAID_AT))]).context, key);
  lineId = (await line('PAYMENT'))?.id ?? '';
});

const line = (kind: 'PAYMENT' | 'FEE') => context.database.prisma.settlementLine.findFirst({ where: { ...key, kind } });
const settlement = async () => {
  const row = await context.database.prisma.settlement.findFirstOrThrow({ where: key });
  return [row.explained.toFixed(), row.unexplained.toFixed()];
};
const open = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({ where: { ...key, state: 'OPEN' } });
  return rows.map(({ kind, subject }) => `${kind} ${subject.split('/')[0]}`).sort();
};
const find = (text: string) => findLinkable(context, { merchantIds: [key.merchantId], lineId, text });
const command = () => ({ merchantId: key.merchantId, lineId, actor: ACTOR });
const entry = () => ({ subject: `payment/${paid.paymentId}`, paymentId: paid.paymentId });

test('what a line may be of is found by order id, payment, reference and transaction, with its refunds', async () => {
  const refundId = await recordRefund(context, key, paid, { amount: 400n, at: PAID_AT });
  const { merchantOrderId } = await context.database.prisma.payment.findFirstOrThrow({ where: { id: paid.paymentId } });
  for (const text of [merchantOrderId, paid.paymentId, paid.reference, paid.transactionId, `rf-${refundId}`]) {
    expect(await find(text)).toMatchObject([
      { subject: `payment/${paid.paymentId}`, kind: 'payment', amount: '2500', fee: '37.5', merchantOrderId },
      { subject: `refund/${refundId}`, kind: 'refund', amount: '-400' },
    ]);
  }
  expect(await find('nothing')).toEqual([]);
  expect(await findLinkable(context, { merchantIds: [context.newId()], lineId, text: paid.reference })).toBeNull();
});

test('a line that is not matched and missing money of the same amount are offered to each other', async () => {
  expect(await find('')).toEqual([]);
  context.setClock(new Date('2026-11-30T08:00:00Z'));
  await readSettlements(listing(context, [settlementOf('s2', '2026-11-26', [], { net: '0' })]).context, key);
  expect(await find('')).toMatchObject([{ subject: `payment/${paid.paymentId}`, amount: '2500' }]);
  const discrepancies = await context.database.prisma.settlementDiscrepancy.findMany({ where: { ...key, state: 'OPEN' } });
  const of = (kind: string, id: string | null = null) =>
    discrepancies.find((each) => each.kind === kind && (id === null || each.lineId === id))?.id ?? '';
  const pairs = (discrepancyId: string) => findPairs(context, { merchantIds: [key.merchantId], discrepancyId });
  const pair = { lineId, settlementReference: 's1', settledOn: '2026-11-25', entry: { subject: `payment/${paid.paymentId}` } };
  expect(await pairs(of('UNMATCHED', lineId))).toMatchObject([pair]);
  expect(await pairs(of('MISSING'))).toMatchObject([pair]);
  expect(await findPairs(context, { merchantIds: [context.newId()], discrepancyId: of('MISSING') })).toBeNull();
  const fee = await line('FEE');
  expect(await pairs(of('UNMATCHED', fee?.id))).toEqual([]);
});

test('a line that staff linked explains its amount and settles its payment, and undone, both are open again', async () => {
  expect([await settlement(), await open()]).toEqual([
    ['0', '2537.5'],
    ['UNMATCHED line', 'UNMATCHED line'],
  ]);
  const fee = { ...command(), lineId: (await line('FEE'))?.id ?? '' };
  expect(await linkLine(context, { ...command(), entry: entry() })).toEqual({ kind: 'changed' });
  expect(await linkLine(context, { ...command(), entry: entry() })).toEqual({ kind: 'unchanged' });
  expect(await linkLine(context, { ...fee, entry: entry() })).toEqual({ kind: 'changed' });
  await matchAccount(context, key);
  expect([await settlement(), await open()]).toEqual([['2537.5', '0'], []]);
  expect(await line('PAYMENT')).toMatchObject({ linkedBy: 'STAFF', paymentId: paid.paymentId });
  expect(await unlinkLine(context, command())).toEqual({ kind: 'changed' });
  expect(await unlinkLine(context, command())).toEqual({ kind: 'unchanged' });
  await matchAccount(context, key);
  expect([await settlement(), await open()]).toEqual([
    ['37.5', '2500'],
    ['UNDER payment', 'UNMATCHED line'],
  ]);
  const audited = await context.database.prisma.auditEntry.findMany({ where: { tenantId: key.merchantId, actor: ACTOR } });
  expect(audited.map(({ action }) => action).sort()).toEqual([
    'settlements.line_linked',
    'settlements.line_linked',
    'settlements.line_unlinked',
  ]);
});

test('what cannot be is refused, and changes nothing', async () => {
  const linked = (to: { subject: string; paymentId: string }) => linkLine(context, { ...command(), entry: to });
  expect(await linked({ subject: 'payment/x', paymentId: paid.paymentId })).toMatchObject({ kind: 'refused' });
  expect(await linked({ ...entry(), paymentId: context.newId() })).toMatchObject({ kind: 'refused' });
  expect(await linkLine(context, { ...command(), merchantId: context.newId(), entry: entry() })).toEqual({ kind: 'not_found' });
  await linked(entry());
  const other = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const again = { subject: `payment/${other.paymentId}`, paymentId: other.paymentId };
  expect(await linked(again)).toEqual({ kind: 'refused', why: 'It is matched already.' });
  expect(await line('PAYMENT')).toMatchObject({ paymentId: paid.paymentId });
});

test('money in another currency is not what a line is of, and nothing is what a residue is of', async () => {
  const { prisma } = context.database;
  const where = { merchantId: key.merchantId, paymentId: paid.paymentId };
  await prisma.payment.updateMany({ where: { merchantId: key.merchantId, id: paid.paymentId }, data: { currency: 'USD' } });
  await prisma.attempt.updateMany({ where, data: { receivedCurrency: 'USD' } });
  const why = 'It is in USD, the line in NGN.';
  expect(await linkLine(context, { ...command(), entry: entry() })).toEqual({ kind: 'refused', why });
  const other = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const payout = settlementOf('s2', '2026-11-25', linesOf(other, PAID_AT), { net: '2400' });
  await readSettlements(listing(context, [payout]).context, key);
  const residue = await prisma.settlementLine.findFirstOrThrow({ where: { ...key, kind: 'RESIDUE' } });
  const to = { subject: `payment/${other.paymentId}`, paymentId: other.paymentId };
  expect(await linkLine(context, { ...command(), lineId: residue.id, entry: to })).toMatchObject({ kind: 'refused' });
});

test.each([
  ['REFERENCE', {}],
  ['TRANSACTION', { reference: 'terminal-2' }],
] as const)('what was matched by the %s that the gateway says is not undone by staff', async (by, named) => {
  const other = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const payouts = [settlementOf('s2', '2026-11-25', linesOf({ ...other, ...named }, PAID_AT))];
  await readSettlements(listing(context, payouts).context, key);
  const matched = await context.database.prisma.settlementLine.findFirstOrThrow({
    where: { ...key, paymentId: other.paymentId, kind: 'PAYMENT' },
  });
  expect(matched.linkedBy).toBe(by);
  expect(await unlinkLine(context, { ...command(), lineId: matched.id })).toMatchObject({ kind: 'refused' });
  const { merchantId } = key;
  const where = { merchantId_id: { merchantId, id: matched.id } };
  expect(await context.database.prisma.settlementLine.findUnique({ where })).toEqual(matched);
});
