import type { TestContext } from '@switchyard/runtime/testing';
import { expect, test } from 'vitest';
import { openDispatcherHarness, until } from '../testing/webhooks.ts';
import { claimDueDeliveries, settleDeliveryAttempt } from './due-deliveries-queries.ts';
import { continueResend, resendRange } from './resend-range.ts';

const harness = openDispatcherHarness();

/** A delivery that is under way, and its endpoint. */
interface UnderWay {
  readonly endpointId: string;
  /** Ends the attempt without an answer. */
  settle(): Promise<unknown>;
}

async function beginDelivery(): Promise<UnderWay> {
  const { endpointId } = await harness.webhooks.endpoint(harness.receiver.url);
  await harness.webhooks.announce(harness.context.newId(), 1);
  const { context, merchantId } = harness;
  const { database } = context;
  const startedAt = context.now();
  const claim = { now: startedAt, leaseMs: 60_000, limit: 1 };
  const [claimed] = await claimDueDeliveries(database, { merchantId, endpointId }, claim);
  if (claimed === undefined) throw new Error('nothing is due');
  const result = { startedAt, endedAt: startedAt, delivered: false, status: null, failure: 'timeout', answer: null };
  return { endpointId, settle: () => settleDeliveryAttempt(database, claimed, { ...result, retryAt: startedAt }) };
}

async function beginResend(endpointId: string): Promise<() => Promise<unknown>> {
  const { context, merchantId } = harness;
  const period = { from: new Date(0), to: new Date(context.now().getTime() + 60_000), types: [], onlyUndelivered: true };
  const begun = await resendRange(context, { merchantId, endpointId, ...period, actor: 'staff:ada' });
  if (begun.kind !== 'begun') throw new Error(begun.kind);
  return () => continueResend(context, { merchantId, resendId: begun.resendId }, () => undefined);
}

test.each(['settles a delivery', 'sends deliveries again'] as const)(
  'what %s and what disables its endpoint cannot wait for each other: both lock the endpoint first',
  async (what) => {
    const { endpointId, settle } = await beginDelivery();
    const act = what === 'settles a delivery' ? settle : await beginResend(endpointId);
    const disabling = await harness.context.database.pool.connect();
    const values = [harness.merchantId, endpointId];
    try {
      await disabling.query('BEGIN');
      await disabling.query('UPDATE webhook_endpoint SET enabled = false WHERE merchant_id = $1 AND id = $2', values);
      const acted = act();
      await Promise.race([untilWaiting(harness.context), acted.then(() => Promise.reject(new Error('it did not wait')))]);
      await disabling.query(
        "UPDATE webhook_delivery SET state = 'FAILED', due_at = NULL WHERE merchant_id = $1 AND endpoint_id = $2",
        values,
      );
      await disabling.query('COMMIT');
      await acted;
    } finally {
      disabling.release(true);
    }
    expect(await harness.webhooks.row(endpointId)).toMatchObject({ enabled: false });
  },
);

/** Waits until a statement waits for the lock of another, on whichever server. */
async function untilWaiting({ database: { pool } }: TestContext): Promise<void> {
  const { rows } = await pool.query<{ isCluster: boolean }>(`SELECT to_regclass('citus_lock_waits') IS NOT NULL AS "isCluster"`);
  const waiting = rows[0]?.isCluster
    ? 'SELECT 1 FROM citus_lock_waits'
    : "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until('a statement waits', async () => (await pool.query(waiting)).rows.length > 0);
}
