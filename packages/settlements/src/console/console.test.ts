import { addDecimals } from '@switchyard/db/decimals';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { matchAccount } from '../intake/match-account.ts';
import { readSettlements } from '../intake/read-settlements.ts';
import { storeSettlement } from '../intake/store-settlement.ts';
import type { SETTLEMENT_DISCREPANCY_KINDS, SettlementDiscrepancyFilter } from '../nouns.ts';
import { createSettledMerchant, linesOf, listing, type PaidPayment, recordPaid, settlementOf } from '../testing/account.ts';
import {
  assignSettlementDiscrepancy,
  changeSettlementCalendar,
  changeSettlementDiscrepancies,
  countSettlementDiscrepancies,
  createIgnoreRule,
  endIgnoreRule,
  findSettlement,
  findSettlementDiscrepancy,
  listIgnoreRules,
  listSettlementDiscrepancies,
  listSettlementLines,
  listSettlementSources,
  listSettlements,
  noteSettlementDiscrepancy,
  readExplained,
  reopenSettlementDiscrepancy,
  resolveOpenSettlementDiscrepancy,
  resolveSettlementDiscrepancy,
} from './index.ts';

/*
 * A merchant with payments of Tuesday 24 November 2026: one settled on Wednesday with a wrong fee, one that never was, one of Thursday that
 * is on its way; a line of none of them; a payout that is pending. And another merchant, of whom nothing is to be seen.
 */
const PAID_AT = new Date('2026-11-24T11:00:00Z');
const ADA = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const actor = `staff:${ADA}`;

let context: TestPayments;
let mine: { readonly merchantId: string; readonly accountId: string };
let theirs: typeof mine;
let wrong: PaidPayment;
let missing: PaidPayment;

beforeAll(async () => {
  context = await openTestPayments();
  await testStaff(context, ADA);
  context.setClock(new Date('2026-11-23T08:00:00Z'));
  [mine, theirs] = [await createSettledMerchant(context), await createSettledMerchant(context)];
  for (const key of [mine, theirs]) await readSettlements(listing(context, []).context, key);
  wrong = await recordPaid(context, mine.merchantId, { paidAt: PAID_AT });
  missing = await recordPaid(context, mine.merchantId, { paidAt: PAID_AT });
  await recordPaid(context, mine.merchantId, { paidAt: new Date('2026-11-30T07:00:00Z') });
  const other = await recordPaid(context, theirs.merchantId, { paidAt: PAID_AT });
  context.setClock(new Date('2026-11-30T08:00:00Z'));
  const unknown = { key: 'payment/9', kind: 'payment', amount: '900', reference: 'shop-9', transactionId: '9' } as const;
  const payouts = [
    settlementOf('s1', '2026-11-25', [
      ...linesOf(wrong, PAID_AT, '-40'),
      { ...unknown, description: 'card', occurredAt: PAID_AT },
    ]),
    settlementOf('s2', '2026-11-26', [], { net: '0' }),
    settlementOf('s3', '2026-11-30', [], { status: 'pending', settledOn: null }),
  ];
  await readSettlements(listing(context, payouts).context, mine);
  await readSettlements(listing(context, [settlementOf('s1', '2026-11-25', linesOf(other, PAID_AT, '-41'))]).context, theirs);
});
afterAll(() => context.close());

const ofMine = () => ({ merchantIds: [mine.merchantId], mode: 'test' as const });
const anyOfMine = (): SettlementDiscrepancyFilter => ofMine();
const anySettlement = ofMine;
const listAll = async (filter: Partial<SettlementDiscrepancyFilter> = {}) => {
  const sort = { by: 'amount', order: 'desc' } as const;
  return (await listSettlementDiscrepancies(context, { ...anyOfMine(), ...filter, sort, after: null, limit: 50 })).items;
};
const only = async (kind: (typeof SETTLEMENT_DISCREPANCY_KINDS)[number]) => {
  const [item] = await listAll({ kinds: [kind] });
  if (item === undefined) throw new Error(`no ${kind}`);
  return { merchantId: item.merchantId, discrepancyId: item.discrepancyId, actor };
};
const audited = async (objectId: string) =>
  (await context.database.prisma.auditEntry.findMany({ where: { objectId }, orderBy: { position: 'asc' } })).map(
    ({ action }) => action,
  );

