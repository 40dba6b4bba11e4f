import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

/** A dispute, as the server lists it. */
export type Dispute = RouterOutputs['disputes']['list']['items'][number];

/** One dispute with its payment, history, evidence and responses. */
export type WholeDispute = RouterOutputs['disputes']['byId'];

export type DisputeResponse = WholeDispute['responses'][number];

/** The states of disputes, in the order in which filters list them. */
export const DISPUTE_STATES = ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'WON', 'LOST', 'ACCEPTED', 'EXPIRED', 'CLOSED'] as const;

/** The state of a dispute as people read it. */
export const DISPUTE_STATE_LABELS: Readonly<
  Record<Dispute['state'], { readonly word: string; readonly tone: Tone; readonly warns?: boolean }>
> = {
  NEEDS_RESPONSE: { word: 'Needs response', tone: 'bad', warns: true },
  UNDER_REVIEW: { word: 'Under review', tone: 'wait' },
  WON: { word: 'Won', tone: 'good' },
  LOST: { word: 'Lost', tone: 'bad' },
  ACCEPTED: { word: 'Accepted', tone: 'over' },
  EXPIRED: { word: 'No response', tone: 'bad' },
  CLOSED: { word: 'Closed', tone: 'over' },
};

/** The state of a dispute, as a label of its facts. */
export const DISPUTE_LABELS: Readonly<Record<Dispute['state'], string>> = {
  NEEDS_RESPONSE: 'Dispute, needs response',
  UNDER_REVIEW: 'Dispute, under review',
  WON: 'Dispute, won',
  LOST: 'Dispute, lost',
  ACCEPTED: 'Dispute, accepted',
  EXPIRED: 'Dispute, no response in time',
  CLOSED: 'Dispute, closed',
};

/** Where a due date comes from, as a clause. */
export const DUE_SOURCES: Readonly<Record<NonNullable<Dispute['dueSource']>, string>> = {
  GATEWAY: 'as the gateway says',
  RULE: 'by the gateway’s published rule',
  STAFF: 'as entered by staff',
};

/** The state of a response. */
export const RESPONSE_LABELS: Readonly<Record<DisputeResponse['state'], { readonly word: string; readonly tone: Tone }>> = {
  SENDING: { word: 'Being sent', tone: 'wait' },
  SENT: { word: 'Sent', tone: 'good' },
  UNKNOWN: { word: 'Not confirmed', tone: 'wait' },
  REFUSED: { word: 'Refused', tone: 'bad' },
  RECORDED: { word: 'Responded at the gateway', tone: 'good' },
};

const HISTORY: Readonly<Record<string, string>> = {
  reported: 'The gateway reported it',
  unrecognised: 'The gateway gave an unknown status',
  opened_by_hand: 'Created manually',
  recorded: 'Recorded manually',
  fee_settled: 'Deducted from a payout',
  evidence_added: 'Evidence added',
  answered: 'Responded',
  sent: 'The gateway has the response',
  unknown: 'The gateway did not confirm the response',
  refused: 'The gateway refused the response',
};

/** An entry of a dispute's history in words. */
export function describeHistory({ type, state }: { readonly type: string; readonly state: Dispute['state'] }): string {
  const what = HISTORY[type] ?? type;
  return type === 'reported' || type === 'recorded' ? `${what}: ${DISPUTE_STATE_LABELS[state].word.toLowerCase()}` : what;
}

/** True if a dispute is not decided yet. */
export function isOpenDispute({ state }: Pick<Dispute, 'state'>): boolean {
  return state === 'NEEDS_RESPONSE' || state === 'UNDER_REVIEW';
}

/** True if people record what becomes of a dispute: the gateway does not say it, or not in a word that is known. */
export function isRecorded({ manual, unrecognised }: Pick<Dispute, 'manual' | 'unrecognised'>): boolean {
  return manual || unrecognised !== null;
}

const MINUTE_MS = 60_000;

/** The time left to respond, and how urgent it is: `3 h 20 min left`. */
export function describeTimeLeft(dueAt: Date, nowMs: number): { readonly text: string; readonly tone: Tone } {
  const left = dueAt.getTime() - nowMs;
  if (left < 0) return { text: 'Past due', tone: 'bad' };
  const minutes = Math.round(left / MINUTE_MS);
  const hours = Math.floor(minutes / 60);
  const tone = hours < 4 ? 'bad' : 'wait';
  if (hours < 1) return { text: `${minutes} min left`, tone };
  if (hours < 48) return { text: `${hours} h ${minutes % 60} min left`, tone };
  return { text: `${Math.round(hours / 24)} days left`, tone: 'over' };
}

/** Why a gateway took money back, as a clause. */
export function describeReversalCause(cause: RouterOutputs['payments']['byId']['money']['reversal']['cause']): string {
  return cause === 'chargeback' ? 'chargeback' : 'no reason given';
}
