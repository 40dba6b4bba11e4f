import { IconAlertTriangle, IconBan, IconInfoCircle } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { LiveCheck, Note } from '../queries/use-check.ts';
import { counted } from '../rules/copy.ts';
import type { Unmet } from '../rules/takeovers.ts';

const GLYPHS = { blocks: IconBan, critical: IconAlertTriangle, warning: IconAlertTriangle, info: IconInfoCircle } as const;
const INKS = { blocks: 'text-bad-ink', critical: 'text-bad-ink', warning: 'text-wait-ink', info: 'text-ink-quiet' } as const;
/** How severe a finding is, in a word. */
const SEVERITY_LABELS = { blocks: 'Error', critical: 'Critical', warning: 'Warning', info: 'Info' } as const;

/** One finding of the check, beside its field. */
export function NoteLine({ note }: { note: Note }) {
  const Glyph = GLYPHS[note.severity];
  return (
    <span className={`flex gap-1.5 items-start text-sm leading-4.5 ${INKS[note.severity]}`}>
      <Glyph size={14} stroke={1.9} className="flex-none mt-0.5" aria-hidden="true" />
      <span>
        <span className="sr-only">{SEVERITY_LABELS[note.severity]}: </span>
        {note.message}
      </span>
    </span>
  );
}

/** Findings one below another, permanent ones folded under a line; nothing where there are none. */
export function NoteLines({ notes }: { notes: readonly Note[] }) {
  if (notes.length === 0) return null;
  const changing = notes.filter(({ isPermanent }) => !isPermanent);
  return (
    <div className="grid gap-0.5 max-w-[60ch]">
      {changing.map((note) => (
        <NoteLine key={note.message} note={note} />
      ))}
      <PermanentNotes notes={notes.filter(({ isPermanent }) => isPermanent)}>
        {(note) => (
          <li key={note.message}>
            <NoteLine note={note} />
          </li>
        )}
      </PermanentNotes>
    </div>
  );
}

/** Notes on minimum amounts, folded: they stay whatever the rules are, and would hide what can be mended. */
function PermanentNotes({ notes, children }: { notes: readonly Note[]; children: (note: Note) => ReactNode }) {
  if (notes.length === 0) return null;
  return (
    <details className="w-full">
      <summary className="text-ink-quiet text-sm cursor-pointer">{counted(notes.length, 'note')} on minimum amounts</summary>
      <ul>{notes.map(children)}</ul>
    </details>
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
    <span className={`flex-none ${INKS[severity]}`} title={`${SEVERITY_LABELS[severity]}: open the rule to read it`}>
      <Glyph size={16} stroke={1.9} className="mt-0.5" aria-hidden="true" />
      <span className="sr-only">
        {SEVERITY_LABELS[severity]}, {count} {count === 1 ? 'note' : 'notes'}
      </span>
    </span>
  );
}

const SHOWN = 8;
/** Findings that fail payments are never folded, met or not. */
const FOLDED: ReadonlySet<Note['severity']> = new Set(['warning', 'info']);

