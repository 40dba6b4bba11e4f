import { describeDuration } from '#/format/moments.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** A trial of a version with a share of customers. */
export type Canary = RouterOutputs['routing']['canaries']['list'][number];

/** Shares of customers that a version is tried with, to choose from. */
export const SHARES = [
  { value: '5', label: '5% of customers' },
  { value: '10', label: '10% of customers' },
  { value: '25', label: '25% of customers' },
  { value: '50', label: '50% of customers' },
] as const;

/** `version 7`, or the order of the accounts where no rules were published. */
export function versionName(version: number): string {
  return version === 0 ? 'the order of the accounts' : `version ${version}`;
}

/** `12.5` for 0.125. */
function points(rate: number): string {
  return (Math.round(Math.abs(rate) * 1_000) / 10).toLocaleString('en');
}

function signed(rate: number): string {
  const shown = points(rate);
  return `${shown === '0' ? '' : rate < 0 ? '−' : '+'}${shown}`;
}

/** `−4.2 points, between −7.1 and −1.3`; null without customers. */
export function describeDifference({ difference }: Pick<Canary, 'difference'>): string | null {
  if (difference === null) return null;
  const { estimate, from, to } = difference;
  return `${signed(estimate)} points, between ${signed(from)} and ${signed(to)}`;
}

/** `1 point`, `0.5 points`: a loss of the success rate, from hundredths of a point. */
export function describeLoss(toleratedLoss: number): string {
  return `${points(toleratedLoss / 10_000)} ${toleratedLoss === 100 ? 'point' : 'points'}`;
}

/** Fewer customers in either arm say nothing yet. */
const CUSTOMERS_FROM = 20;

/** The state of the version that is tried, in one sentence. */
export function describeCanary(canary: Canary): string {
  const { version, liveVersion, ended, toleratedLoss, refusal, draft, live, percent } = canary;
  const tried = `Version ${version}`;
  const before = versionName(liveVersion);
  const loss = describeLoss(toleratedLoss);
  switch (ended) {
    case 'PROMOTED':
      return canary.promote >= 1
        ? `${tried} was promoted: the success rate under it is not ${loss} or more below that under ${before}.`
        : `${tried} was promoted by hand, before its customers had decided.`;
    case 'ROLLED_BACK':
      return `${tried} was rolled back: the success rate under it is more than ${loss} below that under ${before}.`;
    case 'STOPPED':
      return `${tried} was stopped by hand. All customers are routed by ${before} again.`;
    case 'REPLACED':
      return `Other rules were published, which ended the trial of ${tried.toLowerCase()}.`;
    case 'TIME':
      return `The time was over before the customers had decided. All are routed by ${before} again.`;
    case 'REFUSED':
      return `${tried} was to be promoted and could not be published: ${refusal ?? 'it was refused.'}`;
    case null: {
      if (Math.min(draft.customers, live.customers) < CUSTOMERS_FROM) {
        return `${tried} routes ${percent}% of customers. Too few have paid or left to say anything yet.`;
      }
      const lean = canary.promote > canary.rollBack ? 'promoting' : 'rolling back';
      const far = Math.max(0, Math.floor(Math.max(canary.promote, canary.rollBack) * 100));
      return far < 5
        ? `${tried} routes ${percent}% of customers. There is no evidence for promoting or for rolling back yet.`
        : `${tried} routes ${percent}% of customers. The evidence is ${far}% of what ${lean} it takes.`;
    }
    default:
      return ended satisfies never;
  }
}

const HOW_ENDED = {
  PROMOTED: 'Promoted',
  ROLLED_BACK: 'Rolled back',
  STOPPED: 'Stopped',
  REPLACED: 'Replaced',
  TIME: 'Undecided',
  REFUSED: 'Not promoted',
} as const satisfies Record<NonNullable<Canary['ended']>, string>;

/** The state of a trial in a word or two. */
export function canaryState({ ended }: Pick<Canary, 'ended'>): string {
  return ended === null ? 'Running' : HOW_ENDED[ended];
}

type Mark = RouterOutputs['routing']['canaries']['byId']['marks'][number];

const MARK_WORDS = {
  outage: 'was down',
  drain: 'was drained',
  disable: 'was disabled',
  force: 'was put first',
} as const satisfies Record<Mark['kind'], string>;

/** `paystack-main was down, 12 min`: what happened to an account, and for how long. */
export function describeMark({ kind, accountLabel, method, from, to }: Mark): string {
  const what = `${accountLabel} ${MARK_WORDS[kind]}${method === null ? '' : ` for ${method.toLowerCase().replaceAll('_', ' ')}`}`;
  return to === null ? `${what}, until now` : `${what}, ${describeDuration(to.getTime() - from.getTime())}`;
}
