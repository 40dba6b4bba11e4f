import { channel } from 'node:diagnostics_channel';
import type { Database } from '@switchyard/db';
import type { AccountCall } from '@switchyard/provider-health';
import type { Decision } from '@switchyard/routing';
import type { Cause } from '../../record/apply-gateway-result.ts';
import type { PaymentsContext } from '../../record/context.ts';
import type { PaymentRecord } from '../../record/payment-record.ts';
import type { Reserved } from './reserved.ts';

/** An initiation that was settled: a checkout was opened, or none could be. */
export interface Initiation {
  /** `api` for a merchant's request; otherwise what resumed the payment. */
  readonly cause: Cause;
  readonly payment: PaymentRecord;
  readonly decision: Pick<Decision, 'routingMode' | 'ruleId'>;
  /** The openings, in their order. */
  readonly calls: readonly AccountCall[];
  /** From the decision to the settled payment. */
  readonly seconds: number;
  /** The part of `seconds` that gateways took. */
  readonly gatewaySeconds: number;
}

const INITIATIONS = channel('switchyard:initiation');

/** Calls `observe` after each settled initiation in this process; the returned function ends that. */
export function observeInitiations(observe: (initiation: Initiation) => void): () => void {
  const listener = (message: unknown) => observe(message as Initiation);
  INITIATIONS.subscribe(listener);
  return () => INITIATIONS.unsubscribe(listener);
}

/** Publishes a settled initiation to those who observe. Costs nothing while no one does. */
export function publishInitiation(
  { initiateBudgetMs }: Pick<PaymentsContext, 'initiateBudgetMs'>,
  { cause, decision, deadline }: Reserved,
  payment: PaymentRecord,
  calls: readonly AccountCall[],
): void {
  if (!INITIATIONS.hasSubscribers) return;
  const milliseconds = performance.now() - (deadline - initiateBudgetMs);
  const gatewayMs = calls.reduce((sum, { outcome }) => sum + outcome.call.latencyMs, 0);
  const seconds = milliseconds / 1_000;
  INITIATIONS.publish({
    cause,
    payment,
    decision,
    calls,
    seconds,
    gatewaySeconds: gatewayMs / 1_000,
  } satisfies Initiation);
}

/** The `traceparent` of the request that began a payment; null where it was not traced, or there is no such payment. */
export async function findPaymentTrace(
  database: Database,
  { merchantId, paymentId }: { readonly merchantId: string; readonly paymentId: string },
): Promise<string | null> {
  const { rows } = await database.pool.query<{ traceparent: string | null }>({
    name: 'find-payment-trace',
    text: `SELECT detail->>'traceparent' AS traceparent FROM timeline_event
      WHERE merchant_id = $1 AND payment_id = $2 AND type = 'payment.initiated' ORDER BY created_at, id LIMIT 1`,
    values: [merchantId, paymentId],
  });
  return rows[0]?.traceparent ?? null;
}
