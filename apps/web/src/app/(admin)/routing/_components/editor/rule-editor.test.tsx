// @vitest-environment happy-dom
import type { MetadataKey } from '@switchyard/routing';
import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { button, checkbox, field, openDashboard, radio } from '#/testing/dashboard.tsx';
import type { Note, RuleField } from '../queries/use-check.ts';
import type { Account, Rule } from '../rules/document.ts';
import { newRule } from '../rules/edit.ts';
import { RuleEditor } from './rule-editor.tsx';

const page = openDashboard('?mode=test&merchant=m-1');
const account = (accountId: string, label: string): Account =>
  Object({ accountId, label, gateway: 'kora', gatewayTitle: 'Kora', methods: ['CARD', 'USSD'], currencies: ['NGN'] });
const ACCOUNTS = [account('a-1', 'kora-main'), account('a-2', 'kora-second')];
const RULE = newRule(
  { ruleId: 'r-1', currency: 'NGN', methods: ['CARD'], from: 0, to: 5_000, countries: null, accounts: ['a-1', 'a-2'] },
  'Small cards',
);
const stored = vi.fn<(rule: Rule) => void>();
const KEYS: readonly MetadataKey[] = [
  { name: 'tier', label: 'Tier', type: 'enum', values: ['gold', 'silver'] },
  { name: 'items', label: 'Items', type: 'integer' },
];
const touched = vi.fn<(fields: readonly RuleField[]) => void>();
let replace: (rule: Rule) => void;
const nothing = () => undefined;

const moved = vi.fn<(to: number) => void>();

function Editor({ notes = [], mayWrite = true }: { notes?: readonly Note[]; mayWrite?: boolean }) {
  const [rule, setRule] = useState(RULE);
  replace = setRule;
  return (
    <RuleEditor
      rule={rule}
      position={0}
      count={1}
      accounts={ACCOUNTS}
      declared={KEYS}
      timeZone="Africa/Lagos"
      notes={notes}
      mayWrite={mayWrite}
      onChange={(next) => {
        stored(next);
        setRule(next);
      }}
      onTouch={touched}
      onMove={moved}
      onCopy={nothing}
      onRemove={nothing}
    />
  );
}
const last = () => stored.mock.calls.at(-1)?.[0];

