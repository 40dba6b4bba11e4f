import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import type { Note } from '../queries/use-check.ts';
import classes from './notes.module.css';

const GLYPHS = { blocks: IconBan, critical: IconAlertTriangle, warning: IconAlertTriangle, info: IconInfoCircle } as const;
/** How severe a finding is, in a word. */
export const SEVERITY_LABELS = { blocks: 'Error', critical: 'Critical', warning: 'Warning', info: 'Info' } as const;

/** One finding of the check, beside its field. */
export function NoteLine({ note }: { note: Note }) {
  const Glyph = GLYPHS[note.severity];
  return (
    <span className={classes.note} data-severity={note.severity}>
      <Glyph size={14} stroke={1.9} aria-hidden="true" />
      <span>
        <span className="sr-only">{SEVERITY_LABELS[note.severity]}: </span>
        {note.message}
      </span>
    </span>
  );
}

/** Findings one below another; nothing where there are none. */
export function NoteLines({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  return (
    <span className="grid gap-0.5 max-w-[60ch]">
      {notes.map((note) => (
        <NoteLine key={note.message} note={note} />
      ))}
    </span>
  );
}

/** Findings as the properties of a field that shows them: it is marked where one of them is an error. */
export function notesBeside(notes: readonly Note[]) {
  if (notes.length === 0) return {};
  const lines = <NoteLines notes={notes} />;
  return notes.some(({ severity }) => severity === 'blocks') ? { error: lines } : { description: lines };
}

/** Marks a collapsed rule that has findings. */
export function NoteMark({ severity, count }: { severity: Note['severity'] | null; count: number }) {
  if (severity === null) return null;
  const Glyph = GLYPHS[severity];
  return (
    <span className={classes.mark} data-severity={severity} title={`${SEVERITY_LABELS[severity]}: open the rule to read it`}>
      <Glyph size={16} stroke={1.9} aria-hidden="true" />
      <span className="sr-only">
        {SEVERITY_LABELS[severity]}, {count} {count === 1 ? 'note' : 'notes'}
      </span>
    </span>
  );
}
