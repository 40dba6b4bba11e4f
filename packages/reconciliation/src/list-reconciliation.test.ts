import { addDecimals } from '@switchyard/db/decimals';
import type { TestPayments } from '@switchyard/payments/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeTolerance } from './discrepancies.ts';
import type { DiscrepancySort } from './discrepancies-queries.ts';
import type { DiscrepancyFilter } from './discrepancy-noun.ts';
import { countAllDiscrepancies, countDiscrepanciesByAge, findDiscrepancy, listDiscrepancies } from './list-reconciliation.ts';
import { createReconciledMerchant, openTestReconciliation, type SeededDiscrepancy, seedDiscrepancy } from './testing/open.ts';

const ADA = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const BAYO = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11';
const TOLERANCE = 50;

type Fact = Required<
  Pick<SeededDiscrepancy, 'merchantId' | 'accountId' | 'day' | 'kind' | 'state' | 'ledger' | 'statement' | 'ownerId'>
>;

let context: TestPayments;
let mine: Awaited<ReturnType<typeof createReconciledMerchant>>;
let theirs: typeof mine;
/** Every discrepancy of the database, with its id. */
const facts = new Map<string, Fact>();

beforeAll(async () => {
  context = await openTestReconciliation();
  mine = await createReconciledMerchant(context);
  theirs = await createReconciledMerchant(context);
  await changeTolerance(context, { merchantId: mine.merchantId, tolerance: String(TOLERANCE), actor: `staff:${ADA}` });
  const amounts = ['2500', '2450', '2449.99', '2400', '0.5', '1000000'];
  const [some] = fc.sample(
    fc.array(
      fc.record({
        side: fc.boolean(),
        account: fc.boolean(),
        day: fc.integer({ min: 10, max: 20 }).map((day) => `2026-11-${day}`),
        kind: fc.constantFrom('AMOUNT', 'AMOUNT', 'MISSING_HERE', 'MISSING_THERE', 'STATUS'),
        state: fc.constantFrom('OPEN', 'OPEN', 'EXPLAINED', 'RESOLVED'),
        amount: fc.constantFrom(...amounts),
        ownerId: fc.constantFrom(null, null, ADA, BAYO),
      }),
      { minLength: 120, maxLength: 120 },
    ),
    { numRuns: 1, seed: 20 },
  );
  for (const { side, account, amount, kind, ...rest } of some ?? []) {
    const merchant = side ? mine : theirs;
    const fact: Fact = {
      ...rest,
      kind,
      merchantId: merchant.merchantId,
      accountId: account ? merchant.paystack : merchant.flutterwave,
      ledger: kind === 'MISSING_HERE' ? null : '2500',
      statement: kind === 'MISSING_THERE' ? null : amount,
    };
    facts.set(await seedDiscrepancy(context, fact), fact);
  }
});
afterAll(() => context.close());

/** The amount in question, as the list documents it, computed from the facts. */
function amountOf({ kind, ledger, statement }: Fact): number {
  if (kind === 'AMOUNT') return Math.abs(Number(statement) - Number(ledger));
  return Number(statement ?? ledger);
}

type Criteria = Partial<DiscrepancyFilter>;

function matches(fact: Fact, wanted: Criteria): boolean {
  const amount = amountOf(fact);
  const isWithin = fact.kind === 'AMOUNT' && amount <= (fact.merchantId === mine.merchantId ? TOLERANCE : 0);
  const isOneOf = <T>(all: readonly T[] | undefined, one: T) => all === undefined || all.length === 0 || all.includes(one);
  return (
    isOneOf(wanted.merchantIds, fact.merchantId) &&
    isOneOf(wanted.states, fact.state) &&
    isOneOf(wanted.kinds, fact.kind) &&
    isOneOf(wanted.accountIds, fact.accountId) &&
    (wanted.ownerId == null || fact.ownerId === wanted.ownerId) &&
    (wanted.unowned == null || (fact.ownerId === null) === wanted.unowned) &&
    (wanted.amountFrom == null || amount >= Number(wanted.amountFrom)) &&
    (wanted.amountTo == null || amount <= Number(wanted.amountTo)) &&
    (wanted.withinTolerance == null || isWithin === wanted.withinTolerance) &&
    (wanted.dayFrom == null || fact.day >= wanted.dayFrom) &&
    (wanted.dayTo == null || fact.day <= wanted.dayTo)
  );
}

const filterOf = (criteria: Criteria): DiscrepancyFilter => ({
  merchantIds: [mine.merchantId, theirs.merchantId],
  mode: 'test',
  ...criteria,
});

