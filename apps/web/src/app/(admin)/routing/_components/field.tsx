'use client';

import { type ReactNode, useId } from 'react';
import type { Note } from '../_rules/findings.ts';
import classes from './field.module.css';
import { NoteLine } from './notes.tsx';

/** Props that a field passes to its input, so that screen readers announce its messages with it. */
interface Described {
  readonly id: string;
  readonly 'aria-describedby': string | undefined;
  readonly 'aria-invalid': boolean;
}

/** A label, a field, and its messages. */
export function Field({
  label,
  notes,
  grow = false,
  children,
}: {
  label: string;
  notes: readonly Note[];
  grow?: boolean;
  children: (described: Described) => ReactNode;
}) {
  const id = useId();
  const isWrong = notes.some(({ severity }) => severity === 'blocks');
  return (
    <div className={classes.field} data-grow={grow}>
      <label className={classes.label} htmlFor={id}>
        {label}
      </label>
      {children({ id, 'aria-describedby': notes.length > 0 ? `${id}-notes` : undefined, 'aria-invalid': isWrong })}
      {notes.length > 0 && (
        <div id={`${id}-notes`} className={classes.notes}>
          {notes.map((note) => (
            <NoteLine key={note.message} note={note} />
          ))}
        </div>
      )}
    </div>
  );
}
