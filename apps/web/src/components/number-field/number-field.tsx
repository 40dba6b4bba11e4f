'use client';

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import field from '../field/field.module.css';
import { FieldNote, type Problem } from '../field/field.tsx';
import { readNumber, showNumber, stepNumber } from './number-text.ts';

/**
 * A number to be entered. `value` is a plain decimal such as `12500.5`, or empty; it is shown with thousands separators, and the
 * arrow keys step it. What is typed is never corrected silently: the caller says in `error` when it is out of range.
 *
 * An own input, because the number fields of libraries hold floating-point numbers, and amounts here are exact.
 */
export function NumberField({
  label,
  labelPlace = 'above',
  value,
  onChange,
  onBlur,
  decimals = 0,
  step = 1,
  min,
  max,
  error = null,
  description,
  unit,
  prefix,
  placeholder,
  disabled = false,
  required = false,
  autoFocus = false,
}: {
  label: string;
  labelPlace?: 'above' | 'hidden';
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  /** Digits after the point at most. */
  decimals?: number;
  step?: number;
  /** Where the arrow keys stop. */
  min?: number;
  max?: number;
  error?: Problem;
  description?: ReactNode;
  /** Shown after the field: `%`, `minutes`. */
  unit?: string;
  /** Shown in the field, before the number: a currency. */
  prefix?: string;
  placeholder?: string;
  disabled?: boolean;
  required?: boolean;
  /** Takes the focus when it appears. */
  autoFocus?: boolean;
}) {
  const id = useId();
  const [isTyped, setIsTyped] = useState(false);

  function press(event: KeyboardEvent) {
    const direction = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
    if (direction === 0) return;
    event.preventDefault();
    onChange(stepNumber(value, direction * step, { min, max }));
  }

  return (
    <div className={field.field} data-wrong={error !== null}>
      <label htmlFor={id} className={labelPlace === 'above' ? field.label : 'sr-only'}>
        {label}
      </label>
      <div className="flex items-center gap-2">
        {prefix !== undefined && <span className="flex-none text-ink-faint text-xs">{prefix}</span>}
        <input
          id={id}
          className={field.input}
          placeholder={placeholder}
          disabled={disabled}
          required={required}
          aria-invalid={error !== null}
          aria-describedby={`${id}-about`}
          // biome-ignore lint/a11y/noAutofocus: the caller asks for it where the field is what a dialog is about.
          autoFocus={autoFocus}
          inputMode={decimals > 0 ? 'decimal' : 'numeric'}
          autoComplete="off"
          // Typed text stays as it is; the focus alone changes nothing, so that a selection of the whole text stays one.
          value={isTyped ? value : showNumber(value)}
          onChange={(event) => {
            setIsTyped(true);
            onChange(readNumber(event.currentTarget.value, decimals));
          }}
          onKeyDown={press}
          onBlur={() => {
            setIsTyped(false);
            onBlur?.();
          }}
        />
        {unit !== undefined && <span className="flex-none text-ink-faint text-xs">{unit}</span>}
      </div>
      <FieldNote id={id} error={error} description={description} />
    </div>
  );
}
