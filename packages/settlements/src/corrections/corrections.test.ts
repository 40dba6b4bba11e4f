import { appendAuditEntry } from '@switchyard/db/audit';
import { addDecimals } from '@switchyard/db/decimals';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { linkLine } from '../console/link-line.ts';
import {
  previewSettlementFile,
  rehearseFile,
  type SettlementFileOf,
  type SettlementFilePreview,
  takeSettlementFile,
} from '../files/take-file.ts';
import { matchAccount } from '../intake/match-account.ts';
import { storeSettlement } from '../intake/store-settlement.ts';
import { type PaidPayment, recordPaid, settlementOf } from '../testing/account.ts';
import { bankOf, takeStatementOf } from '../testing/bank.ts';
import { fileOf, MAPPING, NOTHING_ENTERED } from '../testing/files.ts';
import type { Correction } from './compare-file.ts';
import type { Rehearsal } from './rehearse.ts';
import { previewWithdrawal, rehearseWithdrawal, type WithdrawalPreview, type Withdrawn, withdraw } from './withdraw.ts';

/* Payments of Tuesday 24 November 2026, due on Wednesday, of an account whose payouts come by file. */
const PAID_AT = new Date('2026-11-24T11:00:00Z');
const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

let context: TestPayments;
let key: { readonly merchantId: string; readonly accountId: string };
let paid: readonly PaidPayment[];
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(new Date('2026-12-02T08:00:00Z'));
  const { merchantId, accounts } = await createTestMerchant(context, { 'kora-main': { gateway: 'kora' } });
  key = { merchantId, accountId: accounts['kora-main'] ?? '' };
  paid = await Promise.all([0, 1, 2, 3].map(() => recordPaid(context, merchantId, { paidAt: PAID_AT })));
  const older = () => recordPaid(context, merchantId, { paidAt: new Date('2026-11-19T11:00:00Z') });
  const [first, last] = [await older(), await older()];
  const payout = (reference: string, day: string, of: PaidPayment) =>
    `${reference},${day},${of.reference},t,2500,37.5,19/11/2026 12:00`;
  await take(fileOf(payout('OLD', '20/11/2026', first), payout('LAST', '26/11/2026', last)));
});
afterAll(() => context.close());

const referenceOf = (at: number) => paid[at]?.reference ?? `stranger-${at}`;
const row = (payout: string, at: number, { day = '25/11/2026', amount = '2500', fee = '37.5' } = {}) =>
  `${payout},${day},${referenceOf(at)},t-${at},${amount},${fee},24/11/2026 12:00`;
const fileWith = (bytes: Uint8Array, changes: Partial<SettlementFileOf> = {}): SettlementFileOf => {
  return { ...key, name: 'kora.csv', bytes, mapping: MAPPING, entered: NOTHING_ENTERED, ...changes };
};

async function preview(bytes: Uint8Array, changes: Partial<SettlementFileOf> = {}): Promise<SettlementFilePreview> {
  const outcome = await previewSettlementFile(context, fileWith(bytes, changes));
  if (outcome.kind !== 'preview') throw new Error(outcome.kind);
  return outcome;
}

async function take(bytes: Uint8Array, changes: Partial<SettlementFileOf> = {}, reason?: string) {
  const { hash } = await preview(bytes, changes);
  return takeSettlementFile(context, { ...fileWith(bytes, changes), hash, reason }, ACTOR);
}

const correct = (bytes: Uint8Array, corrections: Record<string, Correction>, changes: Partial<SettlementFileOf> = {}) =>
  take(bytes, { ...changes, corrections }, 'The wrong file');

/** Matches and judges, once no more has come for a while. */
async function settle(): Promise<void> {
  context.setClock(new Date(context.now().getTime() + 60_000));
  await matchAccount(context, key);
  await bankOf(context, key).follow();
}

