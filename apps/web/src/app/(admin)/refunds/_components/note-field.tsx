'use client';

import { useState } from 'react';
import { AreaField } from '#/components/field/field.tsx';

/** The state of a note that must not be empty. */
export interface RequiredNote {
  readonly text: string;
  readonly problem: string | null;
  readonly change: (text: string) => void;
  readonly leave: () => void;
  /** Shows the problem of an empty note; returns the trimmed note, or null when it is empty. */
  readonly validate: () => string | null;
}

/** The state of a note that a decision about money requires. */
export function useRequiredNote(): RequiredNote {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const trimmed = text.trim();
  return {
    text,
    problem,
    change: setText,
    leave: () => {
      if (trimmed !== '') setProblem(null);
    },
    validate: () => {
      setProblem(trimmed === '' ? 'must not be empty' : null);
      return trimmed === '' ? null : trimmed;
    },
  };
}

/** The field for the reason of a decision, at most 500 characters. */
export function NoteField({ note }: { note: RequiredNote }) {
  return (
    <AreaField
      label="Why"
      description="Kept with your name, on the payment's timeline and in the audit log."
      maxLength={500}
      value={note.text}
      error={note.problem}
      onChange={({ currentTarget }) => note.change(currentTarget.value)}
      onBlur={note.leave}
    />
  );
}
