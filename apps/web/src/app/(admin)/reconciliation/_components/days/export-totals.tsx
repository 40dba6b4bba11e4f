'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { toRunsInput } from '#/app/(admin)/reconciliation/filters.ts';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { csvFile, csvLine } from '#/format/csv.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const TEXTS: ReadonlySet<string> = new Set<keyof Line>(['merchant', 'account', 'gateway', 'currency']);

type Line = RouterOutputs['reconciliation']['totals'][number];

function csvOf(titles: readonly string[], lines: readonly Line[]): string {
  const isNumber = (at: number) => !TEXTS.has(titles[at] ?? '');
  return [csvLine(titles), ...lines.map((line) => csvLine(Object.values(line), isNumber))].join('');
}

/** Exports the totals of the days shown as a file for a spreadsheet. */
export function ExportTotals({ days }: { days: readonly string[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const [busy, setBusy] = useState(false);
  async function exportTotals() {
    setBusy(true);
    try {
      const { limit: _, ...input } = toRunsInput(scope, days);
      const lines = await queries.fetchQuery(trpc.reconciliation.totals.queryOptions(input));
      const [first] = lines;
      if (first === undefined) showToast({ text: 'No days compared yet in this period.', tone: 'bad' });
      else saveFile(csvFile(csvOf(Object.keys(first), lines)), `reconciliation-${input.from}-${input.to}.csv`);
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : 'The totals could not be fetched.', tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button loading={busy} onClick={() => void exportTotals()}>
      Export totals
    </Button>
  );
}
