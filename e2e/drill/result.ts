import type { Served } from './traffic.ts';

/** A change of an account's health. */
export interface StateChange {
  readonly atMs: number;
  readonly gateway: string;
  readonly from: string;
  readonly to: string;
  readonly why: string;
}

export interface Observed {
  readonly fault: string;
  readonly perSecond: number;
  /** All on the clock of the drill, from the beginning of the period before the fault. */
  readonly faultAtMs: number;
  readonly repairedAtMs: number;
  readonly endedAtMs: number;
  readonly served: readonly Served[];
  readonly changes: readonly StateChange[];
  /** When everything was as before the fault again; null when that was not observed. */
  readonly recoveredAtMs: number | null;
}

/** A row of the table. Times are milliseconds. */
export interface DrillRow {
  readonly fault: string;
  readonly perSecond: number;
  /** From the fault on, until the end. */
  readonly payments: number;
  /** Customers whose payment a gateway failed, or who waited much longer than usual. */
  readonly hit: number;
  readonly longestWaitMs: number;
  /** Above the usual, of all payments under the fault: mean, and of the slowest in a hundred. */
  readonly addedMeanMs: number;
  readonly addedP99Ms: number;
  readonly failed: number;
  readonly changes: number;
  /** From the repair; null when it did not recover. */
  readonly recoveryMs: number | null;
}

/** Longer than usual by this much is noticed by a customer. */
const NOTICED_MS = 1_000;

/** Reads what the fault did to customers out of what was observed. */
export function summarise(observed: Observed): DrillRow {
  const { fault, perSecond, faultAtMs, repairedAtMs, recoveredAtMs } = observed;
  const usualMs = quantile(
    observed.served.filter(({ atMs }) => atMs < faultAtMs).map(({ waitedMs }) => waitedMs),
    0.5,
  );
  const after = observed.served.filter(({ atMs }) => atMs >= faultAtMs);
  const added = after.filter(({ atMs }) => atMs < repairedAtMs).map(({ waitedMs }) => Math.max(0, waitedMs - usualMs));
  return {
    fault,
    perSecond,
    payments: after.length,
    hit: after.filter(({ failedTries, waitedMs, status }) => failedTries > 0 || isLost(status) || waitedMs - usualMs > NOTICED_MS)
      .length,
    longestWaitMs: after.reduce((longest, { waitedMs }) => Math.max(longest, waitedMs), 0),
    addedMeanMs: added.length === 0 ? 0 : added.reduce((sum, ms) => sum + ms, 0) / added.length,
    addedP99Ms: quantile(added, 0.99),
    failed: after.filter(({ status }) => isLost(status)).length,
    changes: observed.changes.filter(({ atMs }) => atMs >= faultAtMs).length,
    recoveryMs: recoveredAtMs === null ? null : recoveredAtMs - repairedAtMs,
  };
}

/** An answer that never came is a payment lost to the merchant, as a failed one is. */
function isLost(status: string): boolean {
  return status === 'FAILED' || status === 'none';
}

/** The value that this share of all values does not exceed; 0 when there are none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}

const COLUMNS: readonly { readonly head: string; readonly cell: (row: DrillRow) => string }[] = [
  { head: 'fault', cell: ({ fault }) => fault },
  { head: 'rate', cell: ({ perSecond }) => `${perSecond}/s` },
  { head: 'payments', cell: ({ payments }) => String(payments) },
  { head: 'customers hit', cell: ({ hit }) => String(hit) },
  { head: 'longest wait', cell: ({ longestWaitMs }) => seconds(longestWaitMs) },
  { head: 'added latency, mean', cell: ({ addedMeanMs }) => `${Math.round(addedMeanMs)} ms` },
  { head: 'p99', cell: ({ addedP99Ms }) => `${Math.round(addedP99Ms)} ms` },
  { head: 'FAILED', cell: ({ failed }) => String(failed) },
  { head: 'state changes', cell: ({ changes }) => String(changes) },
  { head: 'recovery', cell: ({ recoveryMs }) => (recoveryMs === null ? 'not seen' : seconds(recoveryMs)) },
];

/** The table, a line per drill. */
export function formatTable(rows: readonly DrillRow[]): string {
  return writeTable(
    COLUMNS.map(({ head }) => head),
    rows.map((row) => COLUMNS.map(({ cell }) => cell(row))),
  );
}

/** Writes lines under a head, with aligned numbers: the first column is text. */
export function writeTable(head: readonly string[], lines: readonly (readonly string[])[]): string {
  const widths = head.map((title, at) => Math.max(title.length, ...lines.map((line) => line[at]?.length ?? 0)));
  const write = (line: readonly string[]): string =>
    line
      .map((text, at) => (at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  return [write(head), write(widths.map((width) => '-'.repeat(width))), ...lines.map(write)].join('\n');
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
