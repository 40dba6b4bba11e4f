'use client';

import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import classes from './field.module.css';

/** Error of a field: a sentence without its subject, `must not be empty`, or an element that says it in full. */
export type Problem = string | ReactElement | null;

interface FieldFrame {
  readonly label: string;
  readonly problem?: Problem;
  /** A hint, where the label is not enough. */
  readonly hint?: ReactNode;
  /** A unit, shown after the field. */
  readonly unit?: string;
}

/** A line of text to be entered, with what is wrong beside it; `spaced` sets the digits of a code apart. */
export function TextField({
  label,
  problem = null,
  hint,
  unit,
  spaced = false,
  ...input
}: FieldFrame & Omit<ComponentProps<'input'>, 'className' | 'id'> & { spaced?: boolean }) {
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
          data-spaced={spaced}
          aria-invalid={problem !== null}
          aria-describedby={`${id}-about`}
        />
        {unit !== undefined && <span className={classes.unit}>{unit}</span>}
      </div>
      <FieldNote id={id} problem={problem} hint={hint} />
    </div>
  );
}

/** Several lines of text to be entered. */
export function AreaField({
  label,
  problem = null,
  hint,
  look = 'text',
  ...input
}: FieldFrame & Omit<ComponentProps<'textarea'>, 'className' | 'id'> & { look?: 'text' | 'code' }) {
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
        data-look={look}
        aria-invalid={problem !== null}
        aria-describedby={`${id}-about`}
      />
      <FieldNote id={id} problem={problem} hint={hint} />
    </div>
  );
}

/** An option of a choice. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** Any number of a few. */
export function TickField<Value extends string>({
  label,
  choices,
  values,
  onChange,
  problem = null,
  look = 'form',
}: {
  label: string;
  choices: readonly Choice<Value>[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  problem?: string | null;
  /** `menu`: one a line, under a name that is seen elsewhere. */
  look?: 'form' | 'menu';
}) {
  const id = useId();
  const toggle = (value: Value, on: boolean) =>
    onChange(choices.map((choice) => choice.value).filter((known) => (known === value ? on : values.includes(known))));
  return (
    <fieldset className={classes.choices} aria-describedby={`${id}-about`}>
      <legend className={look === 'menu' ? 'visually-hidden' : classes.label}>{label}</legend>
      <div className={classes.ticks} data-look={look}>
        {choices.map((choice) => (
          <Tick
            key={choice.value}
            label={choice.label}
            {...(choice.hint !== undefined && { hint: choice.hint })}
            checked={values.includes(choice.value)}
            onChange={(on) => toggle(choice.value, on)}
          />
        ))}
      </div>
      <FieldNote id={id} problem={problem} />
    </fieldset>
  );
}

/** One thing that is on or off. */
export function Tick({
  label,
  hint,
  checked,
  onChange,
  disabled = false,
}: {
  label: ReactNode;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label className={classes.choice}>
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {hint !== undefined && <span className={classes.hint}>{hint}</span>}
      </span>
    </label>
  );
}

/** The error, read out as it appears; otherwise the field's purpose. The field names it by `aria-describedby`: `<id>-about`. */
export function FieldNote({ id, problem, hint }: { id: string; problem: Problem; hint?: ReactNode }) {
  return (
    <p id={`${id}-about`} className={problem === null ? classes.hint : classes.problem} aria-live="polite">
      {problem === null ? hint : typeof problem === 'string' ? `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.` : problem}
    </p>
  );
}
