'use client';

import { type ComponentType, type ReactNode, useId, useState } from 'react';
import field from '../field/field.module.css';
import { FieldNote, type Problem } from '../field/field.tsx';
import { useLazyKit } from '../kit/use-lazy-kit.ts';
import type { NumberInputProps } from './number-input.tsx';
import { readNumber, showNumber } from './number-text.ts';

const loadInput = (): Promise<ComponentType<NumberInputProps>> =>
  import('./number-input.tsx').then((module) => module.KitNumberInput);

/**
 * A number to be entered. `value` is a plain decimal such as `12500.5`, or empty; it is shown with thousands separators, and the
 * arrow keys step it. What is typed is never corrected silently: the caller says in `problem` when it is out of range.
 *
 * A plain input takes the place of Mantine's, which is loaded when a pointer or the focus comes near, and works the same but for the
 * steps.
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
  problem = null,
  hint,
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
  problem?: Problem;
  hint?: ReactNode;
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
  const [isNear, setIsNear] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  const [isTyped, setIsTyped] = useState(false);
  const [isUpgraded, setIsUpgraded] = useState(false);
  const Input = useLazyKit(isNear, loadInput);
  // Not under the cursor: replacing the input would take the focus from it.
  if (Input !== null && !hasFocus && !isUpgraded) setIsUpgraded(true);

  const shared = {
    id,
    placeholder,
    disabled,
    required,
    'aria-invalid': problem !== null,
    'aria-describedby': `${id}-about`,
  };
  return (
    <div className={field.field} data-wrong={problem !== null} onPointerEnter={() => setIsNear(true)}>
      <label htmlFor={id} className={labelPlace === 'above' ? field.label : 'visually-hidden'}>
        {label}
      </label>
      <div className={field.line}>
        {prefix !== undefined && <span className={field.unit}>{prefix}</span>}
        {Input !== null && isUpgraded ? (
          <Input
            {...shared}
            value={value}
            onChange={onChange}
            onBlur={onBlur}
            decimals={decimals}
            step={step}
            min={min}
            max={max}
            inputClassName={field.input}
          />
        ) : (
          <input
            {...shared}
            // biome-ignore lint/a11y/noAutofocus: the caller asks for it where the field is what a dialog is about.
            autoFocus={autoFocus}
            className={field.input}
            inputMode={decimals > 0 ? 'decimal' : 'numeric'}
            autoComplete="off"
            // What is typed stays as it is; the focus alone changes nothing, so that a selection of the whole text stays one.
            value={isTyped ? value : showNumber(value)}
            onChange={(event) => {
              setIsTyped(true);
              onChange(readNumber(event.currentTarget.value, decimals));
            }}
            onFocus={() => {
              setIsNear(true);
              setHasFocus(true);
            }}
            onBlur={() => {
              setHasFocus(false);
              setIsTyped(false);
              onBlur?.();
            }}
          />
        )}
        {unit !== undefined && <span className={field.unit}>{unit}</span>}
      </div>
      <FieldNote id={id} problem={problem} hint={hint} />
    </div>
  );
}