async function readAll(criteria: Criteria, sort: DiscrepancySort, limit: number) {
  const items = [];
  for (let after = null; items.length <= facts.size; ) {
    const page = await listDiscrepancies(context, { ...filterOf(criteria), sort, after, limit });
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
  throw new Error('the pages repeat');
}

const criteria = (): fc.Arbitrary<Criteria> =>
  fc.record(
    {
      merchantIds: fc.constantFrom([mine.merchantId], [theirs.merchantId], [mine.merchantId, theirs.merchantId]),
      states: fc.subarray(['OPEN', 'EXPLAINED', 'RESOLVED'] as const),
      kinds: fc.subarray(['AMOUNT', 'MISSING_HERE', 'STATUS'] as const),
      accountIds: fc.subarray([mine.paystack, mine.flutterwave, theirs.paystack]),
      ownerId: fc.constantFrom(null, ADA),
      unowned: fc.constantFrom(null, true, false),
      amountFrom: fc.constantFrom(null, 0n, 50n, 51n, 2_450n),
      amountTo: fc.constantFrom(null, 50n, 2_499n, 1_000_000n),
      withinTolerance: fc.constantFrom(null, true, false),
      dayFrom: fc.constantFrom(null, '2026-11-12'),
      dayTo: fc.constantFrom(null, '2026-11-18'),
    },
    { requiredKeys: [] },
  );

describe('the list of discrepancies', () => {
  test('has exactly what its filter names, once over its pages, in the order asked for, and its count agrees', async () => {
    await fc.assert(
      fc.asyncProperty(
        criteria(),
        fc.constantFrom('day' as const, 'amount' as const),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.integer({ min: 1, max: 40 }),
        async (wanted, by, order, limit) => {
          const items = await readAll(wanted, { by, order }, limit);
          const expected = [...facts].filter(([, fact]) => matches(fact, wanted)).map(([id]) => id);
          expect(items.map(({ discrepancyId }) => discrepancyId).sort()).toEqual(expected.sort());
          const keys = items.map((item) => (by === 'day' ? Date.parse(item.day) : Number(item.amount)));
          expect(keys).toEqual([...keys].sort((one, other) => (order === 'asc' ? one - other : other - one)));
          const counts = await countAllDiscrepancies(context, filterOf(wanted));
          expect(counts.reduce((total, { count }) => total + count, 0)).toBe(items.length);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('says what is in question: the difference of two amounts, else the whole amount of the side that has one', async () => {
    const items = await readAll({}, { by: 'day', order: 'asc' }, 500);
    expect(items).toHaveLength(facts.size);
    for (const { discrepancyId, amount } of items) {
      const fact = facts.get(discrepancyId);
      if (fact === undefined) throw new Error('an unknown discrepancy');
      expect(Number(amount)).toBeCloseTo(amountOf(fact), 9);
    }
  });

  test('of another mode is empty, and of no merchant too', async () => {
    expect(await readAll({ mode: 'live' }, { by: 'day', order: 'asc' }, 10)).toEqual([]);
    expect(await readAll({ merchantIds: [] }, { by: 'day', order: 'asc' }, 10)).toEqual([]);
  });
});

describe('one discrepancy', () => {
  test('is found by the merchants that have it, and by no others', async () => {
    const [id, fact] = [...facts][0] ?? ['', undefined];
    const owner = fact?.merchantId ?? '';
    const other = owner === mine.merchantId ? theirs.merchantId : mine.merchantId;
    expect(await findDiscrepancy(context, { merchantIds: [owner], discrepancyId: id })).toMatchObject({
      discrepancyId: id,
      merchantName: 'Balogun Books',
      accountLabel:
        fact?.accountId === mine.paystack || fact?.accountId === theirs.paystack ? 'paystack-main' : 'flutterwave-main',
    });
    expect(await findDiscrepancy(context, { merchantIds: [other], discrepancyId: id })).toBeNull();
  });
});

describe('counts by age', () => {
  test.each([
    ['2026-11-20', 0],
    ['2026-11-22', 0],
    ['2026-11-23', 1],
    ['2026-11-27', 1],
    ['2026-11-28', 2],
    ['2026-12-20', 2],
    ['2026-12-21', 3],
  ])('put a discrepancy of 20 November, on %s, in group %i', async (today, group) => {
    const merchant = await createReconciledMerchant(context);
    await seedDiscrepancy(context, { merchantId: merchant.merchantId, accountId: merchant.paystack });
    const groups = [
      { minDays: 0, maxDays: 2 },
      { minDays: 3, maxDays: 7 },
      { minDays: 8, maxDays: 30 },
      { minDays: 31, maxDays: null },
    ];
    expect(await countDiscrepanciesByAge(context, filterOf({ merchantIds: [merchant.merchantId] }), today)).toEqual([
      { ...groups[group], currency: 'NGN', count: 1, unowned: 1, amount: '100' },
    ]);
  });

  test('add up to the list, to the last digit, and keep currencies apart', async () => {
    const merchant = await createReconciledMerchant(context);
    const planted = { merchantId: merchant.merchantId, accountId: merchant.paystack };
    await seedDiscrepancy(context, { ...planted, statement: '2400.01' });
    await seedDiscrepancy(context, { ...planted, statement: '2499.9', ownerId: ADA });
    await seedDiscrepancy(context, { ...planted, currency: 'USD' });
    const wanted = filterOf({ merchantIds: [merchant.merchantId] });
    const groups = await countDiscrepanciesByAge(context, wanted, '2026-11-21');
    expect(groups.map(({ currency, count, unowned, amount }) => [currency, count, unowned, amount])).toEqual([
      ['NGN', 2, 1, '100.09'],
      ['USD', 1, 1, '100'],
    ]);
    const items = await readAll({ merchantIds: [merchant.merchantId] }, { by: 'amount', order: 'asc' }, 500);
    const sum = items
      .filter(({ ledger }) => ledger?.currency === 'NGN')
      .reduce((total, { amount }) => addDecimals(total, amount), '0');
    expect(sum).toBe('100.09');
  });
});
