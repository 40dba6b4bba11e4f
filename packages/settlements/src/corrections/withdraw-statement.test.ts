import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { linkBankLine } from '../bank/link-bank.ts';
import { previewStatement } from '../bank/take-statement.ts';
import { createSettledMerchant } from '../testing/account.ts';
import { BANK_MAPPING, bankOf, statementOf, takeFile } from '../testing/bank.ts';
import {
  previewStatementWithdrawal,
  rehearseStatementWithdrawal,
  type StatementWithdrawalPreview,
  withdrawStatement,
} from './withdraw-statement.ts';

const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-30T08:00:00Z'));
  key = await createSettledMerchant(context);
});
afterAll(() => context.close());

const bank = () => bankOf(context, key);
const FIRST = ['23/11/2026,PAYSTACK 300001,,1000', '24/11/2026,PAYSTACK 300002,,2000'];
const SECOND = ['24/11/2026,PAYSTACK 300002,,2000', '27/11/2026,PAYSTACK 300003,,3000'];

async function take(rows: readonly string[], options: Parameters<typeof statementOf>[2] = {}): Promise<string> {
  const outcome = await takeFile(context, statementOf(key, rows, options));
  if (outcome.kind !== 'taken') throw new Error(outcome.kind);
  return outcome.statementId;
}

async function withdraw(statementId: string) {
  const withdrawn = { merchantId: key.merchantId, statementId };
  const { hash } = (await previewStatementWithdrawal(context, withdrawn)) as StatementWithdrawalPreview;
  return withdrawStatement(context, { ...withdrawn, hash, reason: 'Of another account', actor: ACTOR });
}

test('a statement that is withdrawn takes its days and lines with it, but for lines that another one has', async () => {
  await bank().payout('300001', '2026-11-23', '1000');
  await bank().payout('300002', '2026-11-24', '2000');
  await bank().payout('300003', '2026-11-27', '3000');
  const first = await take(FIRST);
  await take(SECOND);
  await bank().follow();
  expect(await bank().states()).toEqual(['300001 arrived 1000', '300002 arrived 2000', '300003 arrived 3000']);
  const withdrawn = { merchantId: key.merchantId, statementId: first };
  expect(await previewStatementWithdrawal(context, withdrawn)).toMatchObject({
    accounts: [{ bankAccount: 'GTB 0123', currency: 'NGN', lines: 1, credits: '1000', debits: '0' }],
    kept: 1,
    payouts: 1,
  });
  const rehearsal = await rehearseStatementWithdrawal(context, withdrawn, () => Promise.resolve(null));
  expect(rehearsal).toMatchObject({ opened: [], closed: [] });
  expect(await bank().states()).toContain('300001 arrived 1000');
  expect(await withdraw(first)).toEqual({ kind: 'withdrawn', lines: 1 });
  await bank().follow();
  expect(await bank().states()).toEqual(['300001 not_covered -', '300002 arrived 2000', '300003 arrived 3000']);
  expect(await bank().open()).toEqual([]);
  expect(await withdraw(first)).toMatchObject({ kind: 'refused' });
  const audited = await context.database.prisma.auditEntry.findMany({ where: { objectId: first }, orderBy: { position: 'asc' } });
  expect(audited.map(({ action }) => action)).toEqual(['settlements.statement_taken', 'settlements.statement_withdrawn']);
  expect(await context.database.prisma.withdrawnLine.count({ where: { merchantId: key.merchantId } })).toBe(1);
  expect(await take(FIRST)).not.toBe(first);
  await bank().follow();
  expect(await bank().states()).toContain('300001 arrived 1000');
});

test('a statement of the wrong account is said to be read otherwise, is withdrawn, and imported for the right one', async () => {
  await bank().payout('300001', '2026-11-23', '1000');
  const wrong = await take(FIRST, { bankAccount: 'UBA' });
  const [line] = await context.database.prisma.bankLine.findMany({ where: { merchantId: key.merchantId } });
  const settlementId = await bank().payout('300009', '2026-11-23', '1');
  await linkBankLine(context, { merchantId: key.merchantId, bankLineId: line?.id ?? '', settlementId, actor: ACTOR });
  const again = statementOf(key, FIRST);
  expect(await previewStatement(context, again)).toMatchObject({ takenBefore: context.now(), readOtherwise: true });
  expect(await takeFile(context, again)).toMatchObject({ kind: 'changed' });
  const csv = { bankAccount: 'UBA', mapping: { ...BANK_MAPPING, columns: { ...BANK_MAPPING.columns, debit: null } } };
  expect(await previewStatement(context, { ...again, csv })).toMatchObject({ readOtherwise: false });
  const days = { from: '2026-11-01', to: '2026-11-25' };
  expect(await previewStatement(context, { ...again, csv: { ...csv, days } })).toMatchObject({ readOtherwise: true });
  expect(await withdraw(wrong)).toEqual({ kind: 'withdrawn', lines: 2 });
  expect(await takeFile(context, again)).toMatchObject({ kind: 'taken', lines: 2 });
  await bank().follow();
  expect(await bank().states()).toEqual(['300001 arrived 1000', '300009 on_the_way -']);
  expect(await context.database.prisma.bankDecision.count({ where: { merchantId: key.merchantId } })).toBe(0);
});
