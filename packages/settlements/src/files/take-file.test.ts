import { addDecimals } from '@switchyard/db/decimals';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { matchAccount } from '../intake/match-account.ts';
import { recordPaid } from '../testing/account.ts';
import { fileOf, fixture, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import { inspectSettlementFile, listSettlementFiles } from './files.ts';
import { previewSettlementFile, type SettlementFilePreview, takeSettlementFile } from './take-file.ts';

/* Payments of Tuesday 24 November 2026 at a gateway that lists no settlements, due on Wednesday. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');
const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
let other: string;
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-11-25T08:00:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, {
    'kora-main': { gateway: 'kora' },
    'kora-other': { gateway: 'kora' },
  });
  key = { merchantId, accountId: accounts['kora-main'] ?? '' };
  other = accounts['kora-other'] ?? '';
});
afterAll(() => context.close());

const file = (bytes: Uint8Array, mapping = MAPPING) => ({ ...key, name: 'kora.csv', bytes, mapping, entered: NOTHING_ENTERED });
const row = (payout: string, reference: string, amount = '2500', fee = '37.5') =>
  `${payout},25/11/2026,${reference},t-${reference},${amount},${fee},24/11/2026 12:00`;
const settlements = () => context.database.prisma.settlement.findMany({ where: key, orderBy: { reference: 'asc' } });
const lines = () => context.database.prisma.settlementLine.findMany({ where: key });

async function preview(bytes: Uint8Array): Promise<SettlementFilePreview> {
  const outcome = await previewSettlementFile(context, file(bytes));
  if (outcome.kind !== 'preview') throw new Error(outcome.kind);
  return outcome;
}

async function take(bytes: Uint8Array) {
  const { hash } = await preview(bytes);
  return takeSettlementFile(context, { ...file(bytes), hash }, ACTOR);
}

test('what is stored is exactly what the preview said, and is matched as what other roads bring', async () => {
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const bytes = fileOf(row('S-1', paid.reference), row('S-1', 'stranger'), row('S-2', 'another', '(400)', '0'));
  const said = await preview(bytes);
  expect(said).toMatchObject({ rows: 3, counts: { new: 2, known: 0, differs: 0 }, problemCount: 0, takenBefore: null });
  expect(await settlements()).toEqual([]);
  expect(await takeSettlementFile(context, { ...file(bytes), hash: said.hash }, ACTOR)).toMatchObject({
    kind: 'taken',
    settlements: 2,
    lines: 5,
  });
  const stored = await settlements();
  expect(
    stored.map(({ reference, currency, gross, fees, deductions, net, lineCount, road }) => {
      const amounts = [gross, fees, deductions, net].map((amount) => amount.toFixed());
      return [reference, currency, ...amounts, lineCount, road];
    }),
  ).toEqual(
    said.settlements.map(({ reference, currency, gross, fees, deductions, net, lines: count }) => {
      return [reference, currency, gross, fees, deductions, net, count, 'FILE'];
    }),
  );
  const net = addDecimals(...stored.map((settlement) => settlement.net.toFixed()));
  expect(addDecimals(...(await lines()).map(({ amount }) => amount.toFixed()))).toBe(net);
  expect(await matchAccount(context, key)).toMatchObject({ kind: 'matched', linked: 2 });
});

test('the same file, and an overlapping one, change nothing of what is stored', async () => {
  const bytes = fileOf(row('S-1', 'a'), row('S-1', 'b'));
  expect(await take(bytes)).toMatchObject({ kind: 'taken', settlements: 1 });
  const before = [await settlements(), await lines()];
  expect(await preview(bytes)).toMatchObject({ counts: { new: 0, known: 1 }, takenBefore: context.now() });
  expect(await take(bytes)).toMatchObject({ kind: 'unchanged' });
  expect(await take(fileOf(row('S-1', 'b'), row('S-1', 'a'), row('S-2', 'c')))).toMatchObject({
    kind: 'taken',
    settlements: 1,
    lines: 2,
  });
  expect([(await settlements()).slice(0, 1), (await lines()).filter(({ reference }) => reference !== 'c')]).toEqual(before);
});

test('of a file that contradicts what is stored, or has a cell that cannot be read, nothing is taken', async () => {
  await take(fileOf(row('S-1', 'a')));
  const contradicting = fileOf(row('S-1', 'a', '2400'), row('S-2', 'b'));
  expect(await preview(contradicting)).toMatchObject({ counts: { new: 1, known: 0, differs: 1 } });
  expect(await take(contradicting)).toMatchObject({ kind: 'changed' });
  const unreadable = fileOf(row('S-3', 'c'), row('S-3', 'd', 'much'));
  expect(await preview(unreadable)).toMatchObject({
    settlements: [],
    problems: [{ line: 3, column: 'Amount', message: 'is no amount: “much”' }],
  });
  expect(await take(unreadable)).toMatchObject({ kind: 'changed' });
  expect((await settlements()).map(({ reference }) => reference)).toEqual(['S-1']);
});

test('nothing is done when another preview holds by then', async () => {
  const bytes = fileOf(row('S-1', 'a'), row('S-2', 'b'));
  const { hash } = await preview(bytes);
  await take(fileOf(row('S-2', 'b')));
  const outcome = await takeSettlementFile(context, { ...file(bytes), hash }, ACTOR);
  expect(outcome).toMatchObject({ kind: 'changed', preview: { counts: { new: 1, known: 1 } } });
  expect((await settlements()).map(({ reference }) => reference)).toEqual(['S-2']);
  const mapped = { ...MAPPING, columns: { ...MAPPING.columns, fee: null } };
  expect(await takeSettlementFile(context, { ...file(bytes, mapped), hash }, ACTOR)).toMatchObject({ kind: 'changed' });
});

test('two people who take the same file in at once store it once', async () => {
  const bytes = fileOf(...Array.from({ length: 20 }, (_, at) => row(`S-${at % 3}`, `r-${at}`)));
  const { hash } = await preview(bytes);
  const outcomes = await Promise.all([1, 2, 3].map(() => takeSettlementFile(context, { ...file(bytes), hash }, ACTOR)));
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['taken', 'unchanged', 'unchanged']);
  expect((await lines()).length).toBe(40);
});

test('the mapping is kept for the account, and proposed for the gateway’s other account', async () => {
  const bytes = fileOf(row('S-1', 'a'));
  expect(await inspectSettlementFile(context, { ...key, bytes })).toMatchObject({
    kind: 'columns',
    isProfile: false,
    titles: ['Settlement ref', 'Settled on', 'Reference', 'Transaction id', 'Amount', 'Fee', 'Paid at'],
    samples: [['S-1', '25/11/2026', 'a', 't-a', '2500', '37.5', '24/11/2026 12:00']],
    mapping: MAPPING,
  });
  const mapping = { ...MAPPING, unit: 'minor' } as const;
  const kobo = fileOf(row('S-1', 'a', '250000', '3750'));
  const { hash } = (await previewSettlementFile(context, file(kobo, mapping))) as SettlementFilePreview;
  await takeSettlementFile(context, { ...file(kobo, mapping), hash }, ACTOR);
  for (const accountId of [key.accountId, other]) {
    expect(await inspectSettlementFile(context, { ...key, accountId, bytes })).toMatchObject({ isProfile: true, mapping });
  }
  const elsewhere = new TextEncoder().encode('Day,Ref,Value\n25/11/2026,a,1');
  expect(await inspectSettlementFile(context, { ...key, bytes: elsewhere })).toMatchObject({ isProfile: false });
});

test('the sheet and the line of titles can be chosen, and are found again in the next file', async () => {
  const summary = fixture('xlsx-summary-first.xlsx');
  const found = await inspectSettlementFile(context, { ...key, bytes: summary });
  expect(found).toMatchObject({
    kind: 'columns',
    sheets: [
      { name: 'Summary', isHidden: false },
      { name: 'Transactions', isHidden: false },
    ],
    sheet: 'Transactions',
    titlesLine: 1,
    mapping: { sheet: 'Transactions', titlesLine: null },
  });
  expect(await inspectSettlementFile(context, { ...key, bytes: summary, sheet: 'Summary' })).toMatchObject({
    sheet: 'Summary',
    titles: ['Total paid', '1234.5'],
    mapping: { sheet: 'Summary' },
  });
  const preamble = 'Report of our own transactions,a,b,c,d,e,f,g\n';
  const bytes = new TextEncoder().encode(preamble + new TextDecoder().decode(fileOf(row('S-1', 'a'))));
  expect(await inspectSettlementFile(context, { ...key, bytes })).toMatchObject({
    titlesLine: 1,
    titleRows: [
      { line: 1 },
      { line: 2, text: 'Settlement ref · Settled on · Reference · Transaction id · Amount · Fee · Paid a…' },
      {},
    ],
  });
  const chosen = await inspectSettlementFile(context, { ...key, bytes, titlesLine: 2 });
  expect(chosen).toMatchObject({ titlesLine: 2, mapping: { ...MAPPING, titlesLine: 2 } });
  const mapping = { ...MAPPING, titlesLine: 2 };
  const { hash } = (await previewSettlementFile(context, file(bytes, mapping))) as SettlementFilePreview;
  expect(await takeSettlementFile(context, { ...file(bytes, mapping), hash }, ACTOR)).toMatchObject({ kind: 'taken' });
  expect(await inspectSettlementFile(context, { ...key, bytes })).toMatchObject({ titlesLine: 2, mapping, isProfile: true });
  expect(await inspectSettlementFile(context, { ...key, bytes: fileOf(row('S-2', 'b')) })).toMatchObject({
    titlesLine: 1,
    isProfile: true,
  });
});

test('what kinds, directions, decimals and days of a file are is proposed from its words', async () => {
  const inspect = (text: string) => inspectSettlementFile(context, { ...key, bytes: new TextEncoder().encode(text) });
  expect(
    await inspect('Ref;Type;Amount;DR/CR;Paid at\na-1;Payment;1.000,50;CR;11/25/2026\na-1;Refund reversal;10,00;DR;11/26/2026\n'),
  ).toMatchObject({
    mapping: {
      columns: { reference: 'Ref', kind: 'Type', amount: 'Amount', direction: 'DR/CR' },
      kinds: { payment: 'payment', 'refund reversal': 'refund_returned' },
      directions: { cr: 'credit', dr: 'debit' },
      decimalMark: ',',
      dates: 'month_first',
    },
  });
  expect(await inspect('Ref,Type,Amount\na-1,Card,5\n')).toMatchObject({ mapping: { columns: { kind: null }, kinds: {} } });
});

test('what is left out, and what should be known, is in the preview', async () => {
  const bytes = fileOf(row('S-1', 'a-1'), row('S-1', 'a-2'), ',,TOTALS,,5000,75,');
  expect(await preview(bytes)).toMatchObject({
    rows: 2,
    skipped: [{ line: 4, text: 'TOTALS', reason: 'total', amount: '5000', currency: 'NGN' }],
    skippedCount: 1,
    skippedSums: [{ currency: 'NGN', amount: '5000' }],
    warnings: [],
  });
  context.setClock(new Date('2025-11-25T08:00:00Z'));
  expect(await preview(bytes)).toMatchObject({
    warnings: [
      { kind: 'days_unlikely', column: 'Settled on', day: '2026-11-25' },
      { kind: 'days_unlikely', column: 'Paid at', day: '2026-11-24' },
    ],
  });
});

test('money that is given back is stored as it came, and matched with what it was taken for', async () => {
  const paid = await recordPaid(context, key.merchantId, { paidAt: PAID_AT });
  const bytes = fileOf(row('S-1', paid.reference, '2500', '37.5'), row('S-2', paid.reference, '-2500', '-37.5'));
  expect(await take(bytes)).toMatchObject({ kind: 'taken', settlements: 2, lines: 4 });
  expect((await settlements()).map(({ gross, fees, deductions, net }) => [gross, fees, deductions, net].map(Number))).toEqual([
    [2500, 37.5, 0, 2462.5],
    [0, -37.5, 2500, -2462.5],
  ]);
});

test('who took which file in is kept and audited, and no other merchant’s account takes one', async () => {
  const bytes = fileOf(row('S-1', 'a'));
  await take(bytes);
  const listed = await listSettlementFiles(context, { merchantIds: [key.merchantId], mode: 'test' });
  const facts = { name: 'kora.csv', rows: 1, settlements: 1, lines: 2, bytes: bytes.length, gateway: 'kora' };
  expect(listed).toMatchObject([{ ...facts, accountId: key.accountId, takenAt: context.now() }]);
  const audited = await context.database.prisma.auditEntry.findMany({ where: { tenantId: key.merchantId } });
  expect(audited.map(({ action, actor }) => [action, actor])).toContainEqual(['settlements.file_taken', ACTOR]);
  const { merchantId } = await createTestMerchant(context, {});
  expect(await previewSettlementFile(context, { ...file(bytes), merchantId })).toEqual({ kind: 'not_found' });
});
