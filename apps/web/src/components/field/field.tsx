'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import classes from './field.module.css';

interface FieldFrame {
  readonly label: string;
  /** What is wrong with it, as a sentence without its subject: `must not be empty`. */
  readonly problem?: string | null;
  /** A hint, where the label is not enough. */
  readonly hint?: ReactNode;
  /** A unit, shown after the field. */
  readonly unit?: string;
}

/** A line of text or a number to be entered, with what is wrong beside it. */
export function TextField({
  label,
  problem = null,
  hint,
  unit,
  ...input
}: FieldFrame & Omit<ComponentProps<'input'>, 'className' | 'id'>) {
  const id = useId();
  return (
    <div className={classes.field} data-wrong={problem !== null}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className={classes.line}>
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          id={id}
          className={classes.input}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-about`}
        />
        {unit !== undefined && <span className={classes.unit}>{unit}</span>}
      </div>
      <About id={id} problem={problem} hint={hint} />
    </div>
  );
}

/** Several lines of text to be entered. */
export function AreaField({
  label,
  problem = null,
  hint,
  ...input
}: FieldFrame & Omit<ComponentProps<'textarea'>, 'className' | 'id'>) {
  const id = useId();
  return (
    <div className={classes.field} data-wrong={problem !== null}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <textarea
        rows={2}
        {...input}
        id={id}
        className={classes.input}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-about`}
      />
      <About id={id} problem={problem} hint={hint} />
    </div>
  );
}

/** An option of a choice. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** One of a few. */
export function ChoiceField<Value extends string>({
  label,
  choices,
  value,
  onChange,
  problem = null,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  problem?: string | null;
}) {
  const id = useId();
  return (
    <fieldset className={classes.choices} aria-describedby={`${id}-about`}>
      <legend className={classes.label}>{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.choice}>
          <input type="radio" name={id} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>
            {choice.label}
            {choice.hint !== undefined && <span className={classes.hint}>{choice.hint}</span>}
          </span>
        </label>
      ))}
      <About id={id} problem={problem} />
    </fieldset>
  );
}

/** Any number of a few. */
export function TickField<Value extends string>({
  label,
  choices,
  values,
  onChange,
  problem = null,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  problem?: string | null;
}) {
  const id = useId();
  const toggle = (value: Value, on: boolean) =>
    onChange(choices.map((choice) => choice.value).filter((known) => (known === value ? on : values.includes(known))));
  return (
    <fieldset className={classes.choices} aria-describedby={`${id}-about`}>
      <legend className={classes.label}>{label}</legend>
      <div className={classes.ticks}>
        {choices.map((choice) => (
          <label key={choice.value} className={classes.choice}>
            <input
              type="checkbox"
              checked={values.includes(choice.value)}
              onChange={(event) => toggle(choice.value, event.currentTarget.checked)}
            />
            <span>
              {choice.label}
              {choice.hint !== undefined && <span className={classes.hint}>{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      <About id={id} problem={problem} />
    </fieldset>
  );
}

/** What is wrong, read out as it appears; otherwise what the field is for. */
function About({ id, problem, hint }: { id: string; problem: string | null; hint?: ReactNode }) {
  return (
    <p id={`${id}-about`} className={problem === null ? classes.hint : classes.problem} aria-live="polite">
      {problem === null ? hint : `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`}
    </p>
  );
}
