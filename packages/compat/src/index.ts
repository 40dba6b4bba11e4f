import type { Database } from '@switchyard/db';
import { type CustomerReturn, withQuery } from '@switchyard/payments/checkout-return';
import { findDialect } from './numbers/numbers.ts';
import { cancelActionOf } from './paystack/write.ts';
import type { Dialect } from './problem.ts';

export type { AskedNaira } from './amounts.ts';
export { findNumbered, numberOf, readNumber } from './numbers/numbers.ts';
export { type Fields, isFields, readText, type TranslatedOrder } from './order.ts';
export { DIALECTS, type Dialect, type DialectAnswer, type Problem, type Read, read, refused } from './problem.ts';
export {
  countRefunds,
  countTransactions,
  type ListScope,
  listRefunds,
  listTransactions,
  type RefundListFilter,
  readTotals,
} from './transactions/list-transactions.ts';
export { findByReference, numberRefund, readTransaction, type Transaction } from './transactions/transaction.ts';

/**
 * Where a customer goes who returns from a gateway: the merchant's address with what the dialect that began the payment adds to it; as it
 * is for every other payment, and where the merchant has no address.
 */
export async function returnAddress(database: Database, returned: CustomerReturn): Promise<string> {
  const { payment, redirectUrl, isMerchants, wasCancelled } = returned;
  const begun = await findDialect(database, payment.merchantId, payment.paymentId);
  if (begun === null) return redirectUrl;
  const isOpen = payment.status !== 'SUCCESS' && payment.status !== 'REFUNDED';
  if (begun.dialect === 'paystack' && wasCancelled && isOpen) {
    const { metadata } = await database.prisma.payment.findUniqueOrThrow({
      where: { merchantId_id: { merchantId: payment.merchantId, id: payment.paymentId } },
      select: { metadata: true },
    });
    const action = cancelActionOf(metadata);
    if (action !== null) return action;
  }
  if (!isMerchants) return redirectUrl;
  return withQuery(redirectUrl, parametersOf(begun.dialect, begun.number, returned));
}

function parametersOf(
  dialect: Dialect,
  number: number,
  { payment, wasCancelled }: CustomerReturn,
): Readonly<Record<string, string>> {
  const reference = payment.merchantOrderId;
  switch (dialect) {
    case 'paystack':
      return { trxref: reference, reference };
    case 'flutterwave':
      return flutterwaveParameters(reference, number, payment.status, wasCancelled);
    default:
      return dialect satisfies never;
  }
}

function flutterwaveParameters(
  reference: string,
  number: number,
  status: CustomerReturn['payment']['status'],
  wasCancelled: boolean,
): Readonly<Record<string, string>> {
  const named = { tx_ref: reference, transaction_id: String(number) };
  switch (status) {
    case 'SUCCESS':
    case 'REFUNDED':
      return { status: 'successful', ...named };
    case 'FAILED':
      return { status: 'failed', ...named };
    case 'INITIATED':
    case 'PENDING':
      // `completed` also covers methods that are still on their way; a cancelled checkout has no transaction.
      return wasCancelled ? { status: 'cancelled', tx_ref: reference } : { status: 'completed', ...named };
    default:
      return status satisfies never;
  }
}