/** Everything that the check of a draft finds, the most severe first, compared with the active version. */
export function Analysis({
  check: { notes, check, gone, isBehind },
  unmet = null,
  onRule,
  onCover,
}: {
  check: Pick<LiveCheck, 'notes' | 'check' | 'gone' | 'isBehind'>;
  /** Findings to fold under one line because no payment met them; null to fold none. */
  unmet?: Unmet | null;
  /** Opens the rule at a place, from 0; without it, rules are only named. */
  onRule?: ((position: number) => void) | undefined;
  onCover?: ((gap: NonNullable<Note['gap']>) => void) | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const all = [...new Map(notes.all.map((note) => [keyOf(note), note])).values()];
  const isFolded = ({ severity, subject }: Note) => subject !== null && FOLDED.has(severity) && unmet?.subjects.has(subject);
  const permanent = all.filter(({ isPermanent }) => isPermanent);
  const changing = all.filter(({ isPermanent }) => !isPermanent);
  const [folded, met] = [changing.filter(isFolded), changing.filter((note) => !isFolded(note))];
  const shown = isWhole ? met : met.slice(0, SHOWN);
  const fresh = all.filter(({ isNew }) => isNew === true).length;
  const version = check?.compared?.version ?? null;
  return (
    <section className="grid gap-2 justify-items-start mt-6 [&_ul]:w-full" aria-labelledby="analysis" aria-busy={isBehind}>
      <h2 id="analysis" className="text-lg font-semibold tracking-[-0.005em]">
        Analysis
        <span className="ml-2 text-ink-quiet text-sm font-normal">
          {check === null ? 'Checking' : summarise({ total: all.length, fresh, gone: gone.length, version })}
        </span>
      </h2>
      {shown.length > 0 && (
        <ul>
          {shown.map((note) => (
            <Line key={keyOf(note)} severity={note.severity} message={note.message} isNew={note.isNew === true}>
              {note.gap !== null && onCover !== undefined ? (
                <button
                  type="button"
                  className="text-accent-ink underline whitespace-nowrap"
                  onClick={() => note.gap !== null && onCover(note.gap)}
                >
                  Write a rule
                </button>
              ) : (
                note.position !== null &&
                onRule !== undefined && (
                  <button
                    type="button"
                    className="text-accent-ink underline whitespace-nowrap"
                    onClick={() => note.position !== null && onRule(note.position)}
                  >
                    Rule {note.position + 1}
                  </button>
                )
              )}
            </Line>
          ))}
        </ul>
      )}
      {met.length > SHOWN && (
        <Button onClick={() => setWhole(!isWhole)}>{isWhole ? 'Show fewer' : `Show all ${met.length}`}</Button>
      )}
      {folded.length > 0 && (
        <details className="w-full">
          <summary className="text-ink-quiet text-sm cursor-pointer">
            {counted(folded.length, 'finding')} that {unmet?.payments} met
          </summary>
          <ul>
            {folded.map((note) => (
              <Line key={keyOf(note)} severity={note.severity} message={note.message} isNew={note.isNew === true} />
            ))}
          </ul>
        </details>
      )}
      <PermanentNotes notes={permanent}>
        {(note) => <Line key={keyOf(note)} severity={note.severity} message={note.message} isNew={note.isNew === true} />}
      </PermanentNotes>
      {gone.length > 0 && (
        <details data-gone>
          <summary className="text-ink-quiet text-sm">
            {counted(gone.length, 'finding')} of version {version} {gone.length === 1 ? 'goes' : 'go'} away
          </summary>
          <ul>
            {gone.map(({ severity, message, ruleIds, accountIds }) => (
              <Line
                key={`${message} ${ruleIds.join()} ${accountIds.join()}`}
                severity={severity}
                message={message}
                isNew={false}
              />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

/** The same for notes that say the same of the same rule. */
function keyOf({ message, position, field, accountId }: Note): string {
  return `${message} ${position} ${field} ${accountId}`;
}

function Line({
  severity,
  message,
  isNew,
  children,
}: {
  severity: Note['severity'];
  message: string;
  isNew: boolean;
  children?: ReactNode;
}) {
  const Glyph = GLYPHS[severity];
  return (
    <li className="grid grid-cols-[76px_minmax(0,1fr)_auto] gap-x-3 gap-y-1 items-baseline py-1.75 border-t border-line text-sm leading-4.5 max-phone:grid-cols-[minmax(0,1fr)_auto]">
      <span className={`inline-flex gap-1.25 items-center font-medium ${INKS[severity]}`}>
        <Glyph size={14} stroke={1.9} aria-hidden="true" />
        {SEVERITY_LABELS[severity]}
      </span>
      <span className="min-w-0 wrap-anywhere max-phone:row-2 max-phone:col-span-full in-data-gone:text-ink-quiet in-data-gone:line-through">
        {isNew && <span className="mr-1.5 px-1.5 rounded-sm bg-accent-soft text-accent-ink text-xs font-medium">New</span>}
        {message}
      </span>
      {children}
    </li>
  );
}

/** `5 findings, 2 new since version 7, 1 gone`. */
function summarise({
  total,
  fresh,
  gone,
  version,
}: {
  readonly total: number;
  readonly fresh: number;
  readonly gone: number;
  readonly version: number | null;
}): string {
  const found = total === 0 ? 'No findings' : counted(total, 'finding');
  if (version === null) return found;
  if (fresh === 0 && gone === 0) return `${found}, none new since version ${version}`;
  return [found, fresh > 0 && `${fresh} new since version ${version}`, gone > 0 && `${gone} gone`].filter(Boolean).join(', ');
}
