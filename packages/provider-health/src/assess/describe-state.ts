import type { PaymentMethod } from '@switchyard/routing';
import { groupDigits } from '@switchyard/routing';
import type { HealthThresholds } from '../thresholds/thresholds.ts';
import type { EvidenceSpan, Trigger } from './evidence.ts';
import { FAULT_KINDS, type FaultKind, faultShare, meanLatencyMs, type OutcomeCounts, samplesIn } from './outcome-counts.ts';

/** The account and method a sentence is about. */
export interface HealthSubject {
  /** The gateway's display name: `Paystack`. */
  readonly gateway: string;
  readonly method: PaymentMethod | null;
}

/** `Healthy: 118 of 120 checkouts answered in 5 min (Paystack, card).`; states when there is too little data. */
export function describeHealthy(subject: HealthSubject, window: EvidenceSpan, thresholds: HealthThresholds): string {
  const { counts, spanMs } = window;
  const all = samplesIn(counts);
  const { answered, failed } = counts.lookups ?? { answered: 0, failed: 0 };
  const asked = answered + failed === 0 ? '' : `, and ${answered} of ${plural(answered + failed, 'look-up')} answered`;
  const where = `in ${span(spanMs)} ${name(subject)}`;
  if (all < thresholds.minSamples || faultShare(counts) >= thresholds.degradedShare) {
    const opened = all === 0 ? 'no checkouts' : plural(all, 'checkout');
    const faults = counts.faulted === 0 ? '' : ` of which ${groupDigits(counts.faulted)} failed`;
    return `Not enough data: ${opened}${faults}${all === 0 ? asked : ''} ${where}.`;
  }
  return `Healthy: ${groupDigits(counts.succeeded)} of ${plural(all, 'checkout')} answered ${where}.`;
}

/** `Healthy since 14:07 UTC: 3 probe payments in a row answered (Paystack, card).` */
export function describeRecovered(
  subject: HealthSubject,
  since: number,
  answered: number,
  noun: 'probe payment' | 'look-up',
): string {
  return `Healthy since ${clock(since)}: ${plural(answered, noun)} answered ${name(subject)}.`;
}

/** Facts for the sentence about a demoted account. */
export interface DemotionFacts {
  readonly since: number;
  readonly trigger: Trigger;
  /** True when a probe payment failed. */
  readonly again: boolean;
  readonly usualMs: number | null;
}

/** `Degraded since 14:02 UTC: 6 of 22 checkouts timed out in 60 s (Paystack, card).` */
export function describeDegraded(subject: HealthSubject, facts: DemotionFacts): string {
  return describeDemotion('Degraded', subject, facts);
}

/** `Down since 14:02 UTC: 18 of 22 checkouts timed out in 30 s (Paystack, card).` */
export function describeDown(subject: HealthSubject, facts: DemotionFacts): string {
  return describeDemotion('Down', subject, facts);
}

function describeDemotion(state: string, subject: HealthSubject, { since, trigger, again, usualMs }: DemotionFacts): string {
  return `${state} ${again ? 'again ' : ''}since ${clock(since)}: ${triggerFigures(trigger, again, usualMs)} ${name(subject)}.`;
}

function triggerFigures({ cause, counts, spanMs, unanswered }: Trigger, again: boolean, usualMs: number | null): string {
  switch (cause) {
    case 'faults':
      return `${faultFigures(counts, again ? 'probe payment' : 'checkout', unanswered === true)} in ${span(spanMs)}`;
    case 'slow': {
      const usual = usualMs === null ? '' : `, usually ${seconds(usualMs)}`;
      return `checkouts take ${seconds(meanLatencyMs(counts))} on average${usual}`;
    }
    case 'lookups': {
      const { answered, failed } = counts.lookups ?? { answered: 0, failed: 0 };
      const figures = `${groupDigits(failed)} of ${plural(answered + failed, 'look-up')} failed in ${span(spanMs)}`;
      return `${figures}, and no checkout was opened`;
    }
    default:
      return cause satisfies never;
  }
}

/** `Probing since 14:07 UTC: 1 of 3 probe payments answered so far (Paystack, card).` */
export function describeProbing(subject: HealthSubject, since: number, answered: number, needed: number): string {
  const figures =
    answered === 0
      ? `${plural(needed, 'probe payment')} must be answered in a row`
      : `${groupDigits(answered)} of ${plural(needed, 'probe payment')} answered so far`;
  return `Probing since ${clock(since)}: ${figures} ${name(subject)}.`;
}

/** `Down since 14:02 UTC: 82% of checkouts of other merchants failed, and this account opened none since (Paystack, card).` */
export function describePrior(
  subject: HealthSubject,
  { state, since, faultPercent }: { readonly state: 'degraded' | 'down'; readonly since: number; readonly faultPercent: number },
): string {
  const figures = `${faultPercent}% of checkouts of other merchants failed, and this account opened none since`;
  return `${state === 'down' ? 'Down' : 'Degraded'} since ${clock(since)}: ${figures} ${name(subject)}.`;
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

/** The method as written within a sentence: `card`, `USSD`. */
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
  rate_limited: 'met a rate limit',
  malformed: 'got an unreadable answer',
};

/** `18 of 22 checkouts timed out`: the kind is named when it makes up more than half of the faults. */
function faultFigures(counts: OutcomeCounts, noun: 'checkout' | 'probe payment', unanswered: boolean): string {
  const main = FAULT_KINDS.find((kind) => (counts.faults?.[kind] ?? 0) * 2 > counts.faulted);
  const own = main === undefined ? counts.faulted : (counts.faults?.[main] ?? 0);
  const all = plural(samplesIn(counts), noun);
  // An opening in progress has not timed out yet, and may be answered late.
  const verb = main === undefined ? 'failed' : main === 'timed_out' && unanswered ? 'went unanswered' : FAULT_WORDS[main];
  const others = counts.faulted - own;
  return `${groupDigits(own)} of ${all} ${verb}${others === 0 ? '' : ` and ${groupDigits(others)} failed otherwise`}`;
}

function plural(number: number, noun: string): string {
  return `${groupDigits(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function span(ms: number): string {
  const whole = Math.max(1, Math.round(ms / 1000));
  return whole < 120 ? `${whole} s` : `${Math.round(whole / 60)} min`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

function name(subject: HealthSubject): string {
  return `(${subject.gateway}, ${methodWord(subject.method)})`;
}
