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
  REQUESTED: { word: 'Requested', tone: 'wait', meaning: 'On record; the gateway is about to be asked' },
  PROCESSING: { word: 'Under way', tone: 'wait', meaning: 'The gateway was asked and is not done with it' },
  SUCCEEDED: { word: 'Succeeded', tone: 'over', meaning: 'The gateway returned the money' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'No money was returned; it can be refunded again' },
  NEEDS_ATTENTION: { word: 'Needs help', tone: 'bad', meaning: 'The gateway waits for a person' },
};

/** The states of a duplicate charge, in the order of its life. */
export const CHARGE_STATES = ['OPEN', 'REFUNDING', 'REFUNDED', 'DISMISSED'] as const;

/** State of a duplicate charge. */
export type ChargeState = (typeof CHARGE_STATES)[number];

/** The states of a duplicate charge as people read them. */
export const CHARGE_LABELS: Readonly<Record<ChargeState, StateLabel>> = {
  OPEN: { word: 'Open', tone: 'bad', meaning: 'The customer paid twice, and it is not decided yet' },
  REFUNDING: { word: 'Under way', tone: 'wait', meaning: 'A refund of it is under way' },
  REFUNDED: { word: 'Refunded', tone: 'over', meaning: 'The gateway returned the money' },
  DISMISSED: { word: 'Dismissed', tone: 'over', meaning: 'Dismissed: it needs no refund from us' },
};

/** The requester, `api`, `staff:<id>` or `system:<what>`; people by their names where these are known. */
export function askedBy(actor: string, people: ReadonlyMap<string, string> = new Map()): string {
  if (actor === 'api') return 'Merchant';
  return actor.startsWith('staff:') ? (people.get(actor.slice('staff:'.length)) ?? 'Staff') : 'Switchyard';
}
