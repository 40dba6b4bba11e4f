import { type Database, unlessUnavailable } from '@switchyard/db';
import type { Refund } from '@switchyard/db/client';
import { type ListedRefund, type Outcome, readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';
import { findAttempt } from '../record/attempt-queries.ts';
import type { PaymentsContext } from '../record/context.ts';
import { findRefundsByGatewayId, listRefundsOfPayment } from '../record/refund-queries.ts';
import { type RefundResult, resultFromReceipt, resultFromSending } from './apply-refund-result.ts';
import { isRefundInFlight, markRefundSent } from './due-refunds.ts';

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
  context.health.observeAnswer({ ...refund, operation: 'refund' }, outcome);
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
  context.health.observeAnswer({ ...refund, operation: 'find_refund' }, found);
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

/** Most milliseconds that a call about a refund takes. */
export const GATEWAY_TIMEOUT_MS = 15_000;
const DAY_MS = 24 * 3_600_000;
/** More refunds than any payment has. */
const REFUNDS_MAX = 1_000;

/** Result for this refund in the gateway's list of the payment's refunds; null when the complete list has none that may be it. */
async function findInRefundList(context: PaymentsContext, opened: OpenAccount, refund: Refund): Promise<RefundResult | null> {
  const listed = await readRefundList(context, opened, refund, refund.createdAt);
  if (listed.outcome !== 'yes') return { kind: 'unanswered', message: listed.failure.message };
  const own = listed.value.find((row) => isNamed(row, refund));
  if (own !== undefined) return resultFromReceipt({ ...own, message: null });
  for (const { note, amount, gatewayRefundId } of listed.value) {
    if (note !== null || amount !== refund.amount.toString()) continue;
    const candidate = { gatewayRefundId, attemptId: refund.attemptId };
    const known = await findRefundsByGatewayId(context.resources.database, refund.merchantId, refund.accountId, candidate);
    if (known.some((other) => other.gatewayRefundId === gatewayRefundId)) continue;
    const message = `The gateway lists a refund of the same amount without a note (${gatewayRefundId}), which may be this one.`;
    return { kind: 'reported', state: 'NEEDS_ATTENTION', gatewayRefundId: null, message };
  }
  return null;
}

/**
 * Result for a refund that may have been made before rows were lost: by its own request, which the gateway lists under its reference, or by
 * another that is lost with them, which a person has to tell from it. Null when the complete list has neither.
 */
async function findEarlierRefund(context: PaymentsContext, opened: OpenAccount, refund: Refund): Promise<RefundResult | null> {
  const { database } = context.resources;
  const { merchantId, paymentId } = refund;
  const { createdAt } = await database.prisma.payment.findUniqueOrThrow({
    where: { merchantId_id: { merchantId, id: paymentId } },
    select: { createdAt: true },
  });
  const listed = await readRefundList(context, opened, refund, createdAt);
  if (listed.outcome !== 'yes') return { kind: 'unanswered', message: listed.failure.message };
  const amount = refund.amount.toString();
  const sending = refund.sendCount + 1;
  const own = listed.value.find((row) => isNamed(row, refund));
  if (own !== undefined) {
    if (own.amount === amount) return resultFromReceipt({ ...own, message: null });
    const message = `The gateway has this refund with another amount, ${own.amount} (${own.gatewayRefundId}).`;
    return { kind: 'held', sending, message };
  }
  const known = await listRefundsOfPayment(database, { merchantId, paymentId }, null, REFUNDS_MAX);
  const unknown = listed.value.filter((row) => row.state !== 'failed' && !known.some((other) => isSame(row, other)));
  const same = unknown.find((row) => row.amount === amount);
  if (same === undefined) return null;
  const message = `The gateway lists a refund of the same amount that is not known here (${same.gatewayRefundId}): it may be this one.`;
  return { kind: 'held', sending, message };
}

function isNamed({ note }: ListedRefund, { reference }: Pick<Refund, 'reference'>): boolean {
  return note?.split(/\s/).includes(reference) === true;
}

function isSame(row: ListedRefund, known: Refund): boolean {
  return row.gatewayRefundId === known.gatewayRefundId || isNamed(row, known);
}

/** The complete list of the refunds of a refund's payment, from a day before `since`. */
async function readRefundList(
  context: PaymentsContext,
  { gateway, access }: OpenAccount,
  { merchantId, attemptId, transactionId }: Refund,
  since: Date,
): Promise<Outcome<readonly ListedRefund[]>> {
  const attempt = await findAttempt(context.resources.database, merchantId, attemptId);
  const query = {
    from: new Date(since.getTime() - DAY_MS),
    to: new Date(context.now().getTime() + DAY_MS),
    paymentReference: attempt?.reference ?? null,
    transactionId,
  };
  return readAllPages(
    (cursor) => gateway.listRefunds(access, { ...query, cursor }, { timeoutMs: GATEWAY_TIMEOUT_MS }),
    (row) => row.gatewayRefundId,
  );
}

/** Clocks of processes that made payments may have been ahead of the database's by as much. */
const CLOCKS_DIFFER_MS = 10 * 60_000;

/** Rows that may have been lost between a refund's payment and the refund: an earlier sending of it may be among them. */
export interface LostRows {
  /** True while a call of the time before may yet arrive at the gateway. */
  readonly mayArrive: boolean;
}

const READ_EPOCH = `
SELECT here.identity, here.identity = ANY (SELECT identity FROM database_epoch) AS "isKnown",
  began_at > payment.created_at - $3 * interval '1 millisecond' AND (refund.cleared_at > began_at) IS NOT TRUE AS "isLater",
  began_at + $4 * interval '1 millisecond' > now() AS "mayArrive"
FROM refund JOIN payment ON payment.merchant_id = refund.merchant_id AND payment.id = refund.payment_id,
  LATERAL (SELECT database_identity() AS identity OFFSET 0) AS here,
  LATERAL (SELECT max(began_at) AS began_at FROM database_epoch) AS latest
WHERE refund.merchant_id = $1 AND refund.id = $2`;

const BEGIN_EPOCH = `
INSERT INTO database_epoch (identity, began_at) VALUES ($1, now()) ON CONFLICT (identity) DO UPDATE SET began_at = excluded.began_at`;

interface EpochOfRefund {
  readonly identity: string;
  readonly isKnown: boolean;
  readonly isLater: boolean;
  readonly mayArrive: boolean;
}

/**
 * Rows of a refund's payment that may have been lost: the database that has them now was restored, promoted or read from a dump
 * since the payment was made, and no person has looked at the gateway since. Null where none can be, which proves that what is sent first
 * here is sent first. Read where the payment's rows are, at each sending, so that a database that was promoted a moment ago is seen.
 * `arrivalMs` is how long a call of the time before may take to arrive.
 */
async function findLostRows(
  database: Database,
  { merchantId, id }: Pick<Refund, 'merchantId' | 'id'>,
  arrivalMs: number,
): Promise<LostRows | null> {
  const read = async (): Promise<EpochOfRefund> => {
    const values = [merchantId, id, CLOCKS_DIFFER_MS, arrivalMs];
    const { rows } = await database.pool.query<EpochOfRefund>({ name: 'read-epoch-of-refund', text: READ_EPOCH, values });
    if (rows[0] === undefined) throw new Error(`refund ${id} is gone`);
    return rows[0];
  };
  let epoch = await read();
  if (!epoch.isKnown) {
    await database.pool.query(BEGIN_EPOCH, [epoch.identity]);
    epoch = await read();
  }
  return epoch.isLater ? { mayArrive: epoch.mayArrive } : null;
}
