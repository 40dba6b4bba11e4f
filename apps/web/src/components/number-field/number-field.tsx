'use client';

import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { groupDecimal } from '#/format/amounts.ts';
import field from '../field/field.module.css';
import { FieldNote, type Problem } from '../field/field.tsx';

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
  /** Digits after the point at most; with 0, a fraction is kept as typed, for the caller to refuse. */
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

/**
 * Typed text as a plain decimal: without separators and anything but digits, one sign and one point. Digits that a decimal has too many
 * are left out; of a whole number they stay, because without its point `10.50` would become 1050.
 */
export function readNumber(text: string, decimals: number): string {
  const sign = text.trim().startsWith('-') ? '-' : '';
  const [whole = '', ...rest] = text.replace(/[^\d.]/g, '').split('.');
  if (rest.length === 0) return whole === '' ? sign : `${sign}${whole}`;
  const fraction = rest.join('');
  return `${sign}${whole === '' ? '0' : whole}.${decimals === 0 ? fraction : fraction.slice(0, decimals)}`;
}

/** A plain decimal with thousands separators; anything else as it is. */
export function showNumber(value: string): string {
  return /^-?\d+(\.\d*)?$/.test(value) ? groupDecimal(value) : value;
}

/** A plain decimal changed by a step, within the limits; the step itself when there is none yet. Exact for whole numbers of any size. */
export function stepNumber(
  value: string,
  step: number,
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
): string {
  const scale = Math.max(decimalsOf(value), decimalsOf(String(step)));
  const next = scaled(value, scale) + scaled(String(step), scale);
  const least = min === undefined ? undefined : scaled(String(min), scale);
  const greatest = max === undefined ? undefined : scaled(String(max), scale);
  const within = least !== undefined && next < least ? least : greatest !== undefined && next > greatest ? greatest : next;
  return unscaled(within, scale);
}

function decimalsOf(decimal: string): number {
  return decimal.split('.')[1]?.length ?? 0;
}

function scaled(decimal: string, scale: number): bigint {
  const [whole = '', fraction = ''] = decimal.replace('-', '').split('.');
  const digits = BigInt(`${whole}${fraction.slice(0, scale).padEnd(scale, '0')}` || '0');
  return decimal.startsWith('-') ? -digits : digits;
}

function unscaled(number: bigint, scale: number): string {
  const digits = (number < 0n ? -number : number).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  return `${number < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}