test('what is typed is in the rule at once, whatever it is', async () => {
  const user = page.show(<Editor />);
  await user.type(field('Name'), '!');
  await user.click(checkbox('Enabled'));
  await user.click(checkbox('USSD'));
  await user.clear(field('Up to, inclusive'));
  await user.type(field('Up to, inclusive'), '2000');
  await user.type(field(/^Customer's country/), 'ng, g');
  expect(last()).toEqual({
    ruleId: 'r-1',
    name: 'Small cards!',
    enabled: false,
    when: { currency: 'NGN', methods: ['CARD', 'USSD'], amount: { from: 0, to: 2_000 }, countries: ['NG', 'G'] },
    then: { strategy: 'priority', accounts: ['a-1', 'a-2'] },
  });
  expect(field(/^Customer's country/).value).toBe('ng, g');
});

test('a split begins even, and each share is entered by itself', async () => {
  const user = page.show(<Editor />);
  await user.click(radio('Split by share'));
  expect(last()?.then).toEqual({
    strategy: 'weighted',
    split: [
      { account: 'a-1', percent: 50 },
      { account: 'a-2', percent: 50 },
    ],
  });
  await user.clear(field('Share of kora-main'));
  await user.type(field('Share of kora-main'), '70');
  screen.getByText('Adds up to 120%, not 100%');
  await user.click(button('Split evenly'));
  screen.getByText('Adds up to 100%');
});

test('an emptied lower end is from nothing once it is left', async () => {
  const user = page.show(<Editor />);
  await user.clear(field('From'));
  expect(last()?.when.amount.from).toBe('');
  await user.tab();
  expect([last()?.when.amount.from, field('From').value]).toEqual([0, '0']);
});

test('the fields follow what changes the rule otherwise, such as an undo', async () => {
  const user = page.show(<Editor />);
  await user.type(field(/^Customer's country/), 'ng, ');
  await act(async () => replace(RULE));
  expect(field(/^Customer's country/).value).toBe('');
});

test('what the check finds is beside its field, which only an error marks as wrong', () => {
  const note = { accountId: null, gap: null, subject: null, position: 0, isNew: null, isPermanent: false };
  const notes: Note[] = [
    { ...note, severity: 'blocks', field: 'to', message: 'Must not be below the lowest amount.' },
    { ...note, severity: 'warning', field: 'name', message: 'Another rule has this name.' },
  ];
  page.show(<Editor notes={notes} />);
  const top = screen.getByRole('textbox', { name: 'Up to, inclusive', description: /Must not be below/ });
  expect(top.getAttribute('aria-invalid')).toBe('true');
  const name = screen.getByRole('textbox', { name: 'Name', description: /Another rule has this name/ });
  expect(name.getAttribute('aria-invalid')).toBe('false');
});

test('conditions on keys are out of the way until they are wanted, and in the rule at once', async () => {
  const user = page.show(<Editor />);
  expect(screen.queryByText('Condition on metadata')).toBeNull();
  await user.click(button('More conditions'));
  await user.click(checkbox('Fri'));
  await user.type(field('Hours from'), '18:00');
  await user.type(field('To, exclusive'), '24:00');
  await user.click(button('Condition on metadata'));
  await user.click(checkbox('gold'));
  await user.click(checkbox('or absent'));
  await user.click(button('Condition on metadata'));
  await user.type(field('Items from'), '-5');
  expect(last()?.when).toEqual({
    ...RULE.when,
    weekdays: ['fri'],
    hours: { from: '18:00', to: '24:00' },
    metadata: [
      { key: 'tier', is: 'one_of', values: ['gold'], orAbsent: true },
      { key: 'items', is: 'between', from: -5, to: null },
    ],
  });
  expect(screen.queryByRole('button', { name: 'Condition on metadata' })).toBeNull();
  await user.click(button('Remove the condition on Tier'));
  expect(last()?.when.metadata).toEqual([{ key: 'items', is: 'between', from: -5, to: null }]);
  await user.click(button('Fewer conditions'));
  button('More conditions (3)');
});

test('what the check finds about a condition is beside it', () => {
  const note = { accountId: null, gap: null, subject: null, position: 0, isNew: null, isPermanent: false };
  const rule = { ...RULE, when: { ...RULE.when, metadata: [{ key: 'tier', is: 'one_of' as const, values: ['bronze'] }] } };
  const notes: Note[] = [{ ...note, severity: 'blocks', field: 'metadata.0', message: 'Must be one of gold, silver.' }];
  page.show(
    <RuleEditor
      rule={rule}
      position={0}
      count={1}
      accounts={ACCOUNTS}
      declared={KEYS}
      timeZone="Africa/Lagos"
      notes={notes}
      mayWrite
      onChange={nothing}
      onMove={nothing}
      onCopy={nothing}
      onRemove={nothing}
    />,
  );
  const condition = screen.getByRole('group', { name: 'Condition 1, Tier' });
  expect(condition.textContent).toContain('Must be one of gold, silver.');
});

test('a person who may only read changes nothing', async () => {
  stored.mockReset();
  const user = page.show(<Editor mayWrite={false} />);
  await user.type(field('Name'), '!');
  await user.click(checkbox('USSD'));
  expect(stored).not.toHaveBeenCalled();
});

test('a field is touched once it was changed or left, a group of them once the focus is outside', async () => {
  touched.mockReset();
  const user = page.show(<Editor />);
  const fields = () => touched.mock.calls.flat(2);
  await user.click(field('Name'));
  expect(fields()).toEqual([]);
  await user.click(checkbox('USSD'));
  expect(new Set(fields())).toEqual(new Set(['name', 'methods']));
  touched.mockClear();
  await user.click(checkbox('Card'));
  expect(new Set(fields())).toEqual(new Set(['methods']));
  await user.click(radio('Split by share'));
  touched.mockClear();
  await user.tab();
  await user.click(field('Name'));
  expect(fields()).toContain('accounts');
});

test('minimum amounts of accounts are folded below them, other notes are under their account', () => {
  const note = { gap: null, subject: null, position: 0, isNew: null, field: 'accounts', accountId: 'a-1' } as const;
  page.show(
    <Editor
      notes={[
        { ...note, severity: 'warning', message: 'kora-main is disabled.', isPermanent: false },
        { ...note, severity: 'info', message: 'kora-main takes no less than NGN 50.', isPermanent: true },
        { ...note, severity: 'info', accountId: 'a-2', message: 'kora-second takes no less than NGN 100.', isPermanent: true },
      ]}
    />,
  );
  expect(screen.getByText('kora-main is disabled.').closest('details')).toBeNull();
  const folded = screen.getByText('2 notes on minimum amounts').closest('details');
  expect(folded?.open).toBe(false);
  expect(screen.getByText('kora-main takes no less than NGN 50.').closest('details')).toBe(folded);
});

test('an account that is taken out of an even split leaves its share to the rest', async () => {
  const user = page.show(<Editor />);
  await user.click(radio('Split by share'));
  await user.click(button('Remove kora-second'));
  expect(last()?.then).toEqual({ strategy: 'weighted', split: [{ account: 'a-1', percent: 100 }] });
});

test('a button that moves no further keeps the focus', async () => {
  const user = page.show(<Editor />);
  const up = button('Move rule 1 up');
  await user.click(up);
  expect(up.getAttribute('aria-disabled')).toBe('true');
  expect(document.activeElement).toBe(up);
});
