'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import { toRunsInput } from '../filters.ts';

/** Saves the totals of the days shown as a file for a spreadsheet. */
export function SaveTotals({ days }: { days: readonly string[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const [busy, setBusy] = useState(false);
  async function save() {
    setBusy(true);
    try {
      const { limit: _, ...input } = toRunsInput(scope, days);
      const lines = await queries.fetchQuery(trpc.reconciliation.totals.queryOptions(input));
      const [first] = lines;
      if (first === undefined) showToast({ text: 'Nothing has been compared on these days yet.', tone: 'bad' });
      else
        download(`reconciliation-${input.from}-${input.to}.csv`, [
          Object.keys(first),
          ...lines.map((line) => Object.values(line)),
        ]);
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : 'The totals could not be fetched.', tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button busy={busy} onClick={() => void save()}>
      Save totals
    </Button>
  );
}

function download(name: string, rows: readonly (readonly (string | number)[])[]): void {
  const text = rows.map((row) => row.map(csvCell).join(',')).join('\r\n');
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

/** A cell that no spreadsheet takes for a formula. Negative numbers stay numbers. */
function csvCell(value: string | number): string {
  const text = String(value);
  const harmless = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
