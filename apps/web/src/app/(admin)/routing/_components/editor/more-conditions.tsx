'use client';

import { type MetadataKey, WEEKDAYS } from '@switchyard/routing';
import { IconPlus, IconX } from '@tabler/icons-react';
import Link from 'next/link';
import { useId, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Checkbox, TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { Select } from '#/components/select/select.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useRoutingScope } from '../queries/use-routing.ts';
import type { ConditionForm, ConditionTest, RuleForm } from '../rules/rule-form.ts';
import { NoteLines, notesBeside } from './notes.tsx';
import { useRuleFields } from './rule-fields.tsx';

/** Conditions that few rules need: the customer's history, weekdays, hours, and metadata. Open where the rule has one. */
export function MoreConditions({ declared, timeZone }: { declared: readonly MetadataKey[]; timeZone: string }) {
  const { form } = useRuleFields();
  const [isOpen, setOpen] = useState(() => hasConditions(form));
  const id = useId();
  const count = countConditions(form);
  return (
    <div className="grid gap-3">
      <button
        type="button"
        className="justify-self-start text-accent text-sm font-medium"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Fewer conditions' : 'More conditions'}
        {!isOpen && count > 0 && ` (${count})`}
      </button>
      {isOpen && (
        <div id={id} className="grid gap-3 pl-3 border-l-2 border-line">
          <Customer />
          <Weekdays timeZone={timeZone} />
          <Hours timeZone={timeZone} />
          <Metadata declared={declared} />
        </div>
      )}
    </div>
  );
}

function hasConditions(form: RuleForm): boolean {
  return countConditions(form) > 0;
}

function countConditions({ customer, weekdays, hoursFrom, hoursTo, metadata }: RuleForm): number {
  const single = [customer !== '', weekdays.length > 0, hoursFrom !== '' || hoursTo !== ''];
  return single.filter(Boolean).length + metadata.length;
}

const CUSTOMERS = [
  { value: '', label: 'Any customer' },
  { value: 'new', label: 'New: has not paid here before' },
  { value: 'returning', label: 'Returning: has paid here before' },
] as const;

function Customer() {
  const { form, set, notesOf } = useRuleFields();
  return (
    <div className="max-w-[340px]">
      <Select
        label="Customer"
        options={CUSTOMERS}
        value={CUSTOMERS.find(({ value }) => value === form.customer)?.value ?? ''}
        onChange={(customer) => set({ customer })}
      />
      <NoteLines notes={notesOf('customer')} />
    </div>
  );
}

function Weekdays({ timeZone }: { timeZone: string }) {
  const { form, set, leave, notesOf } = useRuleFields();
  const toggle = (day: string, on: boolean) =>
    set({ weekdays: WEEKDAYS.filter((each) => (each === day ? on : form.weekdays.includes(each))) });
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label={`Weekdays, ${timeZone}`} aria-describedby={id} onBlur={leave('weekdays')}>
      <p className="mb-1 text-sm">
        Weekdays <span className="text-ink-faint">none chosen: any day</span>
      </p>
      <div className="flex flex-wrap gap-1.5">
        {WEEKDAYS.map((day) => (
          <label key={day} className="box-chip rounded-[15px]">
            <input
              type="checkbox"
              checked={form.weekdays.includes(day)}
              onChange={(event) => toggle(day, event.currentTarget.checked)}
            />
            {day.charAt(0).toUpperCase() + day.slice(1)}
          </label>
        ))}
      </div>
      <div id={id}>
        <NoteLines notes={notesOf('weekdays')} />
      </div>
    </div>
  );
}

function Hours({ timeZone }: { timeZone: string }) {
  const { form, set, leave, notesOf } = useRuleFields();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label={`Hours, ${timeZone}`} className="grid gap-1" onBlur={leave('hours')}>
      <div className="flex flex-wrap gap-x-3 gap-y-2 items-start">
        <div className="w-[160px]">
          <TextField
            label="Hours from"
            placeholder="Any, or 18:00"
            maxLength={5}
            value={form.hoursFrom}
            onChange={(event) => set({ hoursFrom: event.currentTarget.value })}
            {...notesBeside(notesOf('hours'))}
          />
        </div>
        <div className="w-[160px]">
          <TextField
            label="To, exclusive"
            placeholder="Any, or 24:00"
            maxLength={5}
            value={form.hoursTo}
            onChange={(event) => set({ hoursTo: event.currentTarget.value })}
          />
        </div>
      </div>
      <p className="text-ink-faint text-xs">Days and hours in {timeZone}. 22:00 to 06:00 runs past midnight.</p>
    </div>
  );
}

function Metadata({ declared }: { declared: readonly MetadataKey[] }) {
  const { form, set } = useRuleFields();
  const { merchantId, mode } = useRoutingScope();
  const { metadata } = form;
  const free = declared.filter(({ name }) => !metadata.some(({ key }) => key === name));
  const [next] = free;
  return (
    <div className="grid gap-2.5">
      {metadata.map((condition, at) => (
        <ConditionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity but their place.
          key={at}
          at={at}
          condition={condition}
          declared={declared}
          onChange={(changed) => set({ metadata: metadata.map((each, place) => (place === at ? changed : each)) })}
          onRemove={() => set({ metadata: metadata.filter((_, place) => place !== at) })}
        />
      ))}
      {next !== undefined && (
        <div>
          <Button onClick={() => set({ metadata: [...metadata, emptyCondition(next)] })}>
            <IconPlus size={16} stroke={1.7} aria-hidden="true" />
            Condition on metadata
          </Button>
        </div>
      )}
      {declared.length === 0 && (
        <p className="text-ink-faint text-xs">
          Rules can also compare the metadata of a payment:{' '}
          <Link href={hrefIn({ merchantId, mode }, `/merchants/${merchantId}`)}>declare its keys in the merchant's settings</Link>
          .
        </p>
      )}
    </div>
  );
}

