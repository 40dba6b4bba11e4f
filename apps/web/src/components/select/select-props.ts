import type { ReactNode } from 'react';

/** One option of a select. */
export interface SelectOption<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** A second, quieter text beside the label, found by the search too: a number, an offset. */
  readonly note?: string;
}

/** Content and behaviour of a select. */
export interface SelectProps<Value extends string = string> {
  readonly label: string;
  /** `above` the control, `inside` it before the value (filters), or `hidden` from sight. */
  readonly labelPlace?: 'above' | 'inside' | 'hidden';
  readonly options: readonly SelectOption<Value>[];
  /** Null while nothing is selected. */
  readonly value: Value | null;
  readonly onChange: (value: Value) => void;
  readonly onBlur?: () => void;
  /** Shown while nothing is selected. */
  readonly placeholder?: string;
  /** The error, as a sentence without its subject: `must not be empty`. */
  readonly error?: string | null;
  readonly description?: ReactNode;
  readonly disabled?: boolean;
  /** Marks a filter that is set. */
  readonly marked?: boolean;
}
