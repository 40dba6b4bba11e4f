import { isUuid } from '@switchyard/db';
import { findGateway } from '@switchyard/gateways';
import type { PaymentsContext } from '../../record/context.ts';
import type { Timings } from '../../record/order.ts';
import type { PaymentRecord } from '../../record/payment-record.ts';
import { finalUrl } from '../../record/session.ts';
import { readPayment } from '../../record/statements.ts';
import { verifyPayment } from './verify.ts';

/** The longest a customer's browser waits, whatever the gateway does. */
const WAIT_MAX_MS = 5_000;
const LOOKUP_TIMEOUT_MS = 4_000;

const untimed: Timings = { add: () => {} };

/** A payment as its customer may see it. */
export interface CheckoutResult {
  readonly payment: PaymentRecord;
  readonly merchantName: string;
}

/** A customer back from a gateway. */
export interface CustomerReturn {
  /** Verified, where the gateway answered in time. */
  readonly payment: PaymentRecord;
  readonly redirectUrl: string;
  /** True if it leads to the merchant, and not to our own result page. */
  readonly isMerchants: boolean;
  /** True if the gateway says that the customer gave up: a hint, no proof. */
  readonly wasCancelled: boolean;
}

/**
 * Handles a customer's return from a gateway: verifies the payment for at most 5 seconds and returns the address to redirect to,
 * verified or not. Undefined when that account's merchant has no such payment.
 */
export async function returnFromCheckout(
  context: PaymentsContext,
  { paymentId, accountId, query }: { paymentId: string; accountId: string; query: URLSearchParams },
): Promise<CustomerReturn | undefined> {
  const result = await findCheckoutResult(context, paymentId, accountId);
  const known = context.resources.configuration.account(accountId);
  if (result === undefined || known === undefined) return undefined;
  const { payment } = result;
  const reading = findGateway(known.account.gateway)?.readReturn(query);
  const transactionId = reading?.transactionId ?? null;
  const verified = verifyPayment(
    context,
    payment,
    { transactionId, cause: 'checkout_return', timeoutMs: LOOKUP_TIMEOUT_MS },
    untimed,
  );
  const current = await within(WAIT_MAX_MS, verified);
  const redirectUrl = payment.redirectUrl ?? known.merchant.merchant.defaultRedirectUrl;
  const { publicUrl } = context.resources;
  return {
    payment: current ?? payment,
    isMerchants: redirectUrl !== null,
    wasCancelled: reading?.hint === 'cancelled',
    redirectUrl: finalUrl({
      publicUrl,
      redirectUrl,
      accountId,
      mode: payment.mode,
      merchantId: payment.merchantId,
      paymentId: payment.paymentId,
      merchantOrderId: payment.merchantOrderId,
      gateway: known.account.gateway,
    }),
  };
}

/** The result of work, or undefined when it fails or takes longer than `timeoutMs`; the work itself continues. */
async function within<Result>(timeoutMs: number, work: Promise<Result>): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  const ended = work.catch(() => undefined);
  const result = await Promise.race([ended, timeout]);
  clearTimeout(timer);
  return result;
}

/** The payment in a checkout address, whose account identifies the merchant. */
export async function findCheckoutResult(
  context: PaymentsContext,
  paymentId: string,
  accountId: string,
): Promise<CheckoutResult | undefined> {
  if (!isUuid(paymentId) || !isUuid(accountId)) return undefined;
  const known = context.resources.configuration.account(accountId);
  if (known === undefined) return undefined;
  const payment = await readPayment(context.resources.database, known.account.merchantId, paymentId);
  if (payment === undefined || payment.mode !== known.account.mode) return undefined;
  return { payment, merchantName: known.merchant.merchant.name };
}

export { withQuery } from '../../record/session.ts';
