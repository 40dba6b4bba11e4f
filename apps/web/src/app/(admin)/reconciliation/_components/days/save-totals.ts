import { saveFile } from '#/components/export-button/download.ts';
import { csvFile, csvLine } from '#/format/csv.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const TEXTS: ReadonlySet<string> = new Set<keyof Line>(['merchant', 'account', 'gateway', 'currency']);

type Line = RouterOutputs['reconciliation']['totals'][number];

function csvOf(titles: readonly string[], lines: readonly Line[]): string {
  const isNumber = (at: number) => !TEXTS.has(titles[at] ?? '');
  return [csvLine(titles), ...lines.map((line) => csvLine(Object.values(line), isNumber))].join('');
}

/** The first and the last day; null for the first or last that was compared. */
type Period = Readonly<Record<'from' | 'to', string | null>>;

/** Saves the totals of a period as a file for a spreadsheet; the first line names the columns. */
export function saveTotals(first: Line, lines: readonly Line[], { from, to }: Period): void {
  saveFile(csvFile(csvOf(Object.keys(first), lines)), `reconciliation-${from}-${to}.csv`);
}
