import type { CallOptions, ListedRefund, ListPage, Outcome, RefundListQuery, RefundOrder, VerifyQuery } from './gateway.ts';
import { failure } from './outcomes.ts';

/** Verifies a payment that is known by our reference alone. Amount and currency are the order's, or 0 and none. */
type Verify = (payment: VerifyQuery, options: CallOptions) => Promise<Outcome<{ readonly transactionId: string }>>;

/**
 * The gateway's own id of the payment to refund. Where none was kept that fits the pattern, the payment is looked up; when that fails, no
 * refund is requested.
 */
export async function findTransactionId(
  order: RefundOrder,
  pattern: RegExp,
  verify: (payment: VerifyQuery) => ReturnType<Verify>,
): Promise<string | Extract<Outcome<never>, { outcome: 'no' }>> {
  const { transactionId, paymentReference: reference, amount, currency } = order;
  if (transactionId !== null && pattern.test(transactionId)) return transactionId;
  const found = await verify({ reference, transactionId: null, amount, currency });
  return found.outcome === 'yes' ? found.value.transactionId : toNotRequested(found);
}

/** Outcome of a refund whose payment could not be looked up. */
export function toNotRequested({
  failure: { class: of, code, message },
  call,
}: Exclude<Outcome<never>, { outcome: 'yes' }>): Extract<Outcome<never>, { outcome: 'no' }> {
  const reason = failure(of, code, `No refund was requested, as the payment could not be looked up. ${message}`);
  return { outcome: 'no', failure: reason, call };
}

/**
 * Refunds from a list that names payments by the gateway's own id: where only our reference is known, the payment is looked up first.
 * `options` bound both calls together.
 */
export async function listByTransactionId(
  query: RefundListQuery,
  options: CallOptions,
  verify: Verify,
  list: (query: RefundListQuery, options: CallOptions) => Promise<Outcome<ListPage<ListedRefund>>>,
): Promise<Outcome<ListPage<ListedRefund>>> {
  const started = performance.now();
  const { paymentReference, transactionId } = query;
  if (paymentReference === null || transactionId !== null) return list(query, options);
  const found = await verify({ reference: paymentReference, transactionId: null, amount: 0n, currency: '' }, options);
  if (found.outcome !== 'yes') return found;
  const timeoutMs = options.timeoutMs - (performance.now() - started);
  return list({ ...query, transactionId: found.value.transactionId }, { timeoutMs });
}
