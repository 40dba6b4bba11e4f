import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { previewWithdrawal, type WithdrawalPreview, withdraw } from '@switchyard/settlements/corrections';
import {
  previewSettlementFile,
  type SettlementFilePreview,
  type SettlementMapping,
  takeSettlementFile,
} from '@switchyard/settlements/files';
import { matchAccount } from '@switchyard/settlements/intake';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeMonth } from '../month-close/close-month.ts';
import { readMonth } from '../month-close/read-month.ts';
import { createBooks, recordPaid, type TestBooks } from '../testing/books.ts';
import { type Correction, type CorrectionEffect, previewEffect } from './preview-effect.ts';

const ACTOR = 'system:test';
const MAPPING: SettlementMapping = {
  sheet: null,
  titlesLine: null,
  columns: {
    settlement: 'Payout',
    settledOn: 'Day',
    reference: 'Reference',
    transactionId: null,
    kind: null,
    amount: 'Amount',
    direction: null,
    fee: 'Fee',
    net: null,
    currency: null,
    occurredAt: null,
    description: null,
  },
  kinds: {},
  directions: {},
  signs: 'as_written',
  currency: 'NGN',
  unit: 'main',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
};

let context: TestPayments;
let books: TestBooks;
let references: readonly string[];
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-02T08:00:00Z'));
  books = await createBooks(context);
  const { merchantId } = books;
  const paid = [
    await recordPaid(context, books, '2026-10-05T10:00:00Z'),
    await recordPaid(context, books, '2026-10-30T10:00:00Z'),
  ];
  references = await Promise.all(
    paid.map(async (paymentId) => {
      const attempt = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId, paymentId } });
      return attempt.reference;
    }),
  );
});
afterAll(() => context.close());

type Row = readonly [payout: string, day: string, at: number, amount: string, fee: string];
const fileOf = (rows: readonly Row[], corrections = {}) => ({
  merchantId: books.merchantId,
  accountId: books.paystack,
  name: 'payouts.csv',
  bytes: new TextEncoder().encode(
    [
      'Payout,Day,Reference,Amount,Fee',
      ...rows.map(([payout, day, at, ...money]) => [payout, day, references[at] ?? 'none', ...money].join(',')),
    ].join('\n'),
  ),
  mapping: MAPPING,
  entered: { reference: null, settledOn: null },
  corrections,
});

async function take(rows: readonly Row[], corrections = {}): Promise<void> {
  const file = fileOf(rows, corrections);
  const { hash } = (await previewSettlementFile(context, file)) as SettlementFilePreview;
  expect(await takeSettlementFile(context, { ...file, hash, reason: 'The wrong fee' }, ACTOR)).toMatchObject({ kind: 'taken' });
  await settle();
}

async function settle(): Promise<void> {
  context.setClock(new Date(context.now().getTime() + 60_000));
  await matchAccount(context, { merchantId: books.merchantId, accountId: books.paystack });
}

async function effectOf(correction: Correction): Promise<CorrectionEffect> {
  const effect = await previewEffect(context, correction);
  if (effect.kind !== 'effect') throw new Error(effect.kind);
  return effect;
}

const key = () => ({ merchantId: books.merchantId, mode: 'test' as const, month: '2026-10' });

/** Changes since a month was closed, by kind. */
async function adjustments(): Promise<readonly string[]> {
  const { configuration } = context.resources;
  const reader = { configuration, database: context.database, staff: context.resources.database, now: context.now };
  const month = await readMonth(reader, key());
  return (month?.close?.adjustments.sums ?? []).map(({ kind, difference }) => `${kind} ${difference}`).toSorted();
}

const october = ({ books: changes }: CorrectionEffect) =>
  changes.flatMap(({ month, kind, difference }) => (month === '2026-10' ? [`${kind} ${difference}`] : [])).toSorted();

test('a payout of a closed month that is replaced changes exactly what is shown, and nothing while it is shown', async () => {
  await take([
    ['P-1', '06/10/2026', 0, '2500', '40'],
    ['P-1', '06/10/2026', 7, '100', '0'],
  ]);
  await closeMonth(context, key(), ACTOR);
  const rows: readonly Row[] = [
    ['P-1', '06/10/2026', 0, '2500', '37.5'],
    ['P-1', '06/10/2026', 7, '90', '0'],
    ['P-2', '02/11/2026', 1, '2500', '37.5'],
  ];
  const corrections = { 'P-1': 'replace' as const };
  const effect = await effectOf({ kind: 'file', file: fileOf(rows, corrections) });
  expect(
    effect.books.map(({ month, state, kind, before, after, difference }) => {
      return `${month} ${state} ${kind} ${before.count} ${before.amount} ${after.count} ${after.amount} ${difference}`;
    }),
  ).toEqual([
    '2026-10 closed adjustment 1 100 1 90 -10',
    '2026-10 closed fee 2 -77.5 2 -75 2.5',
    '2026-10 closed payout 1 -2560 1 -2552.5 7.5',
    '2026-11 open payout 0 0 1 -2462.5 -2462.5',
  ]);
  expect(await adjustments()).toEqual([]);
  await take(rows, corrections);
  expect(await adjustments()).toEqual(october(effect));
});

test('a payout of a closed month that is withdrawn changes exactly what is shown', async () => {
  await take([
    ['P-0', '01/10/2026', 9, '10', '0'],
    ['P-1', '06/10/2026', 0, '2500', '40'],
    ['P-2', '31/10/2026', 1, '2500', '37.5'],
  ]);
  await closeMonth(context, key(), ACTOR);
  const { id: settlementId } = await context.database.prisma.settlement.findFirstOrThrow({
    where: { merchantId: books.merchantId, reference: 'P-1' },
  });
  const withdrawn = { merchantId: books.merchantId, settlementId };
  const effect = await effectOf({ kind: 'withdrawal', withdrawn });
  expect(october(effect)).toEqual(['fee 2.5', 'payout 2460']);
  expect(effect.opened).toMatchObject([{ kind: 'MISSING', count: 1, amount: '2462.5' }]);
  const { hash } = (await previewWithdrawal(context, withdrawn)) as WithdrawalPreview;
  expect(await withdraw(context, { ...withdrawn, hash, reason: 'Twice', actor: ACTOR })).toEqual({
    kind: 'withdrawn',
    payouts: 1,
  });
  await settle();
  expect(await adjustments()).toEqual(october(effect));
  const open = await context.database.prisma.settlementDiscrepancy.findMany({
    where: { merchantId: books.merchantId, state: 'OPEN' },
  });
  expect(open.map(({ kind }) => kind).toSorted()).toEqual(['MISSING', 'UNMATCHED']);
});

test('what cannot be corrected is refused, with why', async () => {
  const merchantId = context.newId();
  expect(await previewEffect(context, { kind: 'withdrawal', withdrawn: { merchantId, settlementId: merchantId } })).toEqual({
    kind: 'not_found',
  });
  expect(await previewEffect(context, { kind: 'file', file: { ...fileOf([]), merchantId } })).toEqual({ kind: 'not_found' });
});