const payouts = async () => {
  const rows = await context.database.prisma.settlement.findMany({ where: key, orderBy: { reference: 'asc' } });
  return rows.map(({ reference, status, net, settledOn, lineCount, explained, unexplained }) => {
    const sums = `${explained.toFixed()}/${unexplained.toFixed()}`;
    return `${reference} ${status} ${settledOn?.toISOString().slice(0, 10)} ${net.toFixed()} ${lineCount} ${sums}`;
  });
};
const payoutId = async (reference: string) => {
  return (await context.database.prisma.settlement.findFirstOrThrow({ where: { ...key, reference } })).id;
};
const linesOf = async (reference: string) => {
  const where = { ...key, settlementId: await payoutId(reference) };
  return context.database.prisma.settlementLine.findMany({ where, orderBy: { position: 'asc' } });
};
const open = async () => {
  const rows = await context.database.prisma.settlementDiscrepancy.findMany({ where: { ...key, state: 'OPEN' } });
  return rows
    .map(({ kind, subject, paymentId, expected, settled }) => {
      const at = paid.findIndex((payment) => payment.paymentId === paymentId);
      const money = `${expected?.toFixed() ?? '-'} ${settled?.toFixed() ?? '-'}`;
      return `${kind} ${subject.split('/')[0]}${at < 0 ? '' : ` ${at}`} ${money}`;
    })
    .toSorted();
};
const audited = async (action: string) => {
  const where = { tenantId: key.merchantId, action };
  return context.database.prisma.auditEntry.findMany({ where, orderBy: { position: 'asc' } });
};

