import { expect, test } from 'vitest';
import type { Rule } from './document.ts';
import { insertRule, moveInList, newRule, withoutRule, withRule } from './edit.ts';

const rule = (ruleId: string, name = ruleId): Rule =>
  newRule({ ruleId, currency: 'NGN', methods: ['CARD'], from: 0, to: null, countries: null, accounts: ['a'] }, name);
const DOCUMENT = { rules: [rule('r-1'), rule('r-2')], defaultOrder: ['a'], expectations: [] };
const ids = ({ rules }: { readonly rules: readonly Rule[] }) => rules.map(({ ruleId }) => ruleId);

test('a rule is replaced in its place, and nothing else of the document changes', () => {
  const after = withRule(DOCUMENT, rule('r-1', 'Renamed'));
  expect(after).toEqual({ ...DOCUMENT, rules: [rule('r-1', 'Renamed'), rule('r-2')] });
});

test('a rule that is not in the document is not added by replacing it', () => {
  expect(withRule(DOCUMENT, rule('r-9'))).toEqual(DOCUMENT);
});

test.each([
  [0, ['new', 'r-1', 'r-2']],
  [1, ['r-1', 'new', 'r-2']],
  [2, ['r-1', 'r-2', 'new']],
])('a rule is inserted before the one at index %i', (at, order) => {
  expect(ids(insertRule(DOCUMENT, rule('new'), at))).toEqual(order);
});

test('a rule is removed by its id alone', () => {
  expect(ids(withoutRule(DOCUMENT, 'r-1'))).toEqual(['r-2']);
});

test.each([
  [0, 2, ['b', 'c', 'a']],
  [2, 0, ['c', 'a', 'b']],
  [1, 1, ['a', 'b', 'c']],
  [5, 0, ['a', 'b', 'c']],
])('an entry moves from %i to %i and loses none', (from, to, order) => {
  expect(moveInList(['a', 'b', 'c'], from, to)).toEqual(order);
});

test('edits leave the document before as it was, so that undo can show it', () => {
  const before = structuredClone(DOCUMENT);
  insertRule(DOCUMENT, rule('new'), 1);
  withoutRule(DOCUMENT, 'r-1');
  moveInList(DOCUMENT.rules, 0, 1);
  expect(DOCUMENT).toEqual(before);
});
