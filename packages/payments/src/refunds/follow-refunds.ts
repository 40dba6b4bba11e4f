import { aboutPayment, isUuid, withWorkSubject } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';
import type { Cause } from '../record/apply-gateway-result.ts';
import { findAttemptByReference } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { findRefund, findRefundsByGatewayId } from '../record/refund-queries.ts';
import { isFinalRefund } from './apply-refund-result.ts';
import { claimDueRefunds, type DueRefund } from './due-refunds.ts';
import { fetchRefund, sendToGateway } from './fetch-refund.ts';
import { settleRefund } from './settle-refund.ts';

const BATCH = 20;
const AT_ONCE = 5;
/** Longer than one refund can take: a call, or reading a gateway's complete list. */
const LEASE_MS = 180_000;
const ROUND_MS = 20_000;

/** Task `send-refund`: sends a refund to its gateway, once; does nothing for one that was sent. */
export async function sendRefund(
  context: PaymentsContext,
  { merchantId, refundId }: { merchantId: string; refundId: string },
): Promise<void> {
  const refund = await findRefund(context.resources.database, merchantId, refundId);
  if (refund?.state === 'REQUESTED') await followRefund(context, refund, 'schedule');
}

/**
 * Advances a refund one step: sends it, or looks it up once sent, and applies the result. Without an answer it stays unchanged and
 * is checked again.
 */
export async function followRefund(context: PaymentsContext, refund: Refund, cause: Cause): Promise<Refund> {
  aboutPayment(refund);
  if (isFinalRefund(refund.state)) return refund;
  const result = refund.state === 'REQUESTED' ? await sendToGateway(context, refund) : await fetchRefund(context, refund);
  return result === null ? refund : settleRefund(context, refund, result, cause);
}

/**
 * Follows due refunds until none is left or 20 seconds have passed; returns how many. Any number of processes may run it at once.
 */
export async function followRefunds(context: PaymentsContext, report: (error: unknown, doing: string) => void): Promise<number> {
  const startedAt = performance.now();
  let followed = 0;
  for (;;) {
    const due = await claimDueRefunds(context.resources.database, { now: context.now(), leaseMs: LEASE_MS, limit: BATCH });
    const queue = [...due];
    const workers = Array.from({ length: Math.min(AT_ONCE, queue.length) }, async () => {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const refund = next;
        await withWorkSubject({ merchantId: refund.merchantId }, () => followOne(context, refund, report));
      }
    });
    await Promise.all(workers);
    followed += due.length;
    if (due.length < BATCH || performance.now() - startedAt > ROUND_MS) return followed;
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

/** Fields of a stored webhook about refunds. */
interface RefundWebhook {
  readonly merchantId: string;
  readonly accountId: string;
  readonly reference: string | null;
}

/**
 * Looks up the refunds that a stored webhook may be about: the one with its id, else those of its payment that are not final, else
 * those at the account without a gateway id yet. One without an answer is checked again when due.
 */
export async function followUpRefundWebhook(
  context: PaymentsContext,
  { merchantId, accountId, reference }: RefundWebhook,
  gatewayRefundId: string | null,
): Promise<void> {
  const { database } = context.resources;
  const attempt = reference === null ? null : await findAttemptByReference(database, merchantId, accountId, reference);
  const spoken = { gatewayRefundId, attemptId: attempt?.id ?? null };
  for (const refund of await findRefundsByGatewayId(database, merchantId, accountId, spoken)) {
    // A refund that was not sent cannot be the one in the webhook.
    if (refund.state !== 'REQUESTED') await followRefund(context, refund, 'gateway_webhook');
  }
}

/** Syncs a refund of one of these merchants with its gateway now, before it is due. Null when none has it. */
export async function syncRefund(
  context: PaymentsContext,
  query: { readonly merchantIds: readonly string[]; readonly refundId: string },
): Promise<Refund | null> {
  const refund = await findRefundOf(context, query);
  return refund === null ? null : followRefund(context, refund, 'staff');
}

/** A refund of one of these merchants, or null when none has it. */
async function findRefundOf(
  context: PaymentsContext,
  { merchantIds, refundId }: { readonly merchantIds: readonly string[]; readonly refundId: string },
): Promise<Refund | null> {
  if (!isUuid(refundId)) return null;
  for (const merchantId of merchantIds) {
    const refund = await findRefund(context.resources.database, merchantId, refundId);
    if (refund !== null) return refund;
  }
  return null;
}
