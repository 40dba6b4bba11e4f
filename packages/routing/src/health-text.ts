import type { Clock } from './clock.ts';
import { groupDigits, SHARE_FROM } from './money.ts';
import type { FaultKind, HealthReason, HealthSubject, PaymentMethod, StoredHealthReason } from './types.ts';

/**
 * One sentence with figures, times as `clock` writes them: `Down since 14:02 UTC: 18 of 22 checkouts timed out in 30 s (Paystack, card).`
 * Empty for a reason of unknown format. Of a state that has `ended` it says from when it lasted. Stored decisions are recomputed verbatim with these sentences: other words are another policy (see
 * `POLICY_VERSION`).
 */
export function describeHealthReason(reason: StoredHealthReason, clock: Clock, ended = false): string {
  if (reason === null) return '';
  switch (reason.code) {
    case 'unused':
      return 'Not enough data: no checkouts yet.';
    case 'healthy': {
      const { succeeded, samples, spanMs } = reason;
      return `Healthy: ${groupDigits(succeeded)} of ${plural(samples, 'checkout')} succeeded in ${span(spanMs)} ${nameOf(reason)}.`;
    }
    case 'not_enough_data':
      return `Not enough data: ${figuresSoFar(reason)} in ${span(reason.spanMs)} ${nameOf(reason)}.`;
    case 'recovered': {
      if (reason.proof === 'others')
        return `Healthy since ${clock.timeOf(reason.since)}: checkouts of other merchants show no trouble any more ${nameOf(reason)}.`;
      const noun = { probe_payments: 'probe payment', lookups: 'status check' }[reason.proof];
      return `Healthy since ${clock.timeOf(reason.since)}: ${plural(reason.answered, noun)} succeeded ${nameOf(reason)}.`;
    }
    case 'probing': {
      const { answered, needed, lookupsSince } = reason;
      const again = lookupsSince === undefined ? '' : `status checks succeed since ${clock.timeOf(lookupsSince)}, and `;
      const figures =
        answered === 0
          ? `${plural(needed, 'probe payment')} must succeed in a row`
          : `${groupDigits(answered)} of ${plural(needed, 'probe payment')} succeeded so far`;
      return `Probing since ${clock.timeOf(reason.since)}: ${again}${figures} ${nameOf(reason)}.`;
    }
    case 'faults':
      return `${demotion(reason, clock, ended)}: ${faultFigures(reason)} in ${span(reason.spanMs)} ${nameOf(reason)}.`;
    case 'slow': {
      const usual = reason.usualMs === null ? '' : `, usually ${seconds(reason.usualMs)}`;
      return `${demotion(reason, clock, ended)}: checkouts take ${seconds(reason.latencyMs)} on average${usual} ${nameOf(reason)}.`;
    }
    case 'lookups_failed': {
      const figures = `${groupDigits(reason.failed)} of ${plural(reason.answered + reason.failed, 'status check')} failed`;
      return `${demotion(reason, clock, ended)}: ${figures} in ${span(reason.spanMs)}, and no checkout was opened ${nameOf(reason)}.`;
    }
    case 'fails_for_others': {
      const figures = `${shareForOthers(reason)} of other merchants failed, and this account opened none since`;
      return `${demotion({ ...reason, again: false }, clock, ended)}: ${figures} ${nameOf(reason)}.`;
    }
    default:
      return reason satisfies never;
  }
}

/** True for the reason of an account that only accounts of other merchants at its gateway were evidence against. */
export function isSeenByOthersOnly(why: StoredHealthReason): boolean {
  return why?.code === 'fails_for_others';
}

type Demotion = Pick<Extract<HealthReason, { code: 'slow' }>, 'state' | 'since' | 'again'>;

/** `Down again since 14:02 UTC`, or `Down from 14:02 UTC` of one that has ended. */
function demotion({ state, since, again }: Demotion, clock: Clock, ended: boolean): string {
  const word = { degraded: 'Degraded', down: 'Down' }[state];
  return `${word} ${again ? 'again ' : ''}${ended ? 'from' : 'since'} ${clock.timeOf(since)}`;
}

const FAULT_VERBS: Readonly<Record<FaultKind, string>> = {
  timed_out: 'timed out',
  refused: 'could not connect',
  server_error: 'failed with HTTP 5xx',
  rate_limited: 'failed with HTTP 429',
  malformed: 'got an invalid response',
};

/** `18 of 22 checkouts timed out` */
function faultFigures({ faulted, samples, main, again, unanswered }: Extract<HealthReason, { code: 'faults' }>): string {
  const all = plural(samples, again ? 'probe payment' : 'checkout');
  if (main === null) return `${groupDigits(faulted)} of ${all} failed`;
  // An opening in progress has not timed out yet, and may be answered late.
  const verb = main.kind === 'timed_out' && unanswered ? 'got no response' : FAULT_VERBS[main.kind];
  const others = faulted - main.count;
  return `${groupDigits(main.count)} of ${all} ${verb}${others === 0 ? '' : ` and ${groupDigits(others)} failed otherwise`}`;
}

/** `45% of checkouts`, or `5 of 11 checkouts` where they are too few for a percentage. */
function shareForOthers({ faulted, samples }: Extract<HealthReason, { code: 'fails_for_others' }>): string {
  if (samples < SHARE_FROM) return `${groupDigits(faulted)} of ${plural(samples, 'checkout')}`;
  return `${Math.round((100 * faulted) / samples)}% of checkouts`;
}

/** `4 checkouts of which 1 failed`; status checks where there was no checkout. */
function figuresSoFar({
  samples,
  faulted,
  lookupsAnswered,
  lookupsFailed,
}: Extract<HealthReason, { code: 'not_enough_data' }>): string {
  const lookups = lookupsAnswered + lookupsFailed;
  if (samples === 0)
    return lookups === 0
      ? 'no checkouts'
      : `no checkouts, and ${lookupsAnswered} of ${plural(lookups, 'status check')} succeeded`;
  return `${plural(samples, 'checkout')}${faulted === 0 ? '' : ` of which ${groupDigits(faulted)} failed`}`;
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

/** A method as written within a sentence: `card`, `USSD`; `all methods` for null. */
export function methodWord(method: PaymentMethod | null): string {
  return method === null ? 'all methods' : METHOD_WORDS[method];
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

function nameOf({ gateway, method }: HealthSubject): string {
  return `(${gateway}, ${methodWord(method)})`;
}
