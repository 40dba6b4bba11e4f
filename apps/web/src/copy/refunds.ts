import type { Tone } from './payment-status.ts';

interface StateLabel {
  readonly word: string;
  readonly tone: Tone;
  readonly meaning: string;
}

/** The states of a refund, in the order of its life. */
export const REFUND_STATES = ['REQUESTED', 'PROCESSING', 'SUCCEEDED', 'FAILED', 'NEEDS_ATTENTION'] as const;

/** State of a refund. */
export type RefundState = (typeof REFUND_STATES)[number];

/** The states of a refund as people read them. */
export const REFUND_LABELS: Readonly<Record<RefundState, StateLabel>> = {
  REQUESTED: { word: 'Requested', tone: 'wait', meaning: 'Recorded; about to be sent to the gateway' },
  PROCESSING: { word: 'Processing', tone: 'wait', meaning: 'The gateway has accepted it and has not confirmed it' },
  SUCCEEDED: { word: 'Succeeded', tone: 'over', meaning: 'The gateway returned the money' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'No money was returned; you can refund it again' },
  NEEDS_ATTENTION: { word: 'Needs attention', tone: 'bad', meaning: 'The gateway needs action in its dashboard' },
};

/** The states of a duplicate charge, in the order of its life. */
export const CHARGE_STATES = ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'] as const;

/** State of a duplicate charge. */
export type ChargeState = (typeof CHARGE_STATES)[number];

/** The states of a duplicate charge as people read them. */
export const CHARGE_LABELS: Readonly<Record<ChargeState, StateLabel>> = {
  OPEN: { word: 'Open', tone: 'bad', meaning: 'The customer paid twice, and it is not resolved yet' },
  REFUNDING: { word: 'Refunding', tone: 'wait', meaning: 'A refund is processing' },
  REFUNDED: { word: 'Refunded', tone: 'over', meaning: 'The gateway returned the money' },
  DISMISSED: { word: 'Dismissed', tone: 'over', meaning: 'Dismissed: no refund needed' },
};

/** The requester, `api`, `staff:<id>` or `system:<what>`; people by their names where these are known. */
export function describeRequester(actor: string, people: ReadonlyMap<string, string> = new Map()): string {
  if (actor === 'api') return 'Merchant';
  return actor.startsWith('staff:') ? (people.get(actor.slice('staff:'.length)) ?? 'Staff') : 'Switchyard';
}
