'use client';

import { IconChevronDown } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useMay } from '../../trpc/use-may.ts';
import { Popup } from '../popup/popup.tsx';
import { showToast } from '../toasts/toast-store.ts';
import type { FileFormat } from './download.ts';
import classes from './export-button.module.css';

interface Choice {
  readonly format: FileFormat;
  /** Whether the file has the columns shown only. */
  readonly asShown: boolean;
  readonly label: string;
  readonly about: string;
}

const AS_SHOWN: Choice = { format: 'csv', asShown: true, label: 'CSV as shown', about: 'The columns of the list' };
const WHOLE: readonly Choice[] = [
  { format: 'csv', asShown: false, label: 'CSV', about: 'For spreadsheets' },
  { format: 'ndjson', asShown: false, label: 'NDJSON', about: 'For programs, a line of JSON each' },
];
const BESIDE: readonly Choice[] = [
  { format: 'csv', asShown: false, label: 'CSV, all columns', about: 'For spreadsheets' },
  { format: 'ndjson', asShown: false, label: 'NDJSON, all columns', about: 'For programs' },
];

/**
 * Takes a list away as a file, all of what its filters hold. While it comes it says how far it is, and can be stopped; one that
 * breaks off goes on by itself. Shown only to whoever may.
 */
export function ExportButton({
  list,
  filter,
  columns,
  noun,
}: {
  list: 'payments' | 'refunds' | 'duplicate-charges' | 'differences' | 'webhook-deliveries';
  /** The filters as the list's page asks for it. */
  filter: object;
  /** The file's columns that say what the list shows, in its order; left out where a list shows what it shows. */
  columns?: readonly string[];
  /** One of them, and several. */
  noun: readonly [string, string];
}) {
  const may = useMay();
  const [progress, setProgress] = useState<{ readonly rows: number; readonly of: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start({ format, asShown }: Choice) {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ rows: 0, of: 0 });
    const query = new URLSearchParams({ format, filter: JSON.stringify(filter) });
    if (asShown && columns !== undefined) query.set('columns', columns.join(','));
    try {
      const { downloadList } = await import('./download.ts');
      const how = { format, withoutPlace: asShown, signal: stop.signal };
      const rows = await downloadList(`/api/export/${list}?${query}`, how, (done, of) => setProgress({ rows: done, of }));
      showToast({ text: `${rows.toLocaleString('en')} ${rows === 1 ? `${noun[0]} was` : `${noun[1]} were`} exported.` });
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The export broke off.';
      showToast(stop.signal.aborted ? { text: 'The export was stopped; nothing was saved.' } : { text, tone: 'bad' });
    } finally {
      setProgress(null);
    }
  }

  if (!may('report:export')) return null;
  if (progress !== null) {
    const { rows, of } = progress;
    return (
      <button type="button" className={classes.button} onClick={() => running.current?.abort()}>
        <progress className={classes.progress} max={Math.max(1, of)} value={Math.min(rows, of)} aria-label="Exported so far" />
        <span aria-live="polite">
          {rows.toLocaleString('en')} of {of.toLocaleString('en')}
        </span>
        <span className={classes.stop}>Stop</span>
      </button>
    );
  }
  const choices = columns === undefined ? WHOLE : [AS_SHOWN, ...BESIDE];
  const face = (
    <>
      Export
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label="Export"
      align="end"
      button={{ className: classes.button, children: face }}
      content={(close) => (
        <div className={classes.formats}>
          {choices.map((choice) => (
            <button
              key={choice.label}
              type="button"
              className={classes.format}
              onClick={() => {
                close();
                void start(choice);
              }}
            >
              {choice.label}
              <span className={classes.about}>{choice.about}</span>
            </button>
          ))}
        </div>
      )}
    />
  );
}
