import { expect, test } from 'vitest';
import type { LiveCheck } from '../queries/use-check.ts';
import type { Rule } from '../rules/document.ts';
import type { Note, RuleField } from '../rules/findings.ts';
import { touch, withoutUntouched } from './untouched.ts';

const note = (position: number | null, field: RuleField, message = `${field} of ${position}`): Note => ({
  severity: 'blocks',
  message,
  field,
  accountId: null,
  gap: null,
  position,
  subject: null,
  isNew: null,
});
const OF_OTHER = note(0, 'name');
const OF_NEW = [note(1, 'name'), note(1, 'methods'), note(1, 'rule')];
const OF_ALL = note(null, 'rule');
const CHECK: LiveCheck = Object({
  notes: {
    byRule: new Map([
      [0, [OF_OTHER]],
      [1, OF_NEW],
    ]),
    ofDefaultOrder: [],
    ofAll: [OF_ALL],
    all: [OF_OTHER, ...OF_NEW, OF_ALL],
  },
});
const RULES: readonly Rule[] = [Object({ ruleId: 'r-1' }), Object({ ruleId: 'r-new' })];
const added = (...touched: RuleField[]) => ({ ruleId: 'r-new', touched: new Set(touched) });
const fieldsAt = ({ notes }: LiveCheck, position: number) => notes.byRule.get(position)?.map(({ field }) => field);

test('a new rule has no errors before a field of it is touched; other rules and the whole keep theirs', () => {
  const shown = withoutUntouched(CHECK, RULES, added());
  expect([fieldsAt(shown, 0), fieldsAt(shown, 1)]).toEqual([['name'], []]);
  expect(shown.notes.all).toEqual([OF_OTHER, OF_ALL]);
});

test('an error appears with its field, that of the rule as a whole with any', () => {
  expect(fieldsAt(withoutUntouched(CHECK, RULES, added('methods')), 1)).toEqual(['methods', 'rule']);
});

test('without a new rule, and once it is no longer in the draft, all errors are shown', () => {
  expect(withoutUntouched(CHECK, RULES, null)).toBe(CHECK);
  expect(withoutUntouched(CHECK, RULES.slice(0, 1), added())).toBe(CHECK);
});

test('touching adds to the fields touched, and is the same rule where nothing is new', () => {
  const rule = added('name');
  expect(touch(rule, ['name'])).toBe(rule);
  expect(touch(rule, ['to', 'name']).touched).toEqual(new Set(['name', 'to']));
});
