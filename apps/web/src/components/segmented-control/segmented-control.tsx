'use client';

import { useId } from 'react';

/**
 * A few views of the same data, one of them selected. The browser's own radio buttons: the group is one stop of the tab key, and the arrow
 * keys go through it.
 */
export function SegmentedControl<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  label: string;
  choices: readonly { readonly value: Value; readonly label: string }[];
  /** Null while none is selected. */
  value: Value | null;
  onChange: (value: Value) => void;
}) {
  const name = useId();
  return (
    <fieldset className="inline-flex min-w-0 m-0 p-0.5 border border-line rounded-xl" aria-label={label}>
      {choices.map((choice) => (
        <label
          key={choice.value}
          className="segment relative grid items-center h-7 py-0 px-2.5 text-xs font-medium whitespace-nowrap has-checked:bg-ground-hover has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          {/* The label is the visible part; the button itself lies over it unseen. */}
          <input
            className="absolute inset-0 m-0 size-full opacity-0 cursor-pointer"
            type="radio"
            name={name}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}
