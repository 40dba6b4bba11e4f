import { describe, expect, test } from 'vitest';
import { accountsOf, readDocument } from './document.ts';

const when = { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null }, countries: null };
const TARGETS = [
  { strategy: 'priority', accounts: ['a', 'b'] },
  { strategy: 'lowest_cost', accounts: ['a', 'b'] },
  {
    strategy: 'weighted',
    split: [
      { account: 'a', percent: 60 },
      { account: 'b', percent: 40 },
    ],
  },
  { strategy: 'success_rate', accounts: ['a', 'b'], minSamples: 50, explorationPercent: 5 },
] as const;
const stored = (then: unknown) => ({ rules: [{ ruleId: 'r', name: 'R', enabled: true, when, then }], defaultOrder: ['a'] });

describe('a stored draft is read', () => {
  test.each(TARGETS)('with each strategy: $strategy', (then) => {
    const document = readDocument(stored(then));
    expect(document?.rules[0]?.then).toEqual(then);
    expect(document?.rules.flatMap((rule) => accountsOf(rule.then))).toEqual(['a', 'b']);
  });

  test('with what was typed where a number belongs, so that no input is lost', () => {
    const then = { strategy: 'success_rate', accounts: [], minSamples: 'fifty', explorationPercent: '' };
    const document = readDocument({ ...stored(then), rules: [{ ...stored(then).rules[0], name: undefined, enabled: 'yes' }] });
    expect(document?.rules[0]).toMatchObject({ name: '', enabled: false, then });
  });

  test('with its expectations', () => {
    const payment = { currency: 'NGN', amount: 100, method: 'CARD', customerCountry: null };
    const expectation = { name: 'Small cards', payment, goesTo: ['a'] };
    const document = readDocument({ ...stored(TARGETS[0]), expectations: [expectation] });
    expect(document?.expectations).toEqual([expectation]);
  });
});

test.each([
  ['no object', []],
  ['no list of rules', { rules: {}, defaultOrder: [] }],
  ['a rule without conditions', { rules: [{ ruleId: 'r', then: TARGETS[0] }], defaultOrder: [] }],
  ['a strategy of a later version', stored({ strategy: 'auction', accounts: [] })],
  ['a share without an account', stored({ strategy: 'weighted', split: [{ percent: 100 }] })],
  ['an account that is no text', stored({ strategy: 'priority', accounts: [7] })],
  ['a default order that is no list', { rules: [], defaultOrder: 'a' }],
  ['an expectation without a payment', { rules: [], defaultOrder: [], expectations: [{ name: 'x' }] }],
])('a document that this page could not save again unchanged is not opened: %s', (_what, value) => {
  expect(readDocument(value)).toBeNull();
});
