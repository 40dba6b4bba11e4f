'use client';

import { IconArrowDown, IconArrowUp, IconCopy, IconTrash } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { readNumber } from '#/components/number-field/number-text.ts';
import { Select } from '#/components/select/select.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { isSameRule } from '../rules/compare.ts';
import type { Account, Rule } from '../rules/document.ts';
import type { Note, RuleField } from '../rules/findings.ts';
import { METHODS } from '../rules/methods.ts';
import { fromForm, type RuleForm, toForm } from '../rules/rule-form.ts';
import { AccountsEditor } from './accounts-editor.tsx';
import { NoteLine, NoteLines, notesBeside } from './notes.tsx';
import classes from './rule-editor.module.css';
import type { SetForm } from './set-form.ts';

/** One rule as a form. Findings of the check are shown beside their field; typed input is stored unchanged. */
export function RuleEditor({
  rule,
  position,
  count,
  accounts,
  notes,
  mayWrite,
  onChange,
  onMove,
  onCopy,
  onRemove,
}: {
  rule: Rule;
  position: number;
  count: number;
  accounts: readonly Account[];
  notes: readonly Note[];
  mayWrite: boolean;
  onChange: (rule: Rule) => void;
  onMove: (to: number) => void;
  onCopy: () => void;
  onRemove: () => void;
}) {
  const { form, set } = useRuleForm(rule, onChange);
  const of = (...names: RuleField[]) => notes.filter(({ field }) => names.includes(field));
  return (
    <fieldset
      className="grid gap-3 min-w-0 mt-1 mr-2 mb-3 ml-10.5 px-0 pt-3 pb-1 border-0 border-t border-line max-phone:ml-2"
      disabled={!mayWrite}
    >
      <legend className="sr-only">
        Rule {position + 1}, {rule.name}
      </legend>
      {of('rule').map((note) => (
        <NoteLine key={note.message} note={note} />
      ))}
      <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
        <Name form={form} set={set} notes={of('name')} isNew={rule.name === ''} />
        <label className="inline-flex gap-2 items-center h-9 mt-5.25 text-sm cursor-pointer [&_input]:w-4 [&_input]:h-4 [&_input]:accent-accent">
          <input type="checkbox" checked={form.enabled} onChange={(event) => set({ enabled: event.currentTarget.checked })} />
          Enabled
        </label>
      </div>
      <h3 className="mt-1 text-ink-faint text-sm font-medium">Payments by</h3>
      <Methods form={form} set={set} accounts={accounts} notes={of('methods')} />
      <Amount form={form} set={set} accounts={accounts} notes={of('from', 'to', 'currency')} />
      <Countries form={form} set={set} notes={of('countries')} />
      <h3 className="mt-1 text-ink-faint text-sm font-medium">Send to</h3>
      <AccountsEditor form={form} set={set} accounts={accounts} notes={of('accounts', 'strategy')} mayWrite={mayWrite} />
      {mayWrite && (
        <div className="flex flex-wrap gap-2 mt-1">
          <Button onClick={() => onMove(position - 1)} disabled={position === 0} aria-label={`Move rule ${position + 1} up`}>
            <IconArrowUp size={16} stroke={1.7} aria-hidden="true" />
            Up
          </Button>
          <Button
            onClick={() => onMove(position + 1)}
            disabled={position === count - 1}
            aria-label={`Move rule ${position + 1} down`}
          >
            <IconArrowDown size={16} stroke={1.7} aria-hidden="true" />
            Down
          </Button>
          <Button onClick={onCopy}>
            <IconCopy size={16} stroke={1.7} aria-hidden="true" />
            Copy
          </Button>
          <span className="flex-1" />
          <Button variant="danger" onClick={onRemove}>
            <IconTrash size={16} stroke={1.7} aria-hidden="true" />
            Delete
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** The form of a rule; when the rule changes otherwise (an undo, another person), the form follows. */
function useRuleForm(rule: Rule, onChange: (rule: Rule) => void): { readonly form: RuleForm; readonly set: SetForm } {
  const [form, setForm] = useState(() => toForm(rule));
  const written = useRef(rule);
  useEffect(() => {
    if (isSameRule(written.current, rule)) return;
    written.current = rule;
    setForm(toForm(rule));
  }, [rule]);
  function set(part: Partial<RuleForm>): void {
    const next = { ...form, ...part };
    setForm(next);
    written.current = fromForm(rule.ruleId, next);
    onChange(written.current);
  }
  return { form, set };
}

interface PartProps {
  readonly form: RuleForm;
  readonly set: SetForm;
  readonly notes: readonly Note[];
}

function Name({ form, set, notes, isNew }: PartProps & { isNew: boolean }) {
  const input = useRef<HTMLInputElement>(null);
  const begins = useRef(isNew);
  useEffect(() => {
    if (begins.current) input.current?.focus();
  }, []);
  return (
    <div className="flex-[1_1_200px]">
      <TextField
        label="Name"
        ref={input}
        maxLength={120}
        placeholder="Small card payments"
        value={form.name}
        onChange={(event) => set({ name: event.currentTarget.value })}
        {...notesBeside(notes)}
      />
    </div>
  );
}

function Methods({ form, set, accounts, notes }: PartProps & { accounts: readonly Account[] }) {
  const taken = METHODS.filter(
    (method) => accounts.some(({ methods }) => methods.includes(method)) || form.methods.includes(method),
  );
  const toggle = (method: string, on: boolean) =>
    set({ methods: METHODS.filter((each) => (each === method ? on : form.methods.includes(each))) });
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label="Methods" aria-describedby={id}>
      <div className="flex flex-wrap gap-1.5">
        {taken.map((method) => (
          <label key={method} className={classes.method}>
            <input
              type="checkbox"
              checked={form.methods.includes(method)}
              onChange={(event) => toggle(method, event.currentTarget.checked)}
            />
            {methodTitle(method)}
          </label>
        ))}
      </div>
      <div id={id}>
        <NoteLines notes={notes} />
      </div>
    </div>
  );
}

function Amount({ form, set, accounts, notes }: PartProps & { accounts: readonly Account[] }) {
  const currencies = [...new Set([form.currency, ...accounts.flatMap((account) => account.currencies)])];
  return (
    <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
      {currencies.length > 1 ? (
        <Select
          label="Currency"
          options={currencies.map((value) => ({ value, label: value }))}
          value={form.currency}
          onChange={(currency) => set({ currency })}
        />
      ) : (
        <span className="mt-7.25 text-ink-quiet text-sm">{form.currency}</span>
      )}
      <div className="w-[160px]">
        <NumberField
          label="From"
          min={0}
          value={readNumber(form.from, 0)}
          onChange={(from) => set({ from })}
          onBlur={() => form.from.trim() === '' && set({ from: '0' })}
          {...notesBeside(notes.filter(({ field }) => field !== 'to'))}
        />
      </div>
      <div className="w-[160px]">
        <NumberField
          label="Up to, inclusive"
          min={0}
          placeholder="No limit"
          value={readNumber(form.to, 0)}
          onChange={(to) => set({ to })}
          {...notesBeside(notes.filter(({ field }) => field === 'to'))}
        />
      </div>
    </div>
  );
}

function Countries({ form, set, notes }: PartProps) {
  const [text, setText] = useState(form.countries.join(', '));
  const stored = form.countries.join(', ');
  const seen = useRef(stored);
  useEffect(() => {
    if (seen.current !== stored) setText(stored);
    seen.current = stored;
  }, [stored]);
  function write(next: string): void {
    setText(next);
    const countries = next
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter((code) => code !== '');
    seen.current = countries.join(', ');
    set({ countries });
  }
  return (
    <TextField
      label="Customer's country (codes)"
      placeholder="Any, or for example NG, GH"
      value={text}
      onChange={(event) => write(event.currentTarget.value)}
      {...notesBeside(notes)}
    />
  );
}
