import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

/** A discrepancy with both sides, as the server lists it. */
export type Discrepancy = RouterOutputs['reconciliation']['discrepancies']['items'][number];

/** A reconciliation run, as the server lists it. */
export type Run = RouterOutputs['reconciliation']['runs']['items'][number];

/** The kinds of discrepancy, in the order in which filters list them. */
export const DISCREPANCY_KINDS = ['MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT'] as const;

/** How both sides differ. */
export type DiscrepancyKind = Discrepancy['kind'];

/** Kinds of discrepancy between ledger and statement: a label and its meaning. */
export const KIND_LABELS: Record<DiscrepancyKind, { readonly word: string; readonly meaning: string }> = {
  MISSING_HERE: { word: 'Not in ledger', meaning: 'The gateway lists it, and our ledger does not have it.' },
  MISSING_THERE: { word: 'Not in statement', meaning: 'Our ledger has it, and the gateway does not list it.' },
  STATUS: { word: 'Status differs', meaning: 'One side has it as paid, the other does not.' },
  CURRENCY: { word: 'Currency differs', meaning: 'Both sides have it, in different currencies.' },
  AMOUNT: { word: 'Amount differs', meaning: 'Both sides have it, over different amounts.' },
};

export const DISCREPANCY_STATES: Record<Discrepancy['state'], { readonly word: string; readonly tone: Tone }> = {
  OPEN: { word: 'Open', tone: 'bad' },
  EXPLAINED: { word: 'Explained', tone: 'over' },
  RESOLVED: { word: 'Resolved', tone: 'good' },
};

/** The state of a day's reconciliation run, in words. */
export function describeRun(run: Run | undefined): string {
  if (run === undefined) return 'Not compared yet';
  switch (run.state) {
    case 'QUEUED':
      return 'Waiting to be compared';
    case 'RUNNING':
      return `Comparing: ${run.rowsRead.toLocaleString('en')} rows read`;
    case 'FAILED':
      return 'Could not be compared';
    case 'DONE':
      if (run.open > 0) return `${run.open.toLocaleString('en')} open ${run.open === 1 ? 'discrepancy' : 'discrepancies'}`;
      return run.closed > 0 ? 'All discrepancies closed' : 'Both sides agree';
    default:
      return run.state satisfies never;
  }
}

/** A status as a label: `NEEDS_ATTENTION` is `Needs attention`. */
export function statusLabel(status: string): string {
  const text = status.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
