'use client';

import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ComponentProps, useId, useState } from 'react';
import classes from './secret-field.module.css';

/** A password field, hidden until the user reveals it. */
export function SecretField({
  label,
  error = null,
  description,
  ...input
}: { label: string; error?: string | null; description?: string } & Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'>) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const Glyph = shown ? IconEyeOff : IconEye;
  return (
    <div className={classes.field} data-wrong={error !== null}>
      <label htmlFor={id}>{label}</label>
      <div className={classes.line}>
        <input
          spellCheck={false}
          autoCapitalize="off"
          {...input}
          id={id}
          type={shown ? 'text' : 'password'}
          aria-invalid={error !== null}
          aria-describedby={`${id}-about`}
        />
        <button
          type="button"
          className="absolute top-0.5 right-0.5 grid place-items-center w-8 h-8 rounded-sm text-ink-faint hover:bg-ground-hover hover:text-ink"
          onClick={() => setShown(!shown)}
          aria-label="Show the password"
          aria-pressed={shown}
        >
          <Glyph size={16} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <p
        id={`${id}-about`}
        className="text-ink-faint text-xs leading-[1.4] empty:hidden data-[wrong=true]:text-bad-ink"
        data-wrong={error !== null}
        aria-live="polite"
      >
        {error === null ? description : `${error.charAt(0).toUpperCase()}${error.slice(1)}.`}
      </p>
    </div>
  );
}
