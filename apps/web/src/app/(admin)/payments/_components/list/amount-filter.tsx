'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import classes from './filter-bar.module.css';

/** Minimum and maximum amount, both inclusive. */
export function AmountFilter({
  min,
  max,
  onChange,
}: {
  min: number | null;
  max: number | null;
  onChange: (change: { min: number | null; max: number | null }) => void;
}) {
  const [from, setFrom] = useState(min === null ? '' : String(min));
  const [to, setTo] = useState(max === null ? '' : String(max));
  const lower = read(from);
  const upper = read(to);
  const crossed = typeof lower === 'number' && typeof upper === 'number' && lower > upper;
  const wrong = lower === 'wrong' || upper === 'wrong' || crossed;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (lower !== 'wrong' && upper !== 'wrong' && !crossed) onChange({ min: lower, max: upper });
  }
  return (
    <form className={classes.amounts} onSubmit={submit}>
      <NumberField
        label="From"
        min={0}
        value={from}
        onChange={setFrom}
        error={lower === 'wrong' ? 'must be a whole number' : null}
      />
      <NumberField
        label="Up to"
        min={0}
        value={to}
        onChange={setTo}
        error={upper === 'wrong' ? 'must be a whole number' : crossed ? 'must not be less than the other' : null}
      />
      <Button type="submit" disabled={wrong}>
        Apply
      </Button>
    </form>
  );
}

function read(text: string): number | null | 'wrong' {
  const digits = text.replaceAll(/[,\s]/g, '');
  if (digits === '') return null;
  return /^\d{1,12}$/.test(digits) ? Number(digits) : 'wrong';
}

/** Less common filters: one customer, one rule. */
export function MoreFilters({
  customer,
  rule,
  onChange,
}: {
  customer: string;
  rule: string;
  onChange: (change: { customer: string | null; rule: string | null }) => void;
}) {
  const [who, setWho] = useState(customer);
  const [which, setWhich] = useState(rule);
  return (
    <form
      className={classes.amounts}
      onSubmit={(event) => {
        event.preventDefault();
        onChange({ customer: who.trim() || null, rule: which.trim() || null });
      }}
    >
      <TextField
        label="Customer"
        description="E-mail address or the merchant's id"
        value={who}
        maxLength={320}
        onChange={(event) => setWho(event.currentTarget.value)}
      />
      <TextField
        label="Rule"
        description="Its id, as in the rules; NONE for no rule"
        value={which}
        maxLength={200}
        onChange={(event) => setWhich(event.currentTarget.value)}
      />
      <Button type="submit">Apply</Button>
    </form>
  );
}
