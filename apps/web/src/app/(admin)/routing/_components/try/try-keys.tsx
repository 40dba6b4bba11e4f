'use client';

import type { MetadataKey, PaymentKeys } from '@switchyard/routing';
import { TextField } from '#/components/field/field.tsx';
import { Select } from '#/components/select/select.tsx';
import type { RuleDocument } from '../rules/document.ts';

/** Values of keys for a trial payment, as entered. */
interface EnteredKeys {
  readonly metadata: Readonly<Record<string, string>>;
  /** Empty for now. */
  readonly time: string;
  /** Empty for not known. */
  readonly customer: string;
}

const NONE: EnteredKeys = { metadata: {}, time: '', customer: '' };

/** Reads entered values from the address; whatever is not one is left out. */
export function readEnteredKeys(text: string): EnteredKeys {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null) return NONE;
    const { metadata, time, customer } = { metadata: null, time: '', customer: '', ...json };
    const entries = typeof metadata === 'object' && metadata !== null ? Object.entries(metadata) : [];
    return {
      metadata: Object.fromEntries(entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []))),
      time: typeof time === 'string' ? time : '',
      customer: typeof customer === 'string' ? customer : '',
    };
  } catch {
    return NONE;
  }
}

const TIME = /^(mon|tue|wed|thu|fri|sat|sun) ([01]\d|2[0-3]):[0-5]\d$/;

/** The problem of an entered time; null for none. */
export function timeProblem({ time }: EnteredKeys): string | null {
  return time === '' || TIME.test(time) ? null : 'must be a day and a time, such as fri 18:30';
}

/** The keys of the trial payment; text that is not a time is left out. */
export function toPaymentKeys({ metadata, time, customer }: EnteredKeys, declared: readonly MetadataKey[]): PaymentKeys {
  const values = Object.fromEntries(
    declared.flatMap(({ name }) => {
      const text = metadata[name]?.trim() ?? '';
      return text === '' ? [] : [[name, text]];
    }),
  );
  return {
    metadata: values,
    ...(TIME.test(time) && { time }),
    ...((customer === 'new' || customer === 'returning') && { customer }),
  };
}

const CUSTOMERS = [
  { value: '', label: 'Not known' },
  { value: 'new', label: 'New' },
  { value: 'returning', label: 'Returning' },
] as const;

/** The fields of the keys that the draft's rules compare; nothing where they compare none. */
export function TryKeys({
  document,
  timeZone,
  text,
  onChange,
}: {
  document: RuleDocument;
  timeZone: string;
  text: string;
  onChange: (text: string) => void;
}) {
  const entered = readEnteredKeys(text);
  const conditions = document.rules.filter(({ enabled }) => enabled).map(({ when }) => when);
  const names = new Set(conditions.flatMap(({ metadata = [] }) => metadata.map(({ key }) => key)));
  const set = (change: Partial<EnteredKeys>) => onChange(JSON.stringify({ ...entered, ...change }));
  return (
    <>
      {(document.keys ?? [])
        .filter(({ name }) => names.has(name))
        .map(({ name, label }) => (
          <TextField
            key={name}
            label={label}
            placeholder="Absent"
            value={entered.metadata[name] ?? ''}
            onChange={(event) => set({ metadata: { ...entered.metadata, [name]: event.currentTarget.value } })}
          />
        ))}
      {conditions.some(({ customer }) => customer !== undefined) && (
        <Select
          label="Customer"
          options={CUSTOMERS}
          value={CUSTOMERS.find(({ value }) => value === entered.customer)?.value ?? ''}
          onChange={(customer) => set({ customer })}
        />
      )}
      {conditions.some(({ weekdays, hours }) => weekdays !== undefined || hours !== undefined) && (
        <TextField
          label={`Day and time, ${timeZone}`}
          placeholder="Now, or fri 18:30"
          maxLength={9}
          value={entered.time}
          error={timeProblem(entered)}
          onChange={(event) => set({ time: event.currentTarget.value.toLowerCase() })}
        />
      )}
    </>
  );
}
