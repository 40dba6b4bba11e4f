import { FAULT_KINDS, type FaultKind, type OutcomeCounts } from './health-window.ts';
import { groupDigits } from './money.ts';
import type { PaymentMethod } from './types.ts';

/** Whose health a sentence speaks of. */
export interface HealthSubject {
  /** The gateway's name as people write it: `Paystack`. */
  readonly gateway: string;
  readonly method: PaymentMethod | null;
}

/** `Healthy: 118 of 120 checkouts answered in 5 min (Paystack, card).` */
export function describeHealthy(subject: HealthSubject, counts: OutcomeCounts, spanMs: number): string {
  const all = counts.succeeded + counts.faulted;
  const figures = all === 0 ? 'no checkouts' : `${groupDigits(counts.succeeded)} of ${plural(all, 'checkout')} answered`;
  return `Healthy: ${figures} in ${span(spanMs)} ${name(subject)}.`;
}

/** `Degraded since 14:02 UTC: 6 of 22 checkouts failed in 5 min (Paystack, card).`; slow accounts tell their mean latency. */
export function describeDegraded(
  subject: HealthSubject,
  since: number,
  counts: OutcomeCounts,
  spanMs: number,
  slowMs: number | null,
): string {
  const latency = slowMs === null ? '' : `checkouts take ${(slowMs / 1000).toFixed(1)} s on average`;
  const faults = counts.faulted === 0 ? '' : `${faultFigures(counts)} in ${span(spanMs)}`;
  const figures = [latency, faults].filter((part) => part !== '').join(', and ');
  return `Degraded since ${clock(since)}: ${figures} ${name(subject)}.`;
}

/** `Down since 14:02 UTC: 18 of 22 checkouts timed out in 5 min (Paystack, card).` */
export function describeDown(
  subject: HealthSubject,
  since: number,
  counts: OutcomeCounts,
  spanMs: number,
  relapse: boolean,
): string {
  const figures = `${faultFigures(counts)} in ${span(spanMs)}`;
  return `Down ${relapse ? 'again ' : ''}since ${clock(since)}: ${figures} ${name(subject)}.`;
}

/** `Probing since 14:07 UTC with 10% of payments: 2 checkouts answered, 0 failed (Paystack, card).` */
export function describeProbing(subject: HealthSubject, since: number, percent: number, counts: OutcomeCounts): string {
  const figures = `${plural(counts.succeeded, 'checkout')} answered, ${groupDigits(counts.faulted)} failed`;
  return `Probing since ${clock(since)} with ${percent}% of payments: ${figures} ${name(subject)}.`;
}

const METHOD_WORDS: Record<PaymentMethod, string> = {
  CARD: 'card',
  TRANSFER: 'transfer',
  USSD: 'USSD',
  BANK: 'bank',
  QR: 'QR',
  WALLET: 'wallet',
  MOBILE_MONEY: 'mobile money',
  DIRECT_DEBIT: 'direct debit',
};

/** The method as people write it within a sentence: `card`, `USSD`. */
export function methodWord(method: PaymentMethod | null): string {
  return method === null ? 'all methods' : METHOD_WORDS[method];
}

/** `14:02 UTC`. */
export function clock(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(11, 16)} UTC`;
}

const FAULT_WORDS: Record<FaultKind, string> = {
  timed_out: 'timed out',
  refused: 'could not connect',
  server_error: 'met a server error',
  malformed: 'got an unreadable answer',
};

/** `18 of 22 checkouts timed out`: the kind is named when it stands for more than half of the faults. */
function faultFigures(counts: OutcomeCounts): string {
  const main = FAULT_KINDS.find((kind) => (counts.faults?.[kind] ?? 0) * 2 > counts.faulted);
  const own = main === undefined ? counts.faulted : (counts.faults?.[main] ?? 0);
  const all = plural(counts.succeeded + counts.faulted, 'checkout');
  const verb = main === undefined ? 'failed' : FAULT_WORDS[main];
  const others = counts.faulted - own;
  return `${groupDigits(own)} of ${all} ${verb}${others === 0 ? '' : ` and ${groupDigits(others)} failed otherwise`}`;
}

function plural(number: number, noun: string): string {
  return `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function span(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function name(subject: HealthSubject): string {
  return `(${subject.gateway}, ${methodWord(subject.method)})`;
}
