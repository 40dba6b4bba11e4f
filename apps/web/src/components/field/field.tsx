'use client';

import { type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import classes from './field.module.css';

/** Error of a field: a sentence without its subject, `must not be empty`, or an element that says it in full. */
export type Problem = string | ReactElement | null;

interface FieldFrame {
  readonly label: string;
  readonly error?: Problem;
  /** A description, where the label is not enough. */
  readonly description?: ReactNode;
  /** A unit, shown after the field. */
  readonly unit?: string;
}

/** A line of text to be entered, with what is wrong beside it; `spaced` sets the digits of a code apart. */
export function TextField({
  label,
  error = null,
  description,
  unit,
  spaced = false,
  ...input
}: FieldFrame & Omit<ComponentProps<'input'>, 'className' | 'id'> & { spaced?: boolean }) {
  const id = useId();
  return (
    <div className={classes.field} data-wrong={error !== null}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <div className="flex items-center gap-2">
        <input
          autoComplete="off"
          spellCheck={false}
          {...input}
          id={id}
          className={classes.input}
          data-spaced={spaced}
          aria-invalid={error !== null}
          aria-describedby={`${id}-about`}
        />
        {unit !== undefined && <span className="flex-none text-ink-faint text-xs">{unit}</span>}
      </div>
      <FieldNote id={id} error={error} description={description} />
    </div>
  );
}

/** Several lines of text to be entered. */
export function AreaField({
  label,
  error = null,
  description,
  variant = 'text',
  ...input
}: FieldFrame & Omit<ComponentProps<'textarea'>, 'className' | 'id'> & { variant?: 'text' | 'code' }) {
  const id = useId();
  return (
    <div className={classes.field} data-wrong={error !== null}>
      <label htmlFor={id} className={classes.label}>
        {label}
      </label>
      <textarea
        rows={2}
        {...input}
        id={id}
        className={classes.input}
        data-variant={variant}
        aria-invalid={error !== null}
        aria-describedby={`${id}-about`}
      />
      <FieldNote id={id} error={error} description={description} />
    </div>
  );
}

/** An option of a choice. */
export interface Choice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  readonly description?: string;
}

/** Any number of a few. */
export function CheckboxGroup<Value extends string>({
  label,
  choices,
  values,
  onChange,
  error = null,
  variant = 'form',
}: {
  label: string;
  choices: readonly Choice<Value>[];
  values: readonly Value[];
  onChange: (values: Value[]) => void;
  error?: string | null;
  /** `menu`: one a line, under a name that is seen elsewhere. */
  variant?: 'form' | 'menu';
}) {
  const id = useId();
  const toggle = (value: Value, on: boolean) =>
    onChange(choices.map((choice) => choice.value).filter((known) => (known === value ? on : values.includes(known))));
  return (
    <fieldset className="grid gap-1.5 min-w-0 m-0 p-0 border-0" data-wrong={error !== null} aria-describedby={`${id}-about`}>
      <legend className={variant === 'menu' ? 'sr-only' : classes.label}>{label}</legend>
      <div className="flex flex-wrap gap-x-4.5 gap-y-1.5 data-[variant=menu]:flex-col" data-variant={variant}>
        {choices.map((choice) => (
          <Checkbox
            key={choice.value}
            label={choice.label}
            {...(choice.description !== undefined && { description: choice.description })}
            checked={values.includes(choice.value)}
            onChange={(on) => toggle(choice.value, on)}
          />
        ))}
      </div>
      <FieldNote id={id} error={error} />
    </fieldset>
  );
}

/** One thing that is on or off. */
export function Checkbox({
  label,
  description,
  checked,
  onChange,
  disabled = false,
}: {
  label: ReactNode;
  description?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label className={classes.choice}>
      <input type="checkbox" checked={checked} disabled={disabled} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {description !== undefined && <span className={classes.description}>{description}</span>}
      </span>
    </label>
  );
}

/** The error, read out as it appears; otherwise the field's purpose. The field names it by `aria-describedby`: `<id>-about`. */
export function FieldNote({ id, error, description }: { id: string; error: Problem; description?: ReactNode }) {
  return (
    <div
      id={`${id}-about`}
      className={error === null ? classes.description : 'text-xs leading-[1.4] text-bad-ink'}
      aria-live="polite"
    >
      {error === null ? description : typeof error === 'string' ? `${error.charAt(0).toUpperCase()}${error.slice(1)}.` : error}
    </div>
  );
}
