import { addDecimals } from '@switchyard/db/decimals';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { storeSettlement } from '../intake/store-settlement.ts';
import { createSettledMerchant, settlementOf } from '../testing/account.ts';
import { BANK_MAPPING } from '../testing/files.ts';
import { changeBankMatching, inspectStatement } from './bank.ts';
import { followBank } from './follow-bank.ts';
import type { BankMapping } from './mapping.ts';
import { readBank } from './read-bank.ts';
import { previewStatement, type StatementPreview, takeStatement } from './take-statement.ts';

const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';
const MAPPING: BankMapping = {
  ...BANK_MAPPING,
  columns: { ...BANK_MAPPING.columns, amount: null, credit: 'Credit', debit: 'Debit' },
};

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

const scope = () => ({ merchantId: key.merchantId, mode: 'test' as const });
const bytes = (...rows: string[]) => new TextEncoder().encode(['Value date,Narration,Debit,Credit', ...rows].join('\n'));
const file = (...rows: string[]) => ({
  ...scope(),
  name: 'gtb.csv',
  bytes: bytes(...rows),
  csv: { bankAccount: 'GTB 0123', mapping: MAPPING },
});

async function preview(...rows: string[]): Promise<StatementPreview> {
  const outcome = await previewStatement(context, file(...rows));
  if (outcome.kind !== 'preview') throw new Error(outcome.kind);
  return outcome;
}

async function take(...rows: string[]) {
  const { hash } = await preview(...rows);
  return takeStatement(context, { ...file(...rows), hash }, ACTOR);
}

const lines = () => context.database.prisma.bankLine.findMany({ where: { merchantId: key.merchantId }, orderBy: { id: 'asc' } });
const open = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({
    where: { merchantId: key.merchantId, state: 'OPEN' },
    orderBy: { subject: 'asc' },
  });
  return rows.map(
    ({ kind, subject, expected, settled }) =>
      `${kind} ${subject.split('/')[0]} ${expected?.toFixed() ?? '-'} ${settled?.toFixed() ?? '-'}`,
  );
};

async function payout(reference: string, settledOn: string, net: string, of = key): Promise<void> {
  const { head } = settlementOf(reference, settledOn, [], { net, gross: net });
  await storeSettlement(context, { ...of, road: 'POLLED', settlement: head, lines: [] });
}

/** Matches and judges, once no more has come for a while. */
async function follow(of = scope()) {
  context.setClock(new Date(context.now().getTime() + 60_000));
  return followBank(context, of);
}

describe('taking a statement in', () => {
  const rows = ['24/11/2026,PAYSTACK 300001,,1000.00', '24/11/2026,Fee,50.00,', '24/11/2026,Fee,50.00,'];

  test('stores exactly the lines of its preview, alike ones too, and they never change', async () => {
    const said = await preview(...rows);
    expect(said.accounts).toEqual([
      {
        bankAccount: 'GTB 0123',
        currency: 'NGN',
        days: [{ from: '2026-11-24', to: '2026-11-24' }],
        credits: '1000',
        debits: '-100',
        fresh: 3,
        known: 0,
      },
    ]);
    expect(await takeStatement(context, { ...file(...rows), hash: said.hash }, ACTOR)).toMatchObject({
      kind: 'taken',
      lines: 3,
      known: 0,
    });
    const stored = await lines();
    expect(stored.map(({ bankAccount, amount, text }) => ({ bankAccount, amount: amount.toFixed(), text }))).toEqual(
      said.lines.map(({ bankAccount, amount, text }) => ({ bankAccount, amount, text })),
    );
    const change = context.database.prisma.bankLine.updateMany({ where: { merchantId: key.merchantId }, data: { amount: 1 } });
    await expect(change).rejects.toThrow(/do not change/);
  });

  test('again changes nothing, and of an overlapping one only what is new is stored', async () => {
    await take(...rows);
    expect(await take(...rows)).toMatchObject({ kind: 'unchanged' });
    expect(await take(...rows, '25/11/2026,Fee,50.00,')).toMatchObject({ kind: 'taken', lines: 1, known: 3 });
    expect(await lines()).toHaveLength(4);
    expect(addDecimals(...(await lines()).map(({ amount }) => amount.toFixed()))).toBe('850');
  });

  test('does nothing where a cell cannot be read, or another preview holds by then', async () => {
    const { hash } = await preview('24/11/2026,a,,1', '25/11/2026,b,,2');
    await take('25/11/2026,b,,2');
    const outcome = await takeStatement(context, { ...file('24/11/2026,a,,1', '25/11/2026,b,,2'), hash }, ACTOR);
    expect(outcome).toMatchObject({ kind: 'changed', preview: { accounts: [{ fresh: 1, known: 1 }] } });
    expect(await take('24/11/2026,c,,much')).toMatchObject({
      kind: 'changed',
      preview: { problems: [{ line: 2, column: 'Credit' }] },
    });
    expect(await lines()).toHaveLength(1);
  });

  test('keeps the columns of the account for its next file', async () => {
    const next = { merchantId: key.merchantId, bytes: bytes('26/11/2026,a,,1') };
    expect(await inspectStatement(context, next)).toMatchObject({ kind: 'columns', bankAccount: null, mapping: MAPPING });
    await take('24/11/2026,a,,1');
    expect(await inspectStatement(context, next)).toMatchObject({ kind: 'columns', bankAccount: 'GTB 0123', mapping: MAPPING });
  });
});

