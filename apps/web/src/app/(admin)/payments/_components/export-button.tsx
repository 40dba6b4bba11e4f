'use client';

import { useEffect, useRef, useState } from 'react';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { type PaymentFilters, toFilterInput } from '../filters.ts';
import { columnsShown } from './columns.ts';
import { download } from './download.ts';
import classes from './list-tools.module.css';

/** Takes the list away as a file: these payments, these columns. While it comes it says how far it is, and can be stopped. */
export function ExportButton({ filters, columns }: { filters: PaymentFilters; columns: readonly string[] }) {
  const scope = useScope();
  const [progress, setProgress] = useState<{ readonly rows: number; readonly of: number } | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  async function start() {
    const stop = new AbortController();
    running.current = stop;
    setProgress({ rows: 0, of: 0 });
    const query = new URLSearchParams({
      filter: JSON.stringify(toFilterInput(scope, filters)),
      columns: columnsShown(columns, scope).join(','),
    });
    try {
      const rows = await download(`/api/export/payments?${query}`, stop.signal, (done, of) => setProgress({ rows: done, of }));
      showToast({ text: `${rows.toLocaleString('en')} ${rows === 1 ? 'payment was' : 'payments were'} exported.` });
    } catch (error) {
      const text = error instanceof Error ? error.message : 'The export broke off.';
      showToast(stop.signal.aborted ? { text: 'The export was stopped; nothing was saved.' } : { text, tone: 'bad' });
    } finally {
      setProgress(null);
    }
  }

  if (progress === null) {
    return (
      <button type="button" className={classes.tool} data-plain="true" onClick={() => void start()}>
        Export CSV
      </button>
    );
  }
  return (
    <button type="button" className={classes.tool} data-plain="true" onClick={() => running.current?.abort()} aria-live="polite">
      {progress.rows.toLocaleString('en')} of {progress.of.toLocaleString('en')}: stop
    </button>
  );
}
