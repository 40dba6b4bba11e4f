import { unlessUnavailable } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';
import type { OpenAccount } from '@switchyard/runtime';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { type RefundResult, resultFromReceipt, resultFromSending } from './apply-refund-result.ts';
import { isRefundInFlight, markRefundSent } from './due-refunds.ts';
import { findEarlierRefund, findInRefundList, GATEWAY_TIMEOUT_MS } from './find-in-refund-list.ts';
import { findLostRows } from './lost-rows.ts';

/** Longer than the call: a refund found sent after this time is looked up at the gateway. */
const CALL_ENDED_MS = 90_000;
/** Longer than any network hop buffers a request: a refund that is not listed by then was not received. */
const ARRIVAL_MS = 10 * 60_000;

/**
 * Sends a refund to its gateway, once. The sending is recorded before the call, so that a crash leaves a refund to look up and never
 * causes a second one. Null when another process sends it. The refusal of a refund that was sent before counts only when the gateway
 * does not list it: a first request that arrived after all is what the second is refused for. Where rows may have been lost, the gateway's
 * list comes first, and where it has none, a person.
 */
export async function sendToGateway(context: PaymentsContext, refund: Refund): Promise<RefundResult | null> {
  const { database } = context.resources;
  const opened = openRefundAccount(context, refund);
  if (opened === null) return notConfigured(refund);
  if (opened === 'not_usable') return NOT_USABLE;
  const attempt = await findAttempt(database, refund.merchantId, refund.attemptId);
  if (attempt === null) throw new Error(`attempt ${refund.attemptId} is gone`);
  const now = context.now();
  const startedAt = performance.now();
  const key = { merchantId: refund.merchantId, refundId: refund.id };
  const mine = await markRefundSent(database, key, { now, nextCheckAt: new Date(now.getTime() + CALL_ENDED_MS) });
  if (!mine) return null;
  const earlier = await settleByEarlier(context, opened, refund);
  if (earlier !== null) return earlier;
  const order = {
    refundReference: refund.reference,
    paymentReference: attempt.reference,
    transactionId: refund.transactionId,
    amount: refund.amount,
    currency: refund.currency,
    reason: refund.reason,
  };
  // After a long pause another process may have sent the refund again.
  if (performance.now() - startedAt > CALL_ENDED_MS) return null;
  const outcome = await opened.gateway.refund(opened.access, order, { timeoutMs: GATEWAY_TIMEOUT_MS });
  const sending = refund.sendCount + 1;
  const result = resultFromSending(outcome, sending);
  const refused = result.kind === 'reported' && result.state === 'FAILED';
  return sending > 1 && refused ? ((await findInRefundList(context, opened, refund)) ?? result) : result;
}

/**
 * The result for a refund that may have been made before rows were lost; null where it was not, and is to be sent. Asked once the sending is
 * recorded: should rows be lost after this, the process that sends it again asks too, and waits for this call to arrive.
 */
async function settleByEarlier(context: PaymentsContext, opened: OpenAccount, refund: Refund): Promise<RefundResult | null> {
  const lost = await findLostRows(context.resources.database, refund, ARRIVAL_MS);
  if (lost === null) return null;
  const { capabilities, title } = opened.gateway;
  if (capabilities.missingLookups?.includes('listRefunds') === true) {
    const message = `Rows of this payment may have been lost, and ${title} answers no questions about refunds: see whether its dashboard has it.`;
    return { kind: 'held', sending: refund.sendCount + 1, message };
  }
  const found = await findEarlierRefund(context, opened, refund);
  if (found !== null || !lost.mayArrive) return found;
  return { kind: 'unanswered', message: 'Not sent yet: a request from before rows were lost may still arrive at the gateway.' };
}

/** Looks a sent refund up at its gateway: by the gateway's id, or by our reference in its list. */
export async function fetchRefund(context: PaymentsContext, refund: Refund): Promise<RefundResult> {
  const opened = openRefundAccount(context, refund);
  if (opened === null) return { kind: 'unanswered', message: notConfigured(refund).message };
  if (opened === 'not_usable') return NOT_USABLE;
  if (refund.heldAt !== null && refund.state === 'NEEDS_ATTENTION') return fetchHeldRefund(context, opened, refund);
  const noLookup = withoutLookup(opened, refund);
  if (noLookup !== null) return noLookup;
  if (refund.gatewayRefundId === null) return fetchUnansweredRefund(context, opened, refund);
  const query = { gatewayRefundId: refund.gatewayRefundId };
  const found = await opened.gateway.findRefund(opened.access, query, { timeoutMs: GATEWAY_TIMEOUT_MS });
  // A gateway that accepted a refund and no longer finds it leaves the outcome open.
  return found.outcome === 'yes' ? resultFromReceipt(found.value) : { kind: 'unanswered', message: found.failure.message };
}

/** The result for a refund that its gateway has no call for: nothing is asked, and staff look at its dashboard. Null where there is one. */
function withoutLookup({ gateway }: OpenAccount, { gatewayRefundId }: Refund): RefundResult | null {
  const missing = gateway.capabilities.missingLookups ?? [];
  if (!missing.includes(gatewayRefundId === null ? 'listRefunds' : 'findRefund')) return null;
  const { title } = gateway;
  const message =
    gatewayRefundId === null
      ? `${title} did not confirm this refund and answers no questions about refunds: see its dashboard, and record what it shows.`
      : `${title} accepted this refund and answers no questions about refunds: see its dashboard, and record what it shows.`;
  return { kind: 'unanswered', message, noLookup: true };
}

/** Looks for a refund whose answer was lost. Only the complete list, read late enough, proves that it was not received. */
async function fetchUnansweredRefund(context: PaymentsContext, opened: OpenAccount, refund: Refund): Promise<RefundResult> {
  const key = { merchantId: refund.merchantId, refundId: refund.id };
  // Read before the list: what arrives later is not in it.
  const mayArrive = await isRefundInFlight(context.resources.database, key, ARRIVAL_MS);
  const found = await findInRefundList(context, opened, refund);
  if (found !== null) return found;
  const message = 'The gateway lists no such refund.';
  return mayArrive ? { kind: 'unanswered', message } : { kind: 'not_received', sending: refund.sendCount, message };
}

/** A refund that was held back was not sent: only under its own reference can it be at the gateway. A person decides any other. */
async function fetchHeldRefund(context: PaymentsContext, opened: OpenAccount, refund: Refund): Promise<RefundResult> {
  const waits = { kind: 'unanswered', message: refund.failureMessage ?? '' } as const;
  if (opened.gateway.capabilities.missingLookups?.includes('listRefunds') === true) return waits;
  const found = await findEarlierRefund(context, opened, refund);
  return found?.kind === 'reported' ? found : waits;
}

/** Null when its account is no longer configured, `not_usable` when a fault of ours keeps this process from using it. */
function openRefundAccount({ resources }: PaymentsContext, { accountId }: Refund): OpenAccount | null | 'not_usable' {
  const account = resources.configuration.account(accountId)?.account;
  const opened = account === undefined ? null : unlessUnavailable(() => resources.openAccount(account));
  return opened === null && account?.credentials ? 'not_usable' : opened;
}

/** No number of tries by this process proves anything about the refund: it waits for one that can ask. */
const NOT_USABLE = {
  kind: 'unanswered',
  message: 'The gateway was not asked: this process cannot use the stored credentials of its account.',
} as const satisfies RefundResult;

function notConfigured({ gateway, sendCount: sending }: Refund): Extract<RefundResult, { kind: 'not_received' }> {
  return { kind: 'not_received', sending, message: `The account at ${gateway} is no longer configured.` };
}
