import type { RouterOutputs } from '#/trpc/outputs.ts';

type Payment = Pick<RouterOutputs['payments']['byId'], 'status'> & {
  readonly refunds: readonly Pick<RouterOutputs['payments']['byId']['refunds'][number], 'state' | 'createdAt'>[];
};

const OPEN_MS = 5_000;
/** How long a payment is polled after a refund was requested. */
const REFUND_NEW_MS = 2_000;
const NEW_FOR_MS = 120_000;
/** Gateways may take weeks. */
const REFUND_OLD_MS = 15_000;

/** Milliseconds until a payment is refetched; false when nothing can change any more. */
export function watchInterval({ status, refunds }: Payment, now: number): number | false {
  if (status === 'INITIATED' || status === 'PENDING') return OPEN_MS;
  const underWay = refunds.filter(({ state }) => state === 'REQUESTED' || state === 'PROCESSING' || state === 'NEEDS_ATTENTION');
  if (underWay.length === 0) return false;
  return underWay.some(({ createdAt }) => now - createdAt.getTime() < NEW_FOR_MS) ? REFUND_NEW_MS : REFUND_OLD_MS;
}