function emptyCondition(key: MetadataKey): ConditionForm {
  return { key: key.name, test: TESTS[key.type][0]?.value ?? 'present', values: [], from: '', to: '', orAbsent: false };
}

const OF_ANY = [
  { value: 'present', label: 'is present' },
  { value: 'absent', label: 'is absent' },
] as const;
const OF_TEXT = [{ value: 'one_of', label: 'is one of' }, { value: 'none_of', label: 'is none of' }, ...OF_ANY] as const;

/** The tests that keys of each type can have. */
const TESTS: Readonly<Record<MetadataKey['type'], readonly { readonly value: ConditionTest; readonly label: string }[]>> = {
  string: OF_TEXT,
  enum: OF_TEXT,
  integer: [{ value: 'between', label: 'is between' }, ...OF_ANY],
  boolean: [{ value: 'true', label: 'is true' }, { value: 'false', label: 'is false' }, ...OF_ANY],
};

function ConditionRow({
  at,
  condition,
  declared,
  onChange,
  onRemove,
}: {
  at: number;
  condition: ConditionForm;
  declared: readonly MetadataKey[];
  onChange: (condition: ConditionForm) => void;
  onRemove: () => void;
}) {
  const { form, leave, notesOf } = useRuleFields();
  const key = declared.find(({ name }) => name === condition.key);
  const others = form.metadata.filter((each) => each !== condition).map((each) => each.key);
  const options = declared
    .filter(({ name }) => !others.includes(name))
    .map(({ name, label }) => ({ value: name, label, note: name }));
  const known = key === undefined ? [{ value: condition.key, label: `${condition.key} (not declared)` }, ...options] : options;
  const label = key?.label ?? condition.key;
  const tests = key === undefined ? OF_ANY : TESTS[key.type];
  const isPresenceAlone = condition.test === 'present' || condition.test === 'absent';
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label={`Condition ${at + 1}, ${label}`} className="grid gap-1" onBlur={leave(`metadata.${at}`)}>
      <div className="flex flex-wrap gap-2 items-end">
        <Select
          label="Key"
          labelPlace="hidden"
          options={known}
          value={condition.key}
          onChange={(name) => {
            const chosen = declared.find((each) => each.name === name);
            if (chosen !== undefined) onChange(emptyCondition(chosen));
          }}
        />
        <Select
          label={`Test of ${label}`}
          labelPlace="hidden"
          options={tests}
          value={condition.test}
          onChange={(test) => onChange({ ...condition, test })}
        />
        <Values condition={condition} keyOf={key} label={label} onChange={onChange} />
        {!isPresenceAlone && (
          <Checkbox
            label="or absent"
            checked={condition.orAbsent}
            onChange={(orAbsent) => onChange({ ...condition, orAbsent })}
          />
        )}
        <Button onClick={onRemove} aria-label={`Remove the condition on ${label}`}>
          <IconX size={16} stroke={1.7} aria-hidden="true" />
        </Button>
      </div>
      <NoteLines notes={notesOf(`metadata.${at}`)} />
    </div>
  );
}

function Values({
  condition,
  keyOf,
  label,
  onChange,
}: {
  condition: ConditionForm;
  keyOf: MetadataKey | undefined;
  label: string;
  onChange: (condition: ConditionForm) => void;
}) {
  const { test, values, from, to } = condition;
  if (test === 'between') {
    return (
      <div className="flex gap-2 items-center">
        <div className="w-[110px]">
          <NumberField
            label={`${label} from`}
            labelPlace="hidden"
            placeholder="no limit"
            value={from}
            onChange={(value) => onChange({ ...condition, from: value })}
          />
        </div>
        <span className="text-ink-quiet text-sm">and</span>
        <div className="w-[110px]">
          <NumberField
            label={`${label} to`}
            labelPlace="hidden"
            placeholder="no limit"
            value={to}
            onChange={(value) => onChange({ ...condition, to: value })}
          />
        </div>
      </div>
    );
  }
  if (test !== 'one_of' && test !== 'none_of') return null;
  if (keyOf?.type !== 'enum')
    return <TextValues values={values} label={label} onChange={(next) => onChange({ ...condition, values: next })} />;
  const known = [...keyOf.values, ...values.filter((value) => !keyOf.values.includes(value))];
  const toggle = (value: string, on: boolean) =>
    onChange({ ...condition, values: known.filter((each) => (each === value ? on : values.includes(each))) });
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset within the rule's own would be announced twice over.
    <div role="group" aria-label={`Values of ${label}`} className="flex flex-wrap gap-1.5">
      {known.map((value) => (
        <label key={value} className="box-chip rounded-[15px]">
          <input
            type="checkbox"
            checked={values.includes(value)}
            onChange={(event) => toggle(value, event.currentTarget.checked)}
          />
          {value}
        </label>
      ))}
    </div>
  );
}

/** Texts separated by commas; what is typed stays while it is typed. */
function TextValues({
  values,
  label,
  onChange,
}: {
  values: readonly string[];
  label: string;
  onChange: (values: readonly string[]) => void;
}) {
  const [text, setText] = useState(values.join(', '));
  return (
    <div className="w-[240px]">
      <TextField
        aria-label={`Values of ${label}`}
        label="Values"
        placeholder="Separated by commas"
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          const read = event.currentTarget.value.split(',').map((part) => part.trim());
          onChange([...new Set(read.filter((part) => part !== ''))]);
        }}
      />
    </div>
  );
}
