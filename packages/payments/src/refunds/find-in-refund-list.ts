import type { Refund } from '@switchyard/db/client';
import { type ListedRefund, type Outcome, readAllPages } from '@switchyard/gateways';
import type { OpenAccount } from '@switchyard/runtime';
import { findAttempt } from '../attempts/queries.ts';
import type { PaymentsContext } from '../context.ts';
import { type RefundResult, resultFromReceipt } from './apply-refund-result.ts';
import { findRefundsByGatewayId, listRefundsOfPayment } from './queries.ts';

/** Most milliseconds that a call about a refund takes. */
export const GATEWAY_TIMEOUT_MS = 15_000;
const DAY_MS = 24 * 3_600_000;
/** More refunds than any payment has. */
const REFUNDS_MAX = 1_000;

/** Result for this refund in the gateway's list of the payment's refunds; null when the complete list has none that may be it. */
export async function findInRefundList(
  context: PaymentsContext,
  opened: OpenAccount,
  refund: Refund,
): Promise<RefundResult | null> {
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
export async function findEarlierRefund(
  context: PaymentsContext,
  opened: OpenAccount,
  refund: Refund,
): Promise<RefundResult | null> {
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
