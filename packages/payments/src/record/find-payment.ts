import { isUuid } from '@switchyard/db';
import type { Merchant } from '@switchyard/db/client';
import type { PaymentsContext } from './context.ts';
import { type Caller, type Timings, timed } from './order.ts';
import type { PaymentRecord } from './payment-record.ts';
import { readPayment } from './statements.ts';

/** The caller's payment in the caller's mode; undefined for an unknown or malformed id, another merchant's or the other mode's. */
export async function findPayment(
  context: PaymentsContext,
  { configuration, mode }: Caller,
  paymentId: string,
  timings: Timings,
): Promise<PaymentRecord | undefined> {
  if (!isUuid(paymentId)) return undefined;
  const payment = await timed(timings, 'db', () => readPayment(context.resources.database, configuration.merchant.id, paymentId));
  return payment?.mode === mode ? payment : undefined;
}

/** The merchant a payment belongs to, as configured now. Throws when there is none: payments never outlive their merchant. */
export async function merchantOf({ resources }: PaymentsContext, merchantId: string): Promise<Merchant> {
  const { configuration } = resources;
  const known = configuration.merchant(merchantId);
  if (known !== undefined) return known.merchant;
  // Another process may have just created the merchant.
  await configuration.refresh();
  const found = configuration.merchant(merchantId);
  if (found === undefined) throw new Error(`merchant ${merchantId} is not on record`);
  return found.merchant;
}