describe('settlements', () => {
  test('are listed without a day first and then the newest, a page at a time, for their merchants alone', async () => {
    const first = await listSettlements(context, { ...anySettlement(), after: null, limit: 2 });
    expect(first.items.map(({ reference, status }) => [reference, status])).toEqual([
      ['s3', 'PENDING'],
      ['s2', 'PAID'],
    ]);
    const second = await listSettlements(context, { ...anySettlement(), after: first.next, limit: 2 });
    expect(second).toMatchObject({
      items: [
        {
          reference: 's1',
          settledOn: '2026-11-25',
          lineCount: 3,
          explained: '2540',
          unexplained: '900',
          unmatched: '900',
          openDiscrepancies: 2,
        },
      ],
      next: null,
    });
    const pending = await listSettlements(context, {
      ...anySettlement(),
      after: { settledOn: null, settlementId: first.items[0]?.settlementId ?? '' },
      limit: 9,
    });
    expect(pending.items.map(({ reference }) => reference)).toEqual(['s2', 's1']);
  });

  test('are found by day, state and what is not explained', async () => {
    const list = async (filter: object) =>
      (await listSettlements(context, { ...anySettlement(), ...filter, after: null, limit: 9 })).items.map(
        ({ reference }) => reference,
      );
    expect(await list({ unexplainedOnly: true })).toEqual(['s1']);
    expect(await list({ statuses: ['PAID'], from: '2026-11-26' })).toEqual(['s2']);
    expect(await list({ to: '2026-11-25' })).toEqual(['s3', 's1']);
    expect(await list({ accountIds: [theirs.accountId] })).toEqual([]);
  });

  test('have totals by kind and lines that say what they are of', async () => {
    const [{ settlementId = '' } = {}] = (
      await listSettlements(context, { ...anySettlement(), unexplainedOnly: true, after: null, limit: 1 })
    ).items;
    const found = await findSettlement(context, { merchantIds: [mine.merchantId], settlementId });
    expect(found?.totals).toEqual([
      { kind: 'PAYMENT', count: 2, amount: '3400', unmatchedCount: 1, unmatchedAmount: '900' },
      { kind: 'FEE', count: 1, amount: '-40', unmatchedCount: 0, unmatchedAmount: '0' },
    ]);
    expect(addDecimals(...(found?.totals ?? []).map(({ amount }) => amount))).toBe(found?.net);
    // Another payment of that day is missing.
    expect(found?.sales).toEqual({ from: '2026-11-24', to: '2026-11-24', count: 2, amount: '5000' });
    expect(await findSettlement(context, { merchantIds: [theirs.merchantId], settlementId })).toBeNull();
    const query = { merchantIds: [mine.merchantId], settlementId, kinds: [], unmatchedOnly: false, after: null, limit: 2 };
    const page = await listSettlementLines(context, query);
    const under = await only('UNDER');
    expect(page).toMatchObject({
      items: [
        { kind: 'PAYMENT', paymentId: wrong.paymentId, linkedBy: 'REFERENCE', discrepancyId: under.discrepancyId },
        { kind: 'FEE', amount: '-40', merchantOrderId: `order-${wrong.paymentId}` },
      ],
      next: 1,
    });
    const rest = await listSettlementLines(context, { ...query, after: page.next, unmatchedOnly: true });
    const unmatched = await only('UNMATCHED');
    expect(rest).toMatchObject({
      items: [{ reference: 'shop-9', linkedBy: null, discrepancyId: unmatched.discrepancyId }],
      next: null,
    });
    expect((await listSettlementLines(context, { ...query, merchantIds: [theirs.merchantId] })).items).toEqual([]);
  });

  test('explain a share of what was settled; what is on the way, late and missing is beside it', async () => {
    const query = { ...ofMine(), accountIds: [], from: null, to: null };
    expect(await readExplained(context, query)).toEqual([
      {
        currency: 'NGN',
        settled: '3360',
        explained: '2540',
        unexplained: '900',
        unmatched: '900',
        share: '0.7383',
        onTheWay: '2462.5',
        late: '0',
        missing: '2462.5',
      },
    ]);
    const [none] = await readExplained(context, { ...query, from: '2026-11-26' });
    expect(none).toMatchObject({ settled: '0', share: null });
  });
});

