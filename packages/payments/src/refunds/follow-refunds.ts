import type { Refund } from '@switchyard/db/client';
import type { PaymentsContext } from '../context.ts';
import type { Cause } from '../life-cycle/apply-gateway-result.ts';
import { claimDueRefunds, type DueRefund } from './due-refunds.ts';
import { fetchRefund, sendToGateway } from './fetch-refund.ts';
import { findRefund } from './queries.ts';
import { isFinalRefund } from './refund-moves.ts';
import { settleRefund } from './settle-refund.ts';

const BATCH = 20;
const AT_ONCE = 5;
/** Past what one refund can take: a call, or a gateway's list read to its end. */
const LEASE_MS = 180_000;
const ROUND_MS = 20_000;

/** Task `send-refund`: asks the gateway for a refund, once. Does nothing for one that has been asked for already. */
export async function sendRefund(
  context: PaymentsContext,
  { merchantId, refundId }: { merchantId: string; refundId: string },
): Promise<void> {
  const refund = await findRefund(context.resources.database, merchantId, refundId);
  if (refund?.state === 'REQUESTED') await followRefund(context, refund, 'schedule');
}

/**
 * Carries a refund on by one step: asked for if it has not been, else asked about. What the gateway says is applied. Undefined is
 * never the end: without an answer the refund stays as it is, and is looked at again.
 */
export async function followRefund(context: PaymentsContext, refund: Refund, cause: Cause): Promise<Refund> {
  if (isFinalRefund(refund.state)) return refund;
  const learned = refund.state === 'REQUESTED' ? await sendToGateway(context, refund) : await fetchRefund(context, refund);
  return learned === null ? refund : settleRefund(context, refund, learned, cause);
}

/**
 * Carries on refunds whose turn has come, until nothing is due or 20 seconds have passed; returns how many it looked at. Any
 * number of processes may do this at once.
 */
export async function followRefunds(context: PaymentsContext, report: (error: unknown, doing: string) => void): Promise<number> {
  const begun = performance.now();
  let followed = 0;
  for (;;) {
    const due = await claimDueRefunds(context.resources.database, { now: context.now(), leaseMs: LEASE_MS, limit: BATCH });
    const queue = [...due];
    const hands = Array.from({ length: Math.min(AT_ONCE, queue.length) }, async () => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) await followOne(context, one, report);
    });
    await Promise.all(hands);
    followed += due.length;
    if (due.length < BATCH || performance.now() - begun > ROUND_MS) return followed;
  }
}

async function followOne(
  context: PaymentsContext,
  { merchantId, refundId }: DueRefund,
  report: (error: unknown, doing: string) => void,
): Promise<void> {
  try {
    const refund = await findRefund(context.resources.database, merchantId, refundId);
    if (refund !== null) await followRefund(context, refund, 'schedule');
  } catch (error) {
    // Its lease makes it due again.
    report(error, `following refund ${refundId}`);
  }
}