test('a column of directions is proposed beside an amount without a sign, and what is left out is in the preview', async () => {
  const marked = new TextEncoder().encode(
    'Value date,Narration,Amount,DR/CR\n24/11/2026,a,"1,000.00",CR\n25/11/2026,b,5.00,DR\n,Balance,,\n',
  );
  const inspected = await inspectStatement(context, { merchantId: key.merchantId, bytes: marked });
  if (inspected.kind !== 'columns') throw new Error(inspected.kind);
  const { mapping } = inspected;
  expect(mapping).toEqual({
    ...BANK_MAPPING,
    columns: { ...BANK_MAPPING.columns, direction: 'DR/CR' },
    directions: { cr: 'credit', dr: 'debit' },
  });
  const of = { ...scope(), name: 'uba.csv', bytes: marked, csv: { bankAccount: 'UBA', mapping } };
  expect(await previewStatement(context, of)).toMatchObject({
    accounts: [{ credits: '1000', debits: '-5' }],
    skipped: [{ line: 4, text: 'Balance', reason: 'no_amount', amount: null }],
    skippedCount: 1,
    skippedSums: [],
    warnings: [],
  });
});

describe('what reached the bank', () => {
  const read = async () => {
    const { payouts, unmatched, coverage } = await readBank(context.resources, {
      merchantIds: [key.merchantId],
      mode: 'test',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    return {
      payouts: payouts.map(({ reference, state, arrived }) => `${reference} ${state} ${arrived ?? '-'}`).sort(),
      unmatched,
      coverage,
    };
  };

  test('is found for each payout: arrived, short by a charge, on the way, missing; and a credit that is of none', async () => {
    await payout('300000', '2026-11-10', '700');
    await payout('300001', '2026-11-23', '1000');
    await payout('300002', '2026-11-24', '2000');
    await payout('300003', '2026-11-24', '3000');
    await payout('300004', '2026-11-27', '4000');
    await take(
      '23/11/2026,PAYSTACK 300001,,1000.00',
      '25/11/2026,NIP PAYSTACK LTD,,1950.00',
      '26/11/2026,PAYSTACK REFUND OF FEE,,77.00',
      '27/11/2026,RENT OF SHOP,,123.00',
    );
    expect(await follow()).toEqual({ matched: 2, unmatched: 0, found: 3, resolved: 0 });
    expect(await read()).toMatchObject({
      payouts: ['300000 not_covered -', '300001 arrived 1000', '300002 short 1950', '300003 missing -', '300004 on_the_way -'],
      unmatched: [{ amount: '77', text: 'PAYSTACK REFUND OF FEE' }],
      coverage: [{ bankAccount: 'GTB 0123', days: [{ from: '2026-11-23', to: '2026-11-27' }] }],
    });
    expect((await open()).sort()).toEqual(['MISSING payout 3000 -', 'UNDER payout 2000 1950', 'UNMATCHED bank - 77']);
    expect(await follow()).toEqual({ matched: 0, unmatched: 0, found: 0, resolved: 0 });
  });

  test('is closed as a discrepancy when it came after all', async () => {
    await payout('300001', '2026-11-23', '1000');
    await payout('300003', '2026-11-23', '3000');
    await take('23/11/2026,PAYSTACK 300001,,1000', '27/11/2026,b,,1');
    await follow();
    expect(await open()).toEqual(['MISSING payout 3000 -']);
    await take('28/11/2026,PAYSTACK 300003,,3000');
    expect(await follow()).toMatchObject({ matched: 1, resolved: 1 });
    expect(await open()).toEqual([]);
  });

  test('says nothing of an account of which nothing ever came: it may be paid out to another bank', async () => {
    await payout('300003', '2026-11-23', '3000');
    await take('23/11/2026,RENT,,1', '30/11/2026,RENT,,1');
    await follow();
    expect((await read()).payouts).toEqual(['300003 not_covered -']);
    expect(await open()).toEqual([]);
  });
});

describe('how near the money has to be', () => {
  const RULED = { tolerance: '10', days: 1, workingDays: 0 };
  const set = (matching: typeof RULED | null) =>
    changeBankMatching(context, { merchantId: key.merchantId, matching, actor: ACTOR });

  test('is the setting of the merchant, else the default, by which all is matched again', async () => {
    await payout('S-1', '2026-11-23', '1000');
    await payout('S-2', '2026-11-23', '5000');
    await take('25/11/2026,PAYSTACK,,950.00', '25/11/2026,NIP,,5000.00');
    expect(await set(RULED)).toEqual({ kind: 'changed' });
    expect(await follow()).toMatchObject({ matched: 0 });
    expect(await set({ ...RULED, days: 2 })).toEqual({ kind: 'changed' });
    expect(await follow()).toMatchObject({ matched: 1 });
    expect(await set({ ...RULED, days: 2, tolerance: '50' })).toEqual({ kind: 'changed' });
    expect(await follow()).toMatchObject({ matched: 1 });
    expect(await set({ ...RULED, days: 2 })).toEqual({ kind: 'changed' });
    expect(await follow()).toMatchObject({ matched: 0, unmatched: 1 });
    const { payouts } = await readBank(context.resources, {
      merchantIds: [key.merchantId],
      mode: 'test',
      from: '2026-11-01',
      to: '2026-11-30',
    });
    expect(payouts.map(({ reference, state }) => `${reference} ${state}`).toSorted()).toEqual(['S-1 not_covered', 'S-2 arrived']);
  });

  test('says when a payout is missing', async () => {
    await payout('S-0', '2026-11-19', '77');
    await take('19/11/2026,PAYSTACK,,77.00', '24/11/2026,Fee,50.00,');
    await payout('S-1', '2026-11-23', '1000');
    const stateOf = async () => {
      await follow();
      const { payouts } = await readBank(context.resources, {
        merchantIds: [key.merchantId],
        mode: 'test',
        from: '2026-11-23',
        to: '2026-11-30',
      });
      return payouts.map(({ state, expectedOn }) => `${state} ${expectedOn}`);
    };
    expect(await stateOf()).toEqual(['on_the_way 2026-11-25']);
    await set(RULED);
    expect(await stateOf()).toEqual(['missing 2026-11-23']);
    await set(null);
    expect(await stateOf()).toEqual(['on_the_way 2026-11-25']);
  });

  test('is audited with what it was before, and refused outside its bounds', async () => {
    await set(RULED);
    expect(await set({ ...RULED, tolerance: '10.00' })).toEqual({ kind: 'unchanged' });
    await set(null);
    expect(await set(null)).toEqual({ kind: 'unchanged' });
    const entries = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: key.merchantId, action: 'settlements.bank_matching_changed' },
      orderBy: { createdAt: 'asc' },
    });
    expect(entries.map(({ actor, before, after }) => ({ actor, before, after }))).toEqual([
      { actor: ACTOR, before: null, after: RULED },
      { actor: ACTOR, before: RULED, after: null },
    ]);
    expect(await set({ ...RULED, days: 31 })).toMatchObject({ kind: 'refused', field: 'days' });
    expect(await set({ ...RULED, tolerance: '1e3' })).toMatchObject({ kind: 'refused', field: 'tolerance' });
    expect(await set({ ...RULED, workingDays: -1 })).toMatchObject({ kind: 'refused', field: 'workingDays' });
  });
});
