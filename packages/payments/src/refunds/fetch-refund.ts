import type { Refund } from '@switchyard/db/client';
import { readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/merchants';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { markRefundSent } from './due-refunds.ts';
import { type Learned, learnFromReceipt, learnFromSending } from './judge-refund.ts';
import { findRefundsByGatewayId } from './queries.ts';

const ASK_MS = 15_000;
/** Past the call itself: from then on, whoever finds it looks whether the gateway heard of it. */
const CALL_OVER_MS = 90_000;
/** Past the longest any hop on the way holds a request: what the gateway does not list by then will not come any more. */
const ARRIVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Asks the gateway for a refund that nobody has asked for. That it is being asked is on record before the call, so that a process
 * that dies at it leaves something to be looked up and never a second refund. Null when somebody else asks.
 */
export async function sendToGateway(context: PaymentsContext, refund: Refund): Promise<Learned | null> {
  const { database } = context.resources;
  const reachable = reach(context, refund);
  if (reachable === null) return notConfigured(refund);
  const attempt = await findAttempt(database, refund.merchantId, refund.attemptId);
  if (attempt === null) throw new Error(`attempt ${refund.attemptId} is gone`);
  const now = context.now();
  const key = { merchantId: refund.merchantId, refundId: refund.id };
  const mine = await markRefundSent(database, key, { now, nextCheckAt: new Date(now.getTime() + CALL_OVER_MS) });
  if (!mine) return null;
  const order = {
    refundReference: refund.reference,
    paymentReference: attempt.reference,
    transactionId: refund.transactionId,
    amount: refund.amount,
    currency: refund.currency,
    reason: refund.reason,
  };
  // A process that was held up for long must not call any more: somebody may have found nothing, and asked again.
  if (context.now().getTime() - now.getTime() > CALL_OVER_MS) return null;
  const outcome = await reachable.gateway.refund(reachable.access, order, { timeoutMs: ASK_MS });
  return learnFromSending(outcome, refund.sendCount + 1);
}

/** Asks the gateway what became of a refund it was asked for: by its id there, or by our reference in its list. */
export async function fetchRefund(context: PaymentsContext, refund: Refund): Promise<Learned> {
  const reachable = reach(context, refund);
  if (reachable === null) return { kind: 'unanswered', message: notConfigured(refund).message };
  if (refund.gatewayRefundId === null) return lookInList(context, reachable, refund);
  const query = { gatewayRefundId: refund.gatewayRefundId };
  const found = await reachable.gateway.findRefund(reachable.access, query, { timeoutMs: ASK_MS });
  // A gateway that took it on and now knows nothing of it leaves open what became of the money.
  return found.outcome === 'yes' ? learnFromReceipt(found.value) : { kind: 'unanswered', message: found.failure.message };
}

/** Whether the gateway heard of a refund whose answer we never did. Only its whole list, late enough, proves that it did not. */
async function lookInList(context: PaymentsContext, { gateway, access }: OpenAccount, refund: Refund): Promise<Learned> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, refund.merchantId, refund.attemptId);
  const now = context.now();
  const query = {
    from: new Date(refund.createdAt.getTime() - DAY_MS),
    to: new Date(now.getTime() + DAY_MS),
    paymentReference: attempt?.reference ?? null,
    transactionId: refund.transactionId,
  };
  const listed = await readAllPages(
    (cursor) => gateway.listRefunds(access, { ...query, cursor }, { timeoutMs: ASK_MS }),
    (row) => row.gatewayRefundId,
  );
  if (listed.outcome !== 'yes') return { kind: 'unanswered', message: listed.failure.message };
  const ours = listed.value.find(({ note }) => note?.split(/\s/).includes(refund.reference));
  if (ours !== undefined) return learnFromReceipt({ ...ours, message: null });
  for (const { note, amount, gatewayRefundId } of listed.value) {
    if (note !== null || amount !== refund.amount.toString()) continue;
    const spoken = { gatewayRefundId, attemptId: refund.attemptId };
    const known = await findRefundsByGatewayId(database, refund.merchantId, refund.accountId, spoken);
    if (known.some((other) => other.gatewayRefundId === gatewayRefundId)) continue;
    const message = `The gateway lists a refund of the same amount without a note (${gatewayRefundId}), which may be this one.`;
    return { kind: 'told', state: 'NEEDS_ATTENTION', gatewayRefundId: null, message };
  }
  const message = 'The gateway lists no such refund.';
  const arrivedBy = (refund.sentAt ?? refund.createdAt).getTime() + ARRIVAL_MS;
  return now.getTime() < arrivedBy ? { kind: 'unanswered', message } : { kind: 'not_asked', sending: refund.sendCount, message };
}

function reach(context: PaymentsContext, { accountId }: Refund): OpenAccount | null {
  const known = context.resources.configuration.account(accountId);
  return known === undefined ? null : context.resources.openAccount(known.account);
}

function notConfigured({ gateway, sendCount: sending }: Refund): Extract<Learned, { kind: 'not_asked' }> {
  return { kind: 'not_asked', sending, message: `The account at ${gateway} is no longer configured.` };
}
