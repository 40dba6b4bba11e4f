import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

export type Difference = RouterOutputs['reconciliation']['differences']['items'][number];
export type Run = RouterOutputs['reconciliation']['runs']['items'][number];

export const DIFFERENCE_KINDS = ['MISSING_HERE', 'MISSING_THERE', 'STATUS', 'CURRENCY', 'AMOUNT'] as const;
export type DifferenceKind = Difference['kind'];

/** How the two sides differ, in the trade's word and in a sentence. */
export const KIND_WORDS: Record<DifferenceKind, { readonly word: string; readonly meaning: string }> = {
  MISSING_HERE: { word: 'Missing here', meaning: 'The gateway lists it, and our books do not have it.' },
  MISSING_THERE: { word: 'Missing there', meaning: 'Our books have it, and the gateway does not list it.' },
  STATUS: { word: 'Status differs', meaning: 'One side holds it paid, the other does not.' },
  CURRENCY: { word: 'Currency differs', meaning: 'Both sides have it, in different currencies.' },
  AMOUNT: { word: 'Amount differs', meaning: 'Both sides have it, over different amounts.' },
};

/** The state of a discrepancy. */
export const DIFFERENCE_STATES: Record<Difference['state'], { readonly word: string; readonly tone: Tone }> = {
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
      if (run.open > 0) return `${run.open.toLocaleString('en')} open ${run.open === 1 ? 'difference' : 'differences'}`;
      return run.settled > 0 ? 'All differences settled' : 'Both sides agree';
    default:
      return run.state satisfies never;
  }
}

/** A status of either side as a word: `NEEDS_ATTENTION` is `Needs attention`. */
export function sayStatus(status: string): string {
  const text = status.replaceAll('_', ' ').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