describe('discrepancies', () => {
  test('are listed by amount with what they are about, and counted by kind and age', async () => {
    const items = await listAll();
    expect(
      items.map(({ kind, about, amount, expected, settled, ageDays, reference }) => [
        kind,
        about,
        amount,
        expected,
        settled,
        ageDays,
        reference,
      ]),
    ).toEqual([
      ['MISSING', 'payment', '2462.5', '2462.5', null, 5, missing.reference],
      ['UNMATCHED', 'line', '900', null, '900', 0, 'shop-9'],
      ['UNDER', 'payment', '2.5', '2462.5', '2460', 5, wrong.reference],
    ]);
    expect(items[2]).toMatchObject({
      settlementReference: 's1',
      merchantOrderId: `order-${wrong.paymentId}`,
      expectedOn: '2026-11-25',
    });
    const counts = await countSettlementDiscrepancies(context, anyOfMine());
    expect(counts.map(({ kind, state, count }) => `${kind} ${state} ${count}`).sort()).toEqual([
      'MISSING OPEN 1',
      'UNDER OPEN 1',
      'UNMATCHED OPEN 1',
    ]);
  });

  test('are found by what they name, their settlement, amount and owner', async () => {
    const [missed, unmatched, under] = await listAll();
    const kindsOf = async (filter: Partial<SettlementDiscrepancyFilter>) => (await listAll(filter)).map(({ kind }) => kind);
    expect(await kindsOf({ text: 'shop-' })).toEqual(['UNMATCHED']);
    expect(await kindsOf({ text: missing.reference })).toEqual(['MISSING']);
    expect(await kindsOf({ text: `order-${wrong.paymentId}` })).toEqual(['UNDER']);
    expect(await kindsOf({ text: '%' })).toEqual([]);
    expect(await kindsOf({ settlementId: under?.settlementId ?? '' })).toEqual(['UNMATCHED', 'UNDER']);
    expect(await kindsOf({ amountFrom: 900n, amountTo: 900n })).toEqual(['UNMATCHED']);
    expect(await kindsOf({ paymentId: missing.paymentId })).toEqual(['MISSING']);
    expect(await kindsOf({ ownerId: ADA })).toEqual([]);
    expect([missed?.ownerName, unmatched?.resolvedByName]).toEqual([null, null]);
  });

  test('come a page at a time in any order, none twice and none left out', async () => {
    for (const by of ['created', 'amount'] as const) {
      for (const order of ['asc', 'desc'] as const) {
        const seen: string[] = [];
        for (let after = null as Awaited<ReturnType<typeof listSettlementDiscrepancies>>['next']; ; ) {
          const page = await listSettlementDiscrepancies(context, { ...anyOfMine(), sort: { by, order }, after, limit: 1 });
          seen.push(...page.items.map(({ discrepancyId }) => discrepancyId));
          after = page.next;
          if (after === null) break;
        }
        expect(seen.toSorted()).toEqual((await listAll()).map(({ discrepancyId }) => discrepancyId).toSorted());
      }
    }
  });

  test('are assigned, noted, resolved and reopened, each with an entry of the audit log', async () => {
    const command = await only('UNDER');
    expect(await assignSettlementDiscrepancy(context, { ...command, ownerId: ADA })).toEqual({ kind: 'changed' });
    expect(await noteSettlementDiscrepancy(context, { ...command, note: ' asked Paystack ' })).toEqual({ kind: 'changed' });
    expect(await noteSettlementDiscrepancy(context, { ...command, note: 'asked Paystack' })).toEqual({ kind: 'unchanged' });
    const resolution = { as: 'EXPLAINED', why: 'Stamp duty' } as const;
    expect(await resolveSettlementDiscrepancy(context, { ...command, ...resolution })).toEqual({ kind: 'changed' });
    expect(await resolveOpenSettlementDiscrepancy(context, { ...command, as: 'RESOLVED', why: 'Other' })).toMatchObject({
      kind: 'refused',
    });
    expect(await resolveSettlementDiscrepancy(context, { ...command, as: 'RESOLVED', why: ' ' })).toMatchObject({
      kind: 'refused',
    });
    const found = await findSettlementDiscrepancy(context, {
      merchantIds: [mine.merchantId],
      discrepancyId: command.discrepancyId,
    });
    expect(found).toMatchObject({ state: 'EXPLAINED', ownerId: ADA, note: 'asked Paystack', resolution: 'Stamp duty' });
    expect([found?.ownerName, found?.resolvedByName].every((name) => typeof name === 'string')).toBe(true);
    expect(await reopenSettlementDiscrepancy(context, command)).toEqual({ kind: 'changed' });
    expect(await reopenSettlementDiscrepancy(context, { ...command, merchantId: theirs.merchantId })).toEqual({
      kind: 'not_found',
    });
    expect(await audited(command.discrepancyId)).toEqual([
      'settlements.assigned',
      'settlements.noted',
      'settlements.explained',
      'settlements.reopened',
    ]);
    expect(
      await findSettlementDiscrepancy(context, { merchantIds: [theirs.merchantId], discrepancyId: command.discrepancyId }),
    ).toBeNull();
  });

  test('are changed in bulk, each by itself', async () => {
    const [one, two] = [await only('UNDER'), await only('MISSING')];
    const resolve = { kind: 'resolve', as: 'RESOLVED', why: 'Paid by transfer' } as const;
    await resolveSettlementDiscrepancy(context, { ...one, as: 'EXPLAINED', why: 'Known' });
    const unknown = { merchantId: mine.merchantId, discrepancyId: context.newId() };
    const results = await changeSettlementDiscrepancies(context, { keys: [one, unknown, two], change: resolve, actor });
    expect(results.map(({ outcome }) => outcome.kind)).toEqual(['refused', 'not_found', 'changed']);
    const reopened = await changeSettlementDiscrepancies(context, { keys: [one, two], change: { kind: 'reopen' }, actor });
    expect(reopened.map(({ outcome }) => outcome.kind)).toEqual(['changed', 'changed']);
  });
});

