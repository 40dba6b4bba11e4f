'use client';

import { useId } from 'react';
import { type Choice, FieldNote } from '../field/field.tsx';

/**
 * One of a few options, all of them seen with their hints; {@link Select} is for many. The browser's own radio buttons: the arrow
 * keys go through them.
 */
export function RadioGroup<Value extends string>({
  label,
  choices,
  value,
  onChange,
  error = null,
}: {
  label: string;
  choices: readonly Choice<Value>[];
  value: Value | null;
  onChange: (value: Value) => void;
  error?: string | null;
}) {
  const id = useId();
  return (
    <fieldset className="grid gap-1.5 min-w-0 m-0 p-0 border-0" data-wrong={error !== null} aria-describedby={`${id}-about`}>
      <legend className="p-0 text-ink-quiet text-xs font-medium">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="box-label">
          <input type="radio" name={id} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>
            {choice.label}
            {choice.description !== undefined && (
              <span className="block text-ink-faint text-xs leading-[1.4]">{choice.description}</span>
            )}
          </span>
        </label>
      ))}
      <FieldNote id={id} error={error} />
    </fieldset>
  );
}
