import { unlessUnavailable } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';
import { readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { type RefundResult, resultFromReceipt, resultFromSending } from './apply-refund-result.ts';
import { isRefundInFlight, markRefundSent } from './due-refunds.ts';
import { findRefundsByGatewayId } from './queries.ts';

/** Most milliseconds that a call about a refund takes. */
export const GATEWAY_TIMEOUT_MS = 15_000;
/** Longer than the call: a refund found sent after this time is looked up at the gateway. */
const CALL_ENDED_MS = 90_000;
/** Longer than any network hop buffers a request: a refund that is not listed by then was not received. */
const ARRIVAL_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;

/**
 * Sends a refund to its gateway, once. The sending is recorded before the call, so that a crash leaves a refund to look up and never
 * causes a second one. Null when another process sends it. The refusal of a refund that was sent before counts only when the gateway
 * does not list it: a first request that arrived after all is what the second is refused for.
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

/** Looks a sent refund up at its gateway: by the gateway's id, or by our reference in its list. */
export async function fetchRefund(context: PaymentsContext, refund: Refund): Promise<RefundResult> {
  const opened = openRefundAccount(context, refund);
  if (opened === null) return { kind: 'unanswered', message: notConfigured(refund).message };
  if (opened === 'not_usable') return NOT_USABLE;
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

/** Result for this refund in the gateway's list of the payment's refunds; null when the complete list has none that may be it. */
async function findInRefundList(
  context: PaymentsContext,
  { gateway, access }: OpenAccount,
  refund: Refund,
): Promise<RefundResult | null> {
  const { database } = context.resources;
  const attempt = await findAttempt(database, refund.merchantId, refund.attemptId);
  const query = {
    from: new Date(refund.createdAt.getTime() - DAY_MS),
    to: new Date(context.now().getTime() + DAY_MS),
    paymentReference: attempt?.reference ?? null,
    transactionId: refund.transactionId,
  };
  const listed = await readAllPages(
    (cursor) => gateway.listRefunds(access, { ...query, cursor }, { timeoutMs: GATEWAY_TIMEOUT_MS }),
    (row) => row.gatewayRefundId,
  );
  if (listed.outcome !== 'yes') return { kind: 'unanswered', message: listed.failure.message };
  const own = listed.value.find(({ note }) => note?.split(/\s/).includes(refund.reference));
  if (own !== undefined) return resultFromReceipt({ ...own, message: null });
  for (const { note, amount, gatewayRefundId } of listed.value) {
    if (note !== null || amount !== refund.amount.toString()) continue;
    const candidate = { gatewayRefundId, attemptId: refund.attemptId };
    const known = await findRefundsByGatewayId(database, refund.merchantId, refund.accountId, candidate);
    if (known.some((other) => other.gatewayRefundId === gatewayRefundId)) continue;
    const message = `The gateway lists a refund of the same amount without a note (${gatewayRefundId}), which may be this one.`;
    return { kind: 'reported', state: 'NEEDS_ATTENTION', gatewayRefundId: null, message };
  }
  return null;
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
