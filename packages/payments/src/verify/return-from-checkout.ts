import { isUuid } from '@switchyard/db';
import { findGateway } from '@switchyard/gateways';
import type { PaymentsContext } from '../context.ts';
import { finalUrl } from '../initiate/session.ts';
import { findPayment } from '../initiate/statements.ts';
import type { Timings } from '../life-cycle/order.ts';
import type { PaymentRecord } from '../life-cycle/payment-record.ts';
import { verifyPayment } from './verify.ts';

/** Most time a customer's browser waits here, whatever the gateway does. */
const WAIT_MAX_MS = 5_000;
const ASK_MS = 4_000;

const untimed: Timings = { add: () => {} };

/** A payment as its customer may see it. */
export interface CheckoutResult {
  readonly payment: PaymentRecord;
  readonly merchantName: string;
}

/**
 * A customer came back from a gateway: asks what became of the payment, within 5 seconds at most, and gives the address to send
 * them on to, verified or not. Undefined when there is no such payment at that account's merchant.
 */
export async function returnFromCheckout(
  context: PaymentsContext,
  { paymentId, accountId, query }: { paymentId: string; accountId: string; query: URLSearchParams },
): Promise<{ redirectUrl: string } | undefined> {
  const result = await findCheckoutResult(context, paymentId, accountId);
  const known = context.resources.configuration.account(accountId);
  if (result === undefined || known === undefined) return undefined;
  const { payment } = result;
  const transactionId = findGateway(known.account.gateway)?.readReturn(query).transactionId ?? null;
  const verified = verifyPayment(context, payment, { transactionId, cause: 'checkout_return', timeoutMs: ASK_MS }, untimed);
  await within(WAIT_MAX_MS, verified);
  const redirectUrl = payment.redirectUrl ?? known.merchant.merchant.defaultRedirectUrl;
  const { publicUrl } = context.resources;
  return {
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

/** Waits for work to end, well or badly, but no longer than `milliseconds`; the work itself goes on. */
async function within(milliseconds: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  const ended = work.then(
    () => {},
    () => {},
  );
  await Promise.race([ended, patience]);
  clearTimeout(timer);
}

/** The payment a checkout address speaks of. The account in the address tells the merchant. */
export async function findCheckoutResult(
  context: PaymentsContext,
  paymentId: string,
  accountId: string,
): Promise<CheckoutResult | undefined> {
  if (!isUuid(paymentId) || !isUuid(accountId)) return undefined;
  const known = context.resources.configuration.account(accountId);
  if (known === undefined) return undefined;
  const payment = await findPayment(context.resources.database, known.account.merchantId, paymentId);
  if (payment === undefined || payment.mode !== known.account.mode) return undefined;
  return { payment, merchantName: known.merchant.merchant.name };
}