describe('ignore rules', () => {
  test('close what they cover when the account is matched, and nothing larger or of another kind of line', async () => {
    const rule = { merchantId: mine.merchantId, accountId: mine.accountId, lineKind: null, reason: 'Stamp duty', actor } as const;
    expect(await createIgnoreRule(context, { ...rule, kind: 'UNDER', amountMax: '2,5' })).toMatchObject({ field: 'amountMax' });
    expect(await createIgnoreRule(context, { ...rule, kind: 'UNDER', amountMax: '2', lineKind: 'FEE' })).toMatchObject({
      field: 'lineKind',
    });
    expect(await createIgnoreRule(context, { ...rule, accountId: theirs.accountId, kind: 'UNDER', amountMax: '2' })).toEqual({
      kind: 'not_found',
    });
    await createIgnoreRule(context, { ...rule, kind: 'UNDER', amountMax: '2.49' });
    await createIgnoreRule(context, { ...rule, kind: 'UNMATCHED', amountMax: '5000', lineKind: 'FEE' });
    await matchAccount(context, mine);
    expect((await listAll({ states: ['OPEN'] })).length).toBe(3);
    const created = await createIgnoreRule(context, { ...rule, kind: 'UNDER', amountMax: '2.5' });
    const ruleId = created.kind === 'created' ? created.ruleId : '';
    await matchAccount(context, mine);
    const [under] = await listAll({ kinds: ['UNDER'] });
    expect(under).toMatchObject({ state: 'EXPLAINED', resolvedBy: `rule:${ruleId}`, resolution: 'Stamp duty' });
    expect(await endIgnoreRule(context, { merchantId: mine.merchantId, ruleId, actor })).toEqual({ kind: 'changed' });
    expect(await endIgnoreRule(context, { merchantId: mine.merchantId, ruleId, actor })).toEqual({ kind: 'unchanged' });
    await matchAccount(context, mine);
    expect((await listAll({ kinds: ['UNDER'] }))[0]).toMatchObject({ state: 'EXPLAINED' });
    const rules = await listIgnoreRules(context, { merchantIds: [mine.merchantId], ended: true });
    expect(rules.find((each) => each.ruleId === ruleId)).toMatchObject({ amountMax: '2.5', resolved: 1, endedAt: context.now() });
    expect((await listIgnoreRules(context, { merchantIds: [mine.merchantId], ended: false })).length).toBe(2);
    expect(await audited(ruleId)).toEqual(['settlements.rule_created', 'settlements.rule_ended']);
  });
});

