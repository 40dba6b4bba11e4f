'use client';

import { createContext, type FocusEvent, type ReactNode, use, useEffect, useRef, useState } from 'react';
import { Checkbox, TextField } from '#/components/field/field.tsx';
import { NumberField, readNumber } from '#/components/number-field/number-field.tsx';
import type { Note, RuleField } from '../queries/use-check.ts';
import type { Rule } from '../rules/document.ts';
import { isSameRule } from '../rules/edit.ts';
import { fromForm, type RuleForm, toForm } from '../rules/rule-form.ts';
import { notesBeside } from './notes.tsx';

/** Fields of a rule as entered, how they change, and the findings of the check about them. */
interface RuleFieldsState {
  readonly form: RuleForm;
  /** Changes some fields; the rule is stored with them. */
  readonly set: (part: Partial<RuleForm>) => void;
  /** The handler of a group's blur: once the focus is outside, its fields were left. */
  readonly leave: (...fields: readonly RuleField[]) => (event: FocusEvent<HTMLElement>) => void;
  /** Findings of the check, by the fields that they are about. */
  readonly notesOf: (...about: readonly RuleField[]) => readonly Note[];
}

const RuleFieldsContext = createContext<RuleFieldsState | null>(null);

/** The fields of the rule around. */
export function useRuleFields(): RuleFieldsState {
  const fields = use(RuleFieldsContext);
  if (fields === null) throw new Error('Fields of a rule stand in RuleFields.');
  return fields;
}

/**
 * The fields of a rule. What is entered goes into the document at once, valid or not, and what the check finds comes back beside its
 * field; when the rule changes otherwise, by an undo or another person, the fields follow.
 */
export function RuleFields({
  rule,
  notes,
  onChange,
  onTouch,
  children,
}: {
  rule: Rule;
  notes: readonly Note[];
  onChange: (rule: Rule) => void;
  onTouch: (fields: readonly RuleField[]) => void;
  children: ReactNode;
}) {
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
    const changed = FORM_FIELDS.filter(([name]) => next[name] !== form[name]);
    const conditions = next.metadata.flatMap((condition, at): RuleField[] =>
      condition === form.metadata[at] ? [] : [`metadata.${at}`],
    );
    onTouch([...changed.map(([, field]) => field), ...conditions]);
  }
  const leave =
    (...fields: readonly RuleField[]) =>
    ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) onTouch(fields);
    };
  const notesOf = (...about: readonly RuleField[]) => notes.filter(({ field }) => about.includes(field));
  return <RuleFieldsContext value={{ form, set, leave, notesOf }}>{children}</RuleFieldsContext>;
}

/** The fields that findings name, by those of the form. */
const FORM_FIELDS: readonly (readonly [keyof RuleForm, RuleField])[] = [
  ['name', 'name'],
  ['methods', 'methods'],
  ['currency', 'currency'],
  ['from', 'from'],
  ['to', 'to'],
  ['countries', 'countries'],
  ['customer', 'customer'],
  ['weekdays', 'weekdays'],
  ['hoursFrom', 'hours'],
  ['hoursTo', 'hours'],
  ['accounts', 'accounts'],
  ['strategy', 'strategy'],
  ['minSamples', 'strategy'],
  ['explorationPercent', 'strategy'],
];

/** A line of text of the rule; `focused` as it appears. */
export function RuleText({
  name,
  label,
  placeholder,
  maxLength,
  focused = false,
}: {
  name: 'name' | 'countries';
  label: string;
  placeholder: string;
  maxLength?: number;
  focused?: boolean;
}) {
  const { form, set, leave, notesOf } = useRuleFields();
  const input = useRef<HTMLInputElement>(null);
  const [begins] = useState(focused);
  useEffect(() => {
    if (begins) input.current?.focus();
  }, [begins]);
  return (
    <TextField
      ref={input}
      label={label}
      placeholder={placeholder}
      maxLength={maxLength}
      value={form[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
      onBlur={leave(name)}
      {...notesBeside(notesOf(name))}
    />
  );
}

/** A number of the rule, kept as typed; `about` names the findings beside it, `empty` the text for no number. */
export function RuleNumber({
  name,
  about = [],
  empty = '',
  ...props
}: {
  name: 'from' | 'to' | 'minSamples' | 'explorationPercent';
  about?: readonly RuleField[];
  empty?: string;
  label: string;
  min: number;
  max?: number;
  unit?: string;
  placeholder?: string;
}) {
  const { form, set, notesOf } = useRuleFields();
  return (
    <NumberField
      {...props}
      value={readNumber(form[name], 0)}
      onChange={(value) => set({ [name]: value })}
      onBlur={() => form[name].trim() === '' && empty !== '' && set({ [name]: empty })}
      {...notesBeside(notesOf(...about))}
    />
  );
}

/** Something of the rule that is on or off. */
export function RuleCheckbox({ name, label }: { name: 'enabled'; label: string }) {
  const { form, set } = useRuleFields();
  return <Checkbox label={label} checked={form[name]} onChange={(value) => set({ [name]: value })} />;
}
