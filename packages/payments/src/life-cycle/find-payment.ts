import { isUuid } from '@switchyard/db';
import type { PaymentsContext } from '../context.ts';
import { readPayment } from '../initiate/statements.ts';
import { type Caller, type Timings, timed } from './order.ts';
import type { PaymentRecord } from './payment-record.ts';

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
