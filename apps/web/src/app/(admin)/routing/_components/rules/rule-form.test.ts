import { WEEKDAYS } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Condition, readDocument, type Target } from './document.ts';
import { evenly, fromForm, readTyped, splitTotal, toForm, withAccount, withoutAccount, withStrategy } from './rule-form.ts';

const accounts = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 6 });
const amount = fc.integer({ min: 0, max: 1_000_000_000_000 });
const percent = fc.integer({ min: 0, max: 100 });

const target: fc.Arbitrary<Target> = fc.oneof(
  fc.record({ strategy: fc.constant('priority' as const), accounts }),
  fc.record(
    {
      strategy: fc.constantFrom('lowest_cost' as const, 'expected_value' as const),
      accounts,
      fees: fc.constant('effective' as const),
    },
    { requiredKeys: ['strategy', 'accounts'] },
  ),
  accounts.chain((named) =>
    fc.record({
      strategy: fc.constant('weighted' as const),
      split: fc.tuple(...named.map((account) => fc.record({ account: fc.constant(account), percent }))),
    }),
  ),
  fc.record({
    strategy: fc.constant('success_rate' as const),
    accounts,
    minSamples: fc.integer({ min: 1, max: 1_000_000 }),
    explorationPercent: percent,
  }),
);

const orAbsent = fc.record({ orAbsent: fc.constant(true) }, { requiredKeys: [] });
const key = fc.constantFrom('tier', 'items');
const edge = fc.option(fc.integer({ min: -1_000, max: 1_000 }));
const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ key, is: fc.constantFrom('present' as const, 'absent' as const) }),
  fc
    .tuple(key, fc.constantFrom('one_of' as const, 'none_of' as const), fc.array(fc.string({ minLength: 1 })), orAbsent)
    .map(([name, is, values, also]) => ({ key: name, is, values, ...also })),
  fc
    .tuple(key, fc.boolean(), orAbsent)
    .map(([name, value, also]) => ({ key: name, is: 'one_of' as const, values: [value], ...also })),
  fc.tuple(key, edge, edge, orAbsent).map(([name, from, to, also]) => ({ key: name, is: 'between' as const, from, to, ...also })),
);

const rule = fc.record({
  ruleId: fc.string({ minLength: 1 }),
  name: fc.string(),
  enabled: fc.boolean(),
  when: fc.record(
    {
      currency: fc.constantFrom('NGN', 'GHS'),
      methods: fc.subarray(['CARD', 'USSD', 'BANK']),
      amount: fc.record({ from: amount, to: fc.option(amount) }),
      countries: fc.option(fc.subarray(['NG', 'GH'], { minLength: 1 })),
      customer: fc.constantFrom('new', 'returning'),
      weekdays: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      hours: fc.record({ from: fc.constantFrom('00:00', '18:30'), to: fc.constantFrom('06:00', '24:00') }),
      metadata: fc.array(condition, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ['currency', 'methods', 'amount', 'countries'] },
  ),
  then: target,
});

const WHEN = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null }, countries: null };

describe('the form of a rule', () => {
  test('returns the rule it was made from', () => {
    fc.assert(
      fc.property(rule, (each) => {
        expect(fromForm(each.ruleId, toForm(each))).toEqual(each);
      }),
    );
  });

  test('keeps typed text that is no number, through storing and reading', () => {
    fc.assert(
      fc.property(rule, fc.string(), fc.string(), (each, from, to) => {
        const written = fromForm(each.ruleId, { ...toForm(each), from, to });
        const read = readDocument(JSON.parse(JSON.stringify({ rules: [written], defaultOrder: [] })));
        expect(read?.rules).toEqual([written]);
        const [back] = read?.rules ?? [];
        if (back && typeof readTyped(from) === 'string') expect(toForm(back).from).toBe(from);
      }),
    );
  });

  test('accepts thousands separators, and no other text as a number', () => {
    expect(['5,000', ' 5 000 ', '5000', '0'].map(readTyped)).toEqual([5_000, 5_000, 5_000, 0]);
    expect(['', '5.000', '-1', '5k', '１２'].map(readTyped)).toEqual(['', '5.000', '-1', '5k', '１２']);
  });

  test('keeps a split while another strategy is selected, and starts a new one with even shares', () => {
    const paystack = 'paystack';
    const flutterwave = 'flutterwave';
    const inOrder = { strategy: 'priority', accounts: [paystack, flutterwave, 'third'] } as const;
    const form = toForm({ ruleId: 'r', name: 'r', enabled: true, when: WHEN, then: inOrder });
    const split = withStrategy(form, 'weighted');
    expect(split.accounts.map((share) => share.percent)).toEqual(['34', '33', '33']);
    const changed = {
      ...split,
      accounts: split.accounts.map((share, at) => ({ ...share, percent: ['80', '10', '10'][at] ?? '' })),
    };
    const back = withStrategy(withStrategy(changed, 'lowest_cost'), 'weighted');
    expect([back.accounts, splitTotal(back)]).toEqual([changed.accounts, 100]);
    expect(withAccount(back, 'fourth').accounts.at(-1)).toEqual({ account: 'fourth', percent: '0' });
    const longer = withStrategy(withAccount(withStrategy(changed, 'priority'), 'fourth'), 'weighted');
    expect(longer.accounts.map((share) => share.percent)).toEqual(['25', '25', '25', '25']);
  });

  test('an even split stays even while accounts come and go; entered shares stay as they are', () => {
    const split = (...percents: string[]) =>
      Object.assign(toForm({ ruleId: 'r', name: 'r', enabled: true, when: WHEN, then: { strategy: 'weighted', split: [] } }), {
        accounts: percents.map((percent, at) => ({ account: `a-${at}`, percent })),
      });
    const percents = ({ accounts: shares }: ReturnType<typeof toForm>) => shares.map((share) => share.percent);
    expect(percents(withAccount(split(), 'new'))).toEqual(['100']);
    expect(percents(withAccount(split('50', '50'), 'new'))).toEqual(['34', '33', '33']);
    expect(percents(withoutAccount(split('34', '33', '33'), 'a-0'))).toEqual(['50', '50']);
    expect(percents(withAccount(split('70', '30'), 'new'))).toEqual(['70', '30', '0']);
    expect(percents(withoutAccount(split('70', '20', '10'), 'a-2'))).toEqual(['70', '20']);
  });

  test('begins a split with shares that always add up to 100', () => {
    fc.assert(
      fc.property(accounts, (named) => {
        const shares = evenly(named).map((share) => Number(share.percent));
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(100);
        expect(Math.max(...shares) - Math.min(...shares)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

test('content that is not made of rules is distinguished from unfinished rules', () => {
  for (const stored of [
    null,
    7,
    [],
    {},
    { rules: {}, defaultOrder: [] },
    { rules: [null], defaultOrder: [] },
    { rules: [], defaultOrder: [1] },
  ]) {
    expect(readDocument(stored)).toBeNull();
  }
  expect(readDocument({ rules: [], defaultOrder: ['a'], version: 3 })).toEqual({ rules: [], defaultOrder: ['a'] });
});
