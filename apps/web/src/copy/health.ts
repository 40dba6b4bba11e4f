import {
  describeHealthReason,
  isSeenByOthersOnly,
  methodWord,
  type PaymentMethod,
  type StoredHealthReason,
} from '@switchyard/routing';
import { clockOf } from '../format/moments.ts';
import { pageClock } from '../format/zone.ts';
import type { Tone } from './payment-status.ts';

export const HEALTH_STATES = ['healthy', 'degraded', 'down', 'probing'] as const;

/** The health of an account, or of one of its methods. */
export type HealthState = (typeof HEALTH_STATES)[number];

/** A state of health in a word, with what it means for payments. */
export const HEALTH_LABELS: Record<HealthState, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  healthy: { word: 'Healthy', tone: 'good', meaning: 'Payments go there as the rules say' },
  degraded: { word: 'Degraded', tone: 'wait', meaning: 'Payments go there after healthy accounts' },
  down: { word: 'Down', tone: 'bad', meaning: 'Payments go there only when no better account opens a checkout' },
  probing: { word: 'Probing', tone: 'wait', meaning: 'Single payments go there first, to prove that it works again' },
};

/** A state in words: `Down`, or `Down for others` where only checkouts of other merchants are the reason. */
export function healthStateText({ state, why }: { readonly state: HealthState; readonly why: StoredHealthReason }): string {
  const { word } = HEALTH_LABELS[state];
  return isSeenByOthersOnly(why) ? `${word} for others` : word;
}

/** The severity of a state, to find the worst of several. */
export const SEVERITY: Record<HealthState, number> = { healthy: 0, probing: 1, degraded: 2, down: 3 };

/** Effect of an operator's override, as a verb and in a sentence. */
export const OVERRIDE_LABELS = {
  drain: {
    verb: 'Drain',
    past: 'Drained',
    means: 'No new payments go there. Open checkouts can still be paid.',
  },
  disable: {
    verb: 'Disable',
    past: 'Disabled',
    means: 'Same routing as draining; recorded as out of service.',
  },
  force: { verb: 'Force first', past: 'Forced first', means: 'Tried first, whatever rules and health say.' },
} as const;

/** Kind of an override, by its effect on an account. */
export type OverrideAction = keyof typeof OVERRIDE_LABELS;

/** Why an account is in its state, or was where that has `ended`; its times in the zone of the page. */
export function healthReasonText({ why }: { readonly why: StoredHealthReason }, ended = false): string {
  return describeHealthReason(why, pageClock(), ended);
}

interface SharedOutage {
  readonly method: PaymentMethod | null;
  /** In order of onset; `since` is epoch milliseconds. */
  readonly gateways: readonly { readonly gateway: string; readonly since: number }[];
}

/** Trouble that several gateways have with one method at once, with when each began. */
export function describeSharedOutage({ method, gateways }: SharedOutage): string {
  const who = gateways.map(({ gateway, since }) => `${gateway} since ${clockOf(new Date(since))}`).join(', ');
  const word = methodWord(method);
  const suspect = method === null ? 'something they share' : `${word} itself`;
  return `Trouble with ${word} at ${gateways.length} gateways at once (${who}): the cause is likely ${suspect}, not one gateway.`;
}

/** The actor of a change: a staff user's name, or the system. */
export function describeActor(actor: string | null, names: ReadonlyMap<string, string> = new Map()): string {
  if (actor === null) return '';
  if (actor === 'system:expiry') return 'it expired';
  if (actor === 'system:put-back') return 'the system: it recovered';
  if (actor.startsWith('staff:')) return names.get(actor.slice('staff:'.length)) ?? 'a colleague';
  return actor.startsWith('system:') ? 'the system' : actor;
}
