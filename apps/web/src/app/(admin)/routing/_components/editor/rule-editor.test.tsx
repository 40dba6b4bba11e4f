// @vitest-environment happy-dom
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
const touched = vi.fn<(fields: readonly RuleField[]) => void>();
let replace: (rule: Rule) => void;
const nothing = () => undefined;

function Editor({ notes = [], mayWrite = true }: { notes?: readonly Note[]; mayWrite?: boolean }) {
  const [rule, setRule] = useState(RULE);
  replace = setRule;
  return (
    <RuleEditor
      rule={rule}
      position={0}
      count={1}
      accounts={ACCOUNTS}
      notes={notes}
      mayWrite={mayWrite}
      onChange={(next) => {
        stored(next);
        setRule(next);
      }}
      onTouch={touched}
      onMove={nothing}
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
  const note = { accountId: null, gap: null, subject: null, position: 0, isNew: null };
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
