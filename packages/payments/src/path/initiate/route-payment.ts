import type { Database } from '@switchyard/db';
import type { HealthMonitor } from '@switchyard/provider-health';
import { type CustomerHistory, type Decision, type PaymentKeys, readPaymentKeys, type UsedKeys } from '@switchyard/routing';
import { type DecideInput, decide, leadingProbe } from '@switchyard/routing/decide';
import type { PaymentsContext } from '../../record/context.ts';
import { type Caller, type Order, type Timings, timed } from '../../record/order.ts';

/**
 * A payment's values of the keys that its rules compare; null where they compare none, or decide nothing about it. The customer's
 * history is read only where a rule compares it.
 */
export async function readKeys(
  context: PaymentsContext,
  caller: Caller,
  { order, used: keys, now }: { readonly order: Order; readonly used: UsedKeys | null; readonly now: Date },
  timings: Timings,
): Promise<PaymentKeys | null> {
  const { configuration } = caller;
  if (keys === null || order.requestedGateway !== null || order.paymentMethod === null) return null;
  const customer = keys.customer
    ? await timed(timings, 'db', () => readCustomerHistory(context.resources.database, caller, order.customer.email))
    : null;
  return readPaymentKeys(keys, { metadata: order.metadata, at: now, timeZone: configuration.merchant.timeZone, customer });
}

/** On the index of customers' addresses: it ends at the first payment that was paid. */
const HAS_PAID = `
SELECT EXISTS (SELECT FROM payment
  WHERE merchant_id = $1 AND mode = $2 AND lower(customer_email) = lower($3) AND status IN ('SUCCESS', 'REFUNDED')) AS paid`;

/** The history of a customer at a merchant: `returning` has a payment that was paid, whatever was refunded since. */
async function readCustomerHistory({ pool }: Database, { configuration, mode }: Caller, email: string): Promise<CustomerHistory> {
  const values = [configuration.merchant.id, mode, email];
  const { rows } = await pool.query<{ paid: boolean }>({ name: 'customer-has-paid', text: HAS_PAID, values });
  return rows[0]?.paid === true ? 'returning' : 'new';
}

/**
 * Decides which accounts a new payment is tried at. A payment that leads with a recovering account takes that account's probe slot;
 * when another payment took the slot first, the decision is made without that account.
 */
export function routePayment(input: DecideInput, claimProbeSlot: HealthMonitor['claimProbeSlot']): Decision {
  const decision = decide(input);
  const probe = leadingProbe(decision);
  if (probe === null || claimProbeSlot(probe.accountId, probe.method)) return decision;
  const health = input.health.map((known) => (known.accountId === probe.accountId ? { ...known, probeSlot: false } : known));
  return routePayment({ ...input, health }, claimProbeSlot);
}
