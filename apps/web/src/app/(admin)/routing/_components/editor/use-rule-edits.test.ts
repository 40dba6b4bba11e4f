import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveCheck, Note, RuleField } from '../queries/use-check.ts';
import type { LiveRouting } from '../queries/use-routing.ts';
import { isComplete, type Rule, type RuleDocument } from '../rules/document.ts';
import { newRule } from '../rules/edit.ts';
import { type NewRule, touch, useRuleEdits, withoutUntouched } from './use-rule-edits.tsx';

describe('use rule edits', () => {
  const page = openHookPage('?mode=test&merchant=m-1');
  const rule = (ruleId: string) =>
    newRule(
      { ruleId, currency: 'NGN', methods: ['CARD'], from: 0, to: null, countries: null, accounts: ['p'] },
      `Rule ${ruleId}`,
    );
  const DOCUMENT: RuleDocument = { rules: [rule('r-1'), rule('r-2')], defaultOrder: ['f', 'p'] };
  const account = (accountId: string, methods: readonly string[], enabled = true) => ({ accountId, methods, enabled });
  const ACCOUNTS: LiveRouting['accounts'] = Object([
    account('p', ['CARD']),
    account('f', ['CARD', 'TRANSFER']),
    account('off', ['CARD'], false),
  ]);

  /** The edits over a document that is kept as the page's draft keeps it. */
  const open = ({ mayWrite = true } = {}) =>
    page.render(() => {
      const [document, setDocument] = useState(DOCUMENT);
      const [did, setDid] = useState<string[]>([]);
      const change = (next: RuleDocument, what: string) => {
        setDocument(next);
        setDid((before) => [...before, what]);
      };
      const [added, setAdded] = useState<NewRule | null>(null);
      const edited: EditedDraft = Object({ draft: { draftId: 'd-1' }, document, change });
      const edits = useRuleEdits({ edited, mayWrite, currency: 'NGN', accounts: ACCOUNTS, declared: [], setAdded });
      return { ...edits, document, did, added };
    });
  const ids = ({ rules }: RuleDocument) => rules.map(({ ruleId }) => ruleId);

  test('a new rule is open, at its place, and empty: it takes no payment before it is written', async () => {
    const { result, act } = await open();
    await act(() => result.current.add(null, 1));
    const added = result.current.document.rules[1];
    expect(added).toMatchObject({ name: '', when: { methods: [] }, then: { strategy: 'priority', accounts: [] } });
    expect(added !== undefined && isComplete(added)).toBe(false);
    expect([result.current.openId, ids(result.current.document)]).toEqual([added?.ruleId, ['r-1', added?.ruleId, 'r-2']]);
  });

  test('an empty rule is new, with the fields that were touched, until another is opened; one for a cell is not', async () => {
    const { result, act } = await open();
    await act(() => result.current.add(null, 0));
    const ruleId = result.current.openId ?? '';
    expect(result.current.added).toEqual({ ruleId, touched: new Set() });
    await act(() => result.current.touch('r-1', ['name']));
    await act(() => result.current.touch(ruleId, ['methods']));
    expect(result.current.added).toEqual({ ruleId, touched: new Set(['methods']) });
    await act(() => result.current.open('r-1'));
    expect(result.current.added).toBeNull();
    await act(() => result.current.add({ method: 'TRANSFER', from: 1, to: null }, 0));
    expect(result.current.added).toBeNull();
  });

  test('a rule for a cell of the map has its payments, a name, and the accounts able to take them', async () => {
    const { result, act } = await open();
    await act(() => result.current.add({ method: 'TRANSFER', from: 5_001, to: 20_000 }, 0));
    expect(result.current.document.rules[0]).toMatchObject({
      name: 'Transfer 5,001 to 20k',
      when: { methods: ['TRANSFER'], amount: { from: 5_001, to: 20_000 } },
      then: { accounts: ['f'] },
    });
  });

  test('a cell in the address adds one rule above all others, and leaves the address', async () => {
    page.goTo('?mode=test&merchant=m-1&cell=CARD:0:5000:NGN');
    const { result } = await open();
    await page.wait(100);
    expect(result.current.document.rules.map(({ name }) => name)).toEqual(['Card up to 5k', 'Rule r-1', 'Rule r-2']);
    expect([result.current.did, result.current.openId]).toEqual([['Adding a rule'], result.current.document.rules[0]?.ruleId]);
  });

  test('a person who may only read gets no rule from the address', async () => {
    page.goTo('?mode=test&merchant=m-1&cell=CARD:0:5000:NGN');
    const { result } = await open({ mayWrite: false });
    expect([result.current.document, result.current.did]).toEqual([DOCUMENT, []]);
  });

  test('a copy stands behind its rule, with an id of its own, and is open', async () => {
    const { result, act } = await open();
    await act(() => result.current.copy(rule('r-1')));
    const [, copy] = result.current.document.rules;
    expect(copy).toEqual({ ...rule('r-1'), ruleId: copy?.ruleId, name: 'Rule r-1 (copy)' });
    expect([copy?.ruleId === 'r-1', result.current.openId]).toEqual([false, copy?.ruleId]);
  });

  test('a rule moves, and is replaced, in the list', async () => {
    const { result, act } = await open();
    await act(() => result.current.move(0, 1));
    expect(ids(result.current.document)).toEqual(['r-2', 'r-1']);
    await act(() => result.current.replace({ ...rule('r-2'), enabled: false }));
    expect(result.current.document.rules[0]?.enabled).toBe(false);
  });

  test('a deleted rule comes back at its place, whatever was edited since', async () => {
    const { result, act } = await open();
    await act(() => result.current.remove(rule('r-1')));
    await act(() => result.current.replace({ ...rule('r-2'), enabled: false }));
    expect([ids(result.current.document), result.current.openId]).toEqual([['r-2'], null]);
    await act(() => shownToasts().at(-1)?.action?.run());
    expect(result.current.document.rules).toEqual([rule('r-1'), { ...rule('r-2'), enabled: false }]);
  });

  test('a deleted rule is not brought back into another draft', async () => {
    const { result, act, unmount } = await open();
    await act(() => result.current.remove(rule('r-1')));
    await unmount();
    expect(() => shownToasts().at(-1)?.action?.run()).toThrow(/The draft is no longer open/);
  });
});

const note = (position: number | null, field: RuleField, message = `${field} of ${position}`): Note => ({
  severity: 'blocks',
  message,
  field,
  accountId: null,
  gap: null,
  position,
  subject: null,
  isNew: null,
  isPermanent: false,
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