describe('accounts', () => {
  test('have the calendar of their gateway until they have one of their own, by which their payments are judged again', async () => {
    const sources = () => listSettlementSources(context, ofMine());
    const [published] = (await sources()).filter(({ accountId }) => accountId === mine.accountId);
    expect(published).toMatchObject({
      road: 'POLLED',
      failure: null,
      calendar: { isDefault: true, graceDays: 2, tolerance: '0' },
    });
    const calendar = { workingDays: 3, holidays: ['2026-11-26'], graceDays: 1, tolerance: '0.5', toleranceMinutes: 5 };
    const change = { ...mine, calendar, actor };
    expect(
      await changeSettlementCalendar(context, { ...change, calendar: { ...calendar, holidays: ['2026-02-30'] } }),
    ).toMatchObject({ field: 'holidays' });
    expect(await changeSettlementCalendar(context, { ...change, calendar: { ...calendar, workingDays: 31 } })).toMatchObject({
      field: 'workingDays',
    });
    expect(await changeSettlementCalendar(context, change)).toEqual({ kind: 'changed' });
    expect(await changeSettlementCalendar(context, change)).toEqual({ kind: 'unchanged' });
    expect(await changeSettlementCalendar(context, { ...change, merchantId: theirs.merchantId })).toEqual({ kind: 'not_found' });
    await matchAccount(context, mine);
    // Due on Monday 30 November: Wednesday, Friday, Monday.
    expect((await listAll({ kinds: ['MISSING', 'LATE'] }))[0]).toMatchObject({
      state: 'RESOLVED',
      resolvedBy: 'system:settlements',
    });
    expect(await changeSettlementCalendar(context, { ...change, calendar: null })).toEqual({ kind: 'changed' });
    await matchAccount(context, mine);
    expect((await listAll({ kinds: ['MISSING'] }))[0]).toMatchObject({ state: 'OPEN' });
    expect(await audited(mine.accountId)).toEqual(['settlements.calendar_changed', 'settlements.calendar_changed']);
  });

  test('say by which road their settlements come', async () => {
    const { head } = settlementOf('w1', '2026-11-30', []);
    await storeSettlement(context, { ...theirs, road: 'WEBHOOK', settlement: head, lines: null });
    const [source] = await listSettlementSources(context, { merchantIds: [theirs.merchantId], mode: 'test' });
    expect(source).toMatchObject({ road: 'POLLED', heardAt: context.now() });
  });
});
