import type { RouterOutputs } from '../trpc/outputs.ts';

type Dispute = RouterOutputs['payments']['byId']['disputes'][number];

/** The state of a dispute, as a label of its facts. */
export const DISPUTE_LABELS: Readonly<Record<Dispute['state'], string>> = {
  NEEDS_RESPONSE: 'Dispute, to be answered',
  UNDER_REVIEW: 'Dispute, under review',
  WON: 'Dispute, won',
  LOST: 'Dispute, lost',
  CLOSED: 'Dispute, closed',
};

/** True if a dispute is not decided yet. */
export function isOpenDispute({ state }: Pick<Dispute, 'state'>): boolean {
  return state === 'NEEDS_RESPONSE' || state === 'UNDER_REVIEW';
}

/** Why a gateway took money back, as a clause. */
export function describeReversalCause(cause: RouterOutputs['payments']['byId']['money']['reversal']['cause']): string {
  return cause === 'chargeback' ? 'chargeback' : 'no reason given';
}
