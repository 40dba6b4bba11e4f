import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import { useState } from 'react';
import type { Note } from '../_rules/findings.ts';
import { Action } from './action.tsx';
import classes from './notes.module.css';

const GLYPHS = { blocks: IconBan, critical: IconAlertTriangle, warning: IconAlertTriangle, info: IconInfoCircle } as const;
const LABELS = { blocks: 'In the way', critical: 'Serious', warning: 'Worth a look', info: 'For the record' } as const;
const SHOWN = 5;

/** One finding of the check, beside its field. */
export function NoteLine({ note }: { note: Note }) {
  const Glyph = GLYPHS[note.severity];
  return (
    <span className={classes.note} data-severity={note.severity}>
      <Glyph size={14} stroke={1.9} aria-hidden="true" />
      <span>
        <span className="visually-hidden">{LABELS[note.severity]}: </span>
        {note.message}
      </span>
    </span>
  );
}

/** Marks a collapsed rule that has findings. */
export function NoteMark({ severity, count }: { severity: Note['severity'] | null; count: number }) {
  if (severity === null) return null;
  const Glyph = GLYPHS[severity];
  return (
    <span className={classes.mark} data-severity={severity} title={`${LABELS[severity]}: open the rule to read it`}>
      <Glyph size={16} stroke={1.9} aria-hidden="true" />
      <span className="visually-hidden">
        {LABELS[severity]}, {count} {count === 1 ? 'note' : 'notes'}
      </span>
    </span>
  );
}

/** Findings about the whole rule set; a gap can be covered from here. */
export function NoteList({
  title,
  notes,
  onCover,
}: {
  title: string;
  notes: readonly Note[];
  onCover: ((gap: NonNullable<Note['gap']>) => void) | undefined;
}) {
  const [all, setAll] = useState(false);
  if (notes.length === 0) return null;
  const shown = all ? notes : notes.slice(0, SHOWN);
  return (
    <div className={classes.list}>
      <h3 className={classes.title}>{title}</h3>
      <ul>
        {shown.map((note) => (
          <li key={`${note.message}${note.accountId}`} className={classes.line}>
            <NoteLine note={note} />
            {note.gap !== null && onCover !== undefined && (
              <button type="button" className={classes.cover} onClick={() => note.gap !== null && onCover(note.gap)}>
                Write a rule
              </button>
            )}
          </li>
        ))}
      </ul>
      {notes.length > SHOWN && <Action onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show all ${notes.length}`}</Action>}
    </div>
  );
}
