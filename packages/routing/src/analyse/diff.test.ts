import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ruleSetArbitrary } from '../testing/arbitraries.ts';
import { aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import { diffRuleSets } from './diff.ts';

const cards = aRule('cards', aTarget('paystack-main'));
const ussd = aRule('ussd', aTarget('monnify-main'), { methods: ['USSD'] });
const transfers = aRule('transfers', aTarget('monnify-main'), { methods: ['TRANSFER'] });

describe('the difference of two rule sets', () => {
  it('is empty for equal documents, independent of versions and absent fields', () => {
    const diff = diffRuleSets(
      aRuleSet([cards], ['a'], 1),
      aRuleSet([{ ...cards, when: { ...cards.when, countries: null } }], ['a'], 2),
    );
    expect(diff).toMatchObject({ same: true, added: [], removed: [], moved: [], changed: [], defaultOrder: null });
  });

  it('names rules added and removed, with their places', () => {
    const diff = diffRuleSets(aRuleSet([cards, ussd]), aRuleSet([transfers, cards]));
    expect(diff.added).toEqual([{ position: 0, rule: transfers }]);
    expect(diff.removed).toEqual([{ position: 1, rule: ussd }]);
    expect(diff.moved).toEqual([]);
  });

  it('names the fewest rules whose move explains the new order', () => {
    const other = aRule('other', aTarget('a'));
    expect(diffRuleSets(aRuleSet([cards, ussd, transfers, other]), aRuleSet([other, cards, ussd, transfers])).moved).toEqual([
      { ruleId: 'other', name: 'other', from: 3, to: 0 },
    ]);
  });

  it('names each field that changed, with both values', () => {
    const after = { ...cards, name: 'Cards', when: { ...cards.when, amount: { from: 0, to: 5_000 }, countries: ['GH'] } };
    expect(diffRuleSets(aRuleSet([cards]), aRuleSet([after])).changed).toEqual([
      {
        ruleId: 'cards',
        name: 'Cards',
        fields: [
          { path: 'name', before: 'cards', after: 'Cards' },
          { path: 'when.amount.to', before: null, after: 5_000 },
          { path: 'when.countries', before: null, after: ['GH'] },
        ],
      },
    ]);
  });

  it('names a new default order', () => {
    const diff = diffRuleSets(aRuleSet([], ['a', 'b']), aRuleSet([], ['b', 'a']));
    expect(diff).toMatchObject({ same: false, defaultOrder: { before: ['a', 'b'], after: ['b', 'a'] } });
  });

  it('is empty exactly when the documents are equal', () => {
    fc.assert(
      fc.property(ruleSetArbitrary, ruleSetArbitrary, (before, after) => {
        expect(diffRuleSets(before, { ...before, version: 0 }).same).toBe(true);
        const isEqual = JSON.stringify({ ...before, version: 0 }) === JSON.stringify({ ...after, version: 0 });
        expect(diffRuleSets(before, after).same).toBe(isEqual);
      }),
      { numRuns: 300 },
    );
  });
});
