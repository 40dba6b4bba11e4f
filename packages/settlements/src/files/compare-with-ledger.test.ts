import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { matchAccount } from '../intake/match-account.ts';
import { type PaidPayment, recordPaid } from '../testing/account.ts';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import { previewSettlementFile, type SettlementFileOf, type SettlementFilePreview, takeSettlementFile } from './take-file.ts';

/* Payments of NGN 2,500 on Tuesday 24 November 2026, all at one of a merchant's accounts. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
let other: string;
let paid: readonly PaidPayment[];
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-26T08:00:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, {
    'paystack-main': {},
    'kora-other': { gateway: 'kora' },
  });
  key = { merchantId, accountId: accounts['paystack-main'] ?? '' };
  other = accounts['kora-other'] ?? '';
  paid = await Promise.all([0, 1, 2, 3].map(() => recordPaid(context, merchantId, { paidAt: PAID_AT })));
  const { accountId } = await context.database.prisma.attempt.findFirstOrThrow({ where: { merchantId } });
  key = { merchantId, accountId };
  other = Object.values(accounts).find((id) => id !== accountId) ?? '';
});
afterAll(() => context.close());

const row = (payout: string, at: number, { amount = '2500', fee = '37.5', day = '25/11/2026', transaction = '' } = {}) =>
  `${payout},${day},${paid[at]?.reference ?? `strange-${at}`},${transaction},${amount},${fee},24/11/2026 12:00`;

async function ledgerOf(rows: readonly string[], changes: Partial<SettlementFileOf> = {}) {
  const file = { ...key, name: 'a.csv', bytes: fileOf(...rows), mapping: MAPPING, entered: NOTHING_ENTERED, ...changes };
  return ((await previewSettlementFile(context, file)) as SettlementFilePreview).ledger;
}

async function take(rows: readonly string[]): Promise<void> {
  const file = { ...key, name: 'a.csv', bytes: fileOf(...rows), mapping: MAPPING, entered: NOTHING_ENTERED };
  const { hash } = (await previewSettlementFile(context, file)) as SettlementFilePreview;
  await takeSettlementFile(context, { ...file, hash }, 'staff:0190f0c4-1111-7000-8000-000000000001');
  await matchAccount(context, key);
}

const references = (known: number, of: number) => ({ kind: 'references', known, of, isSerious: known * 2 < of });

test('a file of this account’s payments agrees: all of its references are known, and nothing else is said', async () => {
  expect(await ledgerOf([row('P', 0), row('P', 1), row('P', 2)])).toEqual([references(3, 3)]);
  // The customer bore the fee.
  expect(await ledgerOf([row('P', 0, { amount: '2537.5' })])).toEqual([references(1, 1)]);
  expect(await ledgerOf([row('P', 0), row('P', 8)])).toEqual([references(1, 2)]);
});

test('a file of no payment that is known says so, and of which account they are', async () => {
  expect(await ledgerOf([row('P', 7), row('P', 8), row('P', 9)])).toEqual([references(0, 3)]);
  expect(await ledgerOf([row('P', 0), row('P', 1), row('P', 9)], { accountId: other })).toEqual([
    references(0, 3),
    {
      kind: 'other_account',
      accountId: key.accountId,
      accountLabel: 'paystack-main',
      gatewayTitle: 'Paystack',
      mode: 'test',
      count: 2,
      isSerious: true,
    },
  ]);
});

test.each([
  ['100 times', '250000', { kind: 'amounts_scaled', factor: '100', count: 3, of: 3, isSerious: true }],
  ['a hundredth', '25', { kind: 'amounts_scaled', factor: '0.01', count: 3, of: 3, isSerious: true }],
  ['none of', '2462.5', { kind: 'amounts_differ', count: 3, of: 3, isSerious: true }],
])('amounts that are %s those of the payments are named', async (_, amount, finding) => {
  const rows = [0, 1, 2].map((at) => row('P', at, { amount }));
  expect(await ledgerOf(rows)).toEqual([references(3, 3), finding]);
});

test('an amount in the minor unit that the mapping takes for the main one is named by its factor', async () => {
  const rows = [0, 1, 2].map((at) => row('P', at, { amount: '250000', fee: '3750' }));
  expect(await ledgerOf(rows, { mapping: { ...MAPPING, unit: 'minor' } })).toEqual([references(3, 3)]);
  expect(await ledgerOf(rows)).toMatchObject([references(3, 3), { kind: 'amounts_scaled', factor: '100' }]);
});

test('a few other amounts, another currency, and payments of after the payout are named with their number', async () => {
  expect(await ledgerOf([row('P', 0), row('P', 1), row('P', 2, { amount: '1000' })])).toEqual([
    references(3, 3),
    { kind: 'amounts_differ', count: 1, of: 3, isSerious: false },
  ]);
  expect(await ledgerOf([row('P', 0)], { mapping: { ...MAPPING, currency: 'USD' } })).toEqual([
    references(1, 1),
    { kind: 'other_currency', currency: 'USD', expected: 'NGN', count: 1, isSerious: true },
  ]);
  expect(await ledgerOf([row('P', 0, { day: '23/11/2026' })])).toEqual([
    references(1, 1),
    { kind: 'paid_afterwards', count: 1, isSerious: true },
  ]);
});

test('payments that another payout has already are named with it, and those of the same payout are not', async () => {
  await take([row('KOR-P0', 0), row('KOR-P0', 1)]);
  expect(await ledgerOf([row('KOR-P1', 0), row('KOR-P1', 1), row('KOR-P1', 2), row('KOR-P2', 3)])).toEqual([
    references(4, 4),
    {
      kind: 'settled_already',
      count: 2,
      sums: [{ currency: 'NGN', amount: '5000' }],
      payouts: ['KOR-P0'],
      isSerious: false,
    },
  ]);
  expect(await ledgerOf([row('KOR-P0', 0), row('KOR-P0', 1), row('KOR-P0', 2)])).toEqual([references(3, 3)]);
});

test('a payment that only its transaction names is known by it', async () => {
  const rows = [`P,25/11/2026,shop-1,${paid[0]?.transactionId},2500,37.5,24/11/2026 12:00`];
  expect(await ledgerOf(rows)).toEqual([references(1, 1)]);
});
