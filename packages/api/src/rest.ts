import { findCheckoutResult } from '@switchyard/payments/checkout-return';
import { formatDecimal } from '@switchyard/routing';
import type { Switchyard } from './process.ts';

export type { MerchantEventType } from '@switchyard/webhooks/events';
export { serveCompat } from './compat/serve-compat.ts';
export { envelope, FAILURE_CODES, type FailureName, FIELD_ERROR_CODES, failures } from './rest/envelope.ts';
export { describeRest, serveOpenApi } from './rest/openapi.ts';
export { serveCheckoutReturn, serveGatewayWebhook, serveHealth, serveRuleSetSchema } from './rest/public-paths.ts';
export { type RecordedAnswer, type RecordedExamples, recordedExamples } from './rest/recorded-examples.ts';
export { serveV1 } from './rest/v1.ts';
export { serveScim } from './scim/serve-scim.ts';

/** The outcome shown to a customer on our own result page. */
export interface CheckoutResultView {
  readonly merchantName: string;
  /** As `formatMoney` writes it, without the currency. */
  readonly amount: string;
  readonly currency: string;
  readonly merchantOrderId: string;
  readonly paymentId: string;
  readonly status: 'INITIATED' | 'PENDING' | 'SUCCESS' | 'FAILED' | 'REFUNDED';
  readonly mode: 'test' | 'live';
}

/** The result of the payment of a checkout URL; null for a URL we never issued. */
export async function readCheckoutResult(
  switchyard: Switchyard,
  paymentId: string,
  accountId: string,
): Promise<CheckoutResultView | null> {
  await switchyard.resources.configuration.ready();
  const result = await findCheckoutResult(switchyard.payments, paymentId, accountId);
  if (result === undefined) return null;
  const { payment, merchantName } = result;
  return {
    merchantName,
    amount: formatDecimal(payment.currency, payment.amount),
    currency: payment.currency,
    merchantOrderId: payment.merchantOrderId,
    paymentId: payment.paymentId,
    status: payment.status,
    mode: payment.mode,
  };
}
