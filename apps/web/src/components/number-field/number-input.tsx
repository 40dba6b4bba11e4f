'use client';

import '@mantine/core/styles/Input.layer.css';
import '@mantine/core/styles/NumberInput.layer.css';
import { NumberInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import { KitProvider } from '../kit/kit-provider.tsx';
import classes from './number-field.module.css';

/** The input of a number field. */
export interface NumberInputProps extends Pick<ComponentProps<'input'>, 'aria-invalid' | 'aria-describedby'> {
  readonly id: string;
  readonly placeholder: string | undefined;
  readonly disabled: boolean;
  readonly required: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur: (() => void) | undefined;
  readonly decimals: number;
  readonly step: number;
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly inputClassName: string | undefined;
}

/** The part of a number field that is fetched late. */
export function KitNumberInput({
  onChange,
  decimals,
  min,
  max,
  inputClassName = '',
  placeholder = '',
  onBlur,
  'aria-invalid': isInvalid,
  'aria-describedby': describedBy,
  ...input
}: NumberInputProps) {
  return (
    <KitProvider>
      <NumberInput
        {...input}
        placeholder={placeholder}
        onChange={(value) => onChange(String(value))}
        onBlur={() => onBlur?.()}
        {...(min !== undefined && { min })}
        {...(max !== undefined && { max })}
        allowNegative={min === undefined || min < 0}
        allowDecimal={decimals > 0}
        decimalScale={decimals}
        clampBehavior="none"
        allowedDecimalSeparators={['.']}
        thousandSeparator=","
        hideControls
        autoComplete="off"
        // Given as properties, Mantine puts its own in their place.
        attributes={{
          input: {
            'aria-invalid': isInvalid,
            'aria-describedby': describedBy,
            inputMode: decimals > 0 ? 'decimal' : 'numeric',
          },
        }}
        className={classes.root ?? ''}
        classNames={{ input: `${inputClassName} ${classes.input}` }}
      />
    </KitProvider>
  );
}