describe('the same file read otherwise', () => {
  test.each([
    ['another order of days', { mapping: { ...MAPPING, dates: 'month_first' as const } }, ['day', 'details']],
    ['another column of fees', { mapping: { ...MAPPING, columns: { ...MAPPING.columns, fee: null } } }, ['net', 'lines']],
    ['another unit', { mapping: { ...MAPPING, unit: 'minor' as const } }, ['net', 'lines']],
    ['another zone', { mapping: { ...MAPPING, zone: 'UTC' } }, ['details']],
    ['another currency', { mapping: { ...MAPPING, currency: 'USD' } }, ['currency']],
  ])('by %s is a difference, not known', async (_, changes, parts) => {
    const bytes = fileOf(`P-1,05/11/2026,a,t-a,2500,38,04/11/2026 12:00`);
    await take(bytes);
    const said = await preview(bytes, changes);
    expect(said).toMatchObject({ counts: { known: 0, differs: 1 }, undecided: 1, takenBefore: context.now() });
    expect(said.settlements[0]?.difference?.parts).toEqual(parts);
    expect(await take(bytes, changes)).toMatchObject({ kind: 'changed' });
    expect(await preview(bytes)).toMatchObject({ counts: { known: 1, differs: 0 } });
    expect(await take(bytes)).toMatchObject({ kind: 'unchanged' });
  });

  test('by another day that was entered is replaced once that is said, with a reason, and the last known day with it', async () => {
    const columns = { ...MAPPING.columns, settlement: null, settledOn: null };
    const mapping = { ...MAPPING, columns };
    const bytes = fileOf(row('', 0), row('', 1));
    const on = (settledOn: string) => ({ mapping, entered: { reference: 'BIG-0', settledOn } });
    await take(bytes, on('2026-12-25'));
    await settle();
    expect(await open()).toEqual(['MISSING payment 2 2462.5 -', 'MISSING payment 3 2462.5 -']);
    const corrected = { ...on('2026-11-25'), corrections: { 'BIG-0': 'replace' as const } };
    const said = await preview(bytes, corrected);
    expect(said.settlements[0]?.difference).toMatchObject({
      parts: ['day'],
      stored: { settledOn: '2026-12-25' },
      replace: { added: { count: 0 }, removed: { count: 0 } },
      add: null,
    });
    expect(await take(bytes, corrected)).toEqual({ kind: 'reason_missing' });
    const before = await linesOf('BIG-0');
    expect(await take(bytes, corrected, 'Typed the wrong month')).toMatchObject({ kind: 'taken', settlements: 0, replaced: 1 });
    expect((await linesOf('BIG-0')).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    await settle();
    expect(await open()).toEqual(['LATE payment 2 2462.5 -', 'LATE payment 3 2462.5 -']);
    expect((await payouts())[0]).toBe('BIG-0 PAID 2026-11-25 4925 4 5075/0');
    const [entry] = await audited('settlements.payout_replaced');
    expect(entry).toMatchObject({
      actor: ACTOR,
      before: { reference: 'BIG-0', settledOn: '2026-12-25' },
      after: { settledOn: '2026-11-25', reason: 'Typed the wrong month' },
    });
  });
});

describe('a payout that is replaced', () => {
  test('has exactly the lines of the file, keeps those that stay with their links, and leaves the others as evidence', async () => {
    await take(fileOf(row('P-1', 0), row('P-1', 9), row('P-1', 1, { amount: '2400' })));
    await settle();
    expect(await open()).toEqual(
      [
        'LATE payment 2 2462.5 -',
        'LATE payment 3 2462.5 -',
        'LATE payment 1 2462.5 2362.5',
        'UNMATCHED line - -37.5',
        'UNMATCHED line - 2500',
      ].toSorted(),
    );
    const [, , stranger] = await linesOf('P-1');
    const link = { merchantId: key.merchantId, lineId: stranger?.id ?? '', actor: ACTOR };
    const entry = { subject: `payment/${paid[2]?.paymentId}`, paymentId: paid[2]?.paymentId ?? '' };
    expect(await linkLine(context, { ...link, entry })).toEqual({ kind: 'changed' });
    const before = await linesOf('P-1');
    const bytes = fileOf(row('P-1', 0), row('P-1', 9), row('P-1', 1));
    expect(await correct(bytes, { 'P-1': 'replace' })).toMatchObject({ kind: 'taken', replaced: 1, settlements: 0 });
    await settle();
    const after = await linesOf('P-1');
    expect(after.slice(0, 4).map(({ id, linkedBy }) => [id, linkedBy])).toEqual([
      ...before.slice(0, 2).map(({ id, linkedBy }) => [id, linkedBy]),
      [stranger?.id, 'STAFF'],
      [before[3]?.id, null],
    ]);
    expect(addDecimals(...after.map(({ amount }) => amount.toFixed()))).toBe('7387.5');
    expect((await payouts()).at(-1)).toBe('P-1 PAID 2026-11-25 7387.5 6 7575/37.5');
    expect(await open()).toEqual(['LATE payment 3 2462.5 -', 'OVER payment 2 2462.5 2500', 'UNMATCHED line - -37.5'].toSorted());
    const kept = await context.database.prisma.withdrawnLine.findMany({ where: { merchantId: key.merchantId } });
    expect(kept.map(({ paymentId, line }) => [paymentId, (line as { amount: number }).amount])).toEqual([
      [paid[1]?.paymentId, 2400],
    ]);
  });

  test('keeps what staff linked where only its time is read otherwise', async () => {
    await take(fileOf(row('P-1', 9)));
    await settle();
    const [line] = await linesOf('P-1');
    const entry = { subject: `payment/${paid[0]?.paymentId}`, paymentId: paid[0]?.paymentId ?? '' };
    await linkLine(context, { merchantId: key.merchantId, lineId: line?.id ?? '', actor: ACTOR, entry });
    await correct(fileOf(row('P-1', 9)), { 'P-1': 'replace' }, { mapping: { ...MAPPING, zone: 'UTC' } });
    const [carried] = (await linesOf('P-1')).filter(({ kind }) => kind === 'PAYMENT');
    expect(carried).toMatchObject({
      linkedBy: 'STAFF',
      paymentId: paid[0]?.paymentId,
      occurredAt: new Date('2026-11-24T12:00:00Z'),
    });
  });

  test('is not one that the gateway itself reported', async () => {
    const { head } = settlementOf('P-1', '2026-11-25', [], { net: '1', gross: '1' });
    await storeSettlement(context, { ...key, road: 'POLLED', settlement: head, lines: [] });
    const bytes = fileOf(row('P-1', 0));
    const said = await preview(bytes, { corrections: { 'P-1': 'replace' } });
    expect(said).toMatchObject({ undecided: 1, settlements: [{ difference: { replace: null, add: null } }] });
    expect(await correct(bytes, { 'P-1': 'replace' })).toMatchObject({ kind: 'changed' });
    expect(await correct(bytes, { 'P-1': 'keep' })).toMatchObject({ kind: 'taken', settlements: 0, replaced: 0 });
    expect(await previewWithdrawal(context, { merchantId: key.merchantId, settlementId: await payoutId('P-1') })).toMatchObject({
      kind: 'refused',
    });
  });
});

describe('a payout of several pages', () => {
  const first = () => fileOf(row('BIG-0', 0), row('BIG-0', 1));
  const second = () => fileOf(row('BIG-0', 1), row('BIG-0', 2), 'BIG-0,25/11/2026,,,-100,0,24/11/2026 12:00');

  test('is added to, each line once, and is matched as one', async () => {
    await take(first());
    await settle();
    const said = await preview(second(), { corrections: { 'BIG-0': 'add' } });
    expect(said.settlements[0]?.difference).toMatchObject({
      parts: ['net', 'lines'],
      add: { added: { count: 3, amount: '2362.5' }, repeated: 2 },
    });
    expect(await correct(second(), { 'BIG-0': 'add' })).toMatchObject({ kind: 'taken', extended: 1, replaced: 0 });
    await settle();
    expect((await payouts())[0]).toBe('BIG-0 PAID 2026-11-25 7287.5 7 7612.5/100');
    expect(await open()).toEqual(['LATE payment 3 2462.5 -', 'UNMATCHED line - -100']);
    expect(await preview(second(), { corrections: { 'BIG-0': 'add' } })).toMatchObject({
      undecided: 1,
      settlements: [{ difference: { add: null } }],
    });
    expect(await audited('settlements.payout_extended')).toHaveLength(1);
  });

  test('loses a page again when the file of that page is withdrawn', async () => {
    await take(first());
    const outcome = await correct(second(), { 'BIG-0': 'add' });
    await settle();
    const fileId = outcome.kind === 'taken' ? outcome.fileId : '';
    await withdrawAll({ merchantId: key.merchantId, fileId });
    await settle();
    expect((await payouts())[0]).toBe('BIG-0 PAID 2026-11-25 4925 4 5075/0');
    expect(await open()).toEqual(['LATE payment 2 2462.5 -', 'LATE payment 3 2462.5 -']);
    expect(await audited('settlements.payout_reduced')).toHaveLength(1);
  });
});

async function withdrawAll(withdrawn: Withdrawn) {
  const said = (await previewWithdrawal(context, withdrawn)) as WithdrawalPreview;
  return withdraw(context, { ...withdrawn, hash: said.hash, reason: 'By mistake', actor: ACTOR });
}

describe('what was recorded by mistake', () => {
  test('is withdrawn, counts nowhere, and comes again by a file', async () => {
    const bytes = fileOf(row('P-1', 0), row('P-1', 1), row('P-2', 2, { day: '30/11/2026' }));
    await take(bytes);
    await settle();
    expect(await open()).toEqual(['MISSING payment 3 2462.5 -']);
    const settlementId = await payoutId('P-2');
    const withdrawn = { merchantId: key.merchantId, settlementId };
    expect(await previewWithdrawal(context, withdrawn)).toMatchObject({
      count: 1,
      lines: 2,
      sums: [{ currency: 'NGN', amount: '2462.5' }],
      payouts: [{ reference: 'P-2', before: { net: '2462.5' }, after: null }],
    });
    expect(await withdraw(context, { ...withdrawn, hash: 'other', reason: 'By mistake', actor: ACTOR })).toMatchObject({
      kind: 'changed',
    });
    expect(await withdraw(context, { ...withdrawn, hash: 'other', reason: ' ', actor: ACTOR })).toMatchObject({
      kind: 'refused',
    });
    expect(await withdrawAll(withdrawn)).toEqual({ kind: 'withdrawn', payouts: 1 });
    await settle();
    expect((await payouts()).filter((payout) => payout.startsWith('P-'))).toEqual([
      'P-1 PAID 2026-11-25 4925 4 5075/0',
      'P-2 WITHDRAWN 2026-11-30 2462.5 0 0/0',
    ]);
    // Known days end with the last payout that is left.
    expect(await open()).toEqual(['LATE payment 2 2462.5 -', 'LATE payment 3 2462.5 -']);
    expect(await previewWithdrawal(context, withdrawn)).toMatchObject({ kind: 'refused' });
    expect(await preview(bytes)).toMatchObject({ counts: { new: 1, known: 1, differs: 0 } });
    expect(await take(bytes)).toMatchObject({ kind: 'taken', settlements: 1 });
    await settle();
    expect(await payoutId('P-2')).toBe(settlementId);
    expect((await payouts()).at(-1)).toBe('P-2 PAID 2026-11-30 2462.5 2 2537.5/0');
    expect(await open()).toEqual(['MISSING payment 3 2462.5 -']);
  });

  test('is a whole file, with all that it brought and nothing else', async () => {
    await take(fileOf(row('P-1', 0)));
    const outcome = await take(fileOf(row('P-2', 1), row('P-3', 2)));
    const fileId = outcome.kind === 'taken' ? outcome.fileId : '';
    expect(await withdrawAll({ merchantId: key.merchantId, fileId })).toEqual({ kind: 'withdrawn', payouts: 2 });
    expect((await payouts()).map((payout) => payout.split(' ').slice(0, 2).join(' '))).toEqual([
      'LAST PAID',
      'OLD PAID',
      'P-1 PAID',
      'P-2 WITHDRAWN',
      'P-3 WITHDRAWN',
    ]);
    expect(await withdrawAll({ merchantId: key.merchantId, fileId })).toMatchObject({ kind: 'refused' });
    expect(await audited('settlements.file_withdrawn')).toMatchObject([{ objectId: fileId, after: { reason: 'By mistake' } }]);
    expect(await take(fileOf(row('P-2', 1), row('P-3', 2)))).toMatchObject({ kind: 'taken', settlements: 2 });
  });

  test('leaves nothing open of an account of which nothing is known any more', async () => {
    await take(fileOf(row('P-1', 9)));
    await settle();
    expect((await open()).length).toBeGreaterThan(0);
    for (const reference of ['P-1', 'OLD', 'LAST']) {
      await withdrawAll({ merchantId: key.merchantId, settlementId: await payoutId(reference) });
    }
    await settle();
    expect(await open()).toEqual([]);
  });
});

describe('what is shown before a person confirms is what happens then', () => {
  const sumsOf = (rows: readonly string[]) => rows.toSorted();
  const nothing = () => Promise.resolve(null);
  const described = async () => {
    const rows = await context.database.prisma.settlementDiscrepancy.findMany({
      where: { merchantId: key.merchantId, state: 'OPEN' },
      orderBy: { id: 'asc' },
    });
    return rows.map(({ subject, kind, expected, settled }) => `${kind} ${subject} ${expected} ${settled}`);
  };
  const countsOf = (effects: Rehearsal<null>['opened']) => effects.reduce((sum, { count }) => sum + count, 0);

  /** All that a rehearsal could have left behind. */
  const stored = async () => {
    const { prisma } = context.database;
    const where = { merchantId: key.merchantId };
    const counts = await Promise.all([
      prisma.settlementLine.count({ where }),
      prisma.intakeChange.count({ where }),
      prisma.withdrawnLine.count({ where }),
      prisma.settlementFile.count({ where }),
      prisma.bankMatch.count({ where }),
      prisma.auditEntry.count({ where: { tenantId: key.merchantId } }),
    ]);
    return [await payouts(), await described(), counts];
  };

  async function rehearsed<Refusal extends { readonly kind: string }>(run: () => Promise<Rehearsal<null> | Refusal>) {
    const before = await stored();
    const rehearsal = await run();
    if ('kind' in rehearsal) throw new Error(rehearsal.kind);
    expect(await stored()).toEqual(before);
    return rehearsal;
  }

  async function expectEffect(rehearsal: Rehearsal<null>, change: () => Promise<unknown>) {
    const before = await described();
    await change();
    await settle();
    const after = await described();
    expect({ opened: countsOf(rehearsal.opened), closed: countsOf(rehearsal.closed) }).toEqual({
      opened: sumsOf(after.filter((each) => !before.includes(each))).length,
      closed: sumsOf(before.filter((each) => !after.includes(each))).length,
    });
  }

  beforeEach(async () => {
    const bank = bankOf(context, key);
    await take(fileOf(row('300001', 0), row('300001', 9), row('300002', 1, { day: '26/11/2026', amount: '2400' })));
    await takeStatementOf(context, key, '25/11/2026,KORA 300001,,4925', '26/11/2026,KORA 300002,,2362.5', '01/12/2026,RENT,,1');
    await settle();
    expect(await bank.states()).toContain('300001 arrived 4925');
  });

  test('for a payout that is replaced', async () => {
    const bytes = fileOf(row('300002', 1, { day: '26/11/2026' }), row('300002', 2, { day: '26/11/2026' }));
    const corrections = { '300002': 'replace' as const };
    const rehearsal = await rehearsed(() => rehearseFile(context, fileWith(bytes, { corrections }), nothing));
    expect(rehearsal.closed).toMatchObject([{ kind: 'LATE', count: 2, currency: 'NGN', amount: '2562.5' }]);
    expect(rehearsal.opened).toMatchObject([{ kind: 'UNDER', count: 1, currency: 'NGN', amount: '2562.5' }]);
    await expectEffect(rehearsal, () => correct(bytes, corrections));
  });

  test('and nothing that is about to be matched anyway', async () => {
    await take(fileOf(row('300003', 2, { day: '30/11/2026' }), row('300004', 8, { day: '30/11/2026' })));
    await takeStatementOf(context, key, '30/11/2026,KORA 300003,,2462.5', '30/11/2026,KORA 999999,,77', '02/12/2026,RENT,,1');
    const withdrawn = { merchantId: key.merchantId, settlementId: await payoutId('300004') };
    const rehearsal = await rehearsed(() => rehearseWithdrawal(context, withdrawn, nothing));
    await settle();
    await expectEffect(rehearsal, () => withdrawAll(withdrawn));
  });

  test('for pages that are added, and for a payout and a file that are withdrawn', async () => {
    const bytes = fileOf(row('300001', 3));
    const page = fileWith(bytes, { corrections: { '300001': 'add' } });
    const added = await rehearsed(() => rehearseFile(context, page, nothing));
    await expectEffect(added, () => correct(bytes, { '300001': 'add' }));
    const withdrawn = { merchantId: key.merchantId, settlementId: await payoutId('300002') };
    const gone = await rehearsed(() => rehearseWithdrawal(context, withdrawn, nothing));
    expect(countsOf(gone.opened)).toBeGreaterThan(0);
    await expectEffect(gone, () => withdrawAll(withdrawn));
    const file = await context.database.prisma.settlementFile.findFirstOrThrow({
      where: { ...key, extended: 0, settlements: 2 },
    });
    const all = { merchantId: key.merchantId, fileId: file.id };
    const whole = await rehearsed(() => rehearseWithdrawal(context, all, nothing));
    await expectEffect(whole, () => withdrawAll(all));
  });

  test('and lets others be audited while it lasts', async () => {
    const withdrawn = { merchantId: key.merchantId, settlementId: await payoutId('300002') };
    const entries = await context.database.prisma.auditEntry.count({ where: { tenantId: key.merchantId } });
    const rehearsal = await rehearseWithdrawal(context, withdrawn, auditSomething);
    expect(rehearsal).toMatchObject({ before: entries + 2, after: entries + 1 });
  });

  function auditSomething(): Promise<number> {
    const { database, auditKeys } = context.resources;
    const object = { objectType: 'merchant', objectId: key.merchantId, before: null, after: null };
    const entry = { tenantId: key.merchantId, entryId: context.newId(), actor: ACTOR, action: 'test.noted', ...object };
    return database.prisma.$transaction(async (transaction) => {
      await appendAuditEntry(transaction, auditKeys, entry, context.now());
      return transaction.auditEntry.count({ where: { tenantId: key.merchantId } });
    });
  }
});
