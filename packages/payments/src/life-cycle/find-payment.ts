import { isUuid } from '@switchyard/db';
import type { PaymentsContext } from '../context.ts';
import { findPayment } from '../initiate/statements.ts';
import { type Caller, type Timings, timed } from './order.ts';
import type { PaymentRecord } from './payment-record.ts';

/** A payment of the caller's, in the caller's mode. Anything else is undefined: unknown, malformed, another's or the other mode's. */
export async function find(
  context: PaymentsContext,
  { configuration, mode }: Caller,
  paymentId: string,
  timings: Timings,
): Promise<PaymentRecord | undefined> {
  if (!isUuid(paymentId)) return undefined;
  const payment = await timed(timings, 'db', () => findPayment(context.resources.database, configuration.merchant.id, paymentId));
  return payment?.mode === mode ? payment : undefined;
}
