import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMetrics } from './open-metrics.ts';
import type { ProcessName } from './registry.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function open(process: ProcessName) {
  return openMetrics({
    process,
    database,
    isReady: async () => true,
    ...(process === 'reporting' && { reportsPool: database.pool, replicaLagSeconds: async () => 1.5 }),
  });
}

/** Every metric of ours, of any process, with its help. */
async function describeMetrics(): Promise<Map<string, string>> {
  const described = new Map<string, string>();
  for (const process of ['web', 'worker', 'reporting'] as const) {
    const metrics = open(process);
    for (const { name, help } of await metrics.registry.getMetricsAsJSON()) described.set(name, help);
    metrics.close();
  }
  return described;
}

describe('metrics', () => {
  test('follow the naming conventions of Prometheus', async () => {
    for (const [name, help] of await describeMetrics()) {
      expect(name).toMatch(/^(switchyard|process|nodejs)_[a-z0-9_]+$/);
      expect(name).not.toMatch(/_(ms|milliseconds|count|sum|bucket)$/);
      if (name.startsWith('switchyard_')) expect(help).toMatch(/^[A-Z0-9].*\.$/);
    }
  });

  test('are all in docs/metrics.md, which lists no other', async () => {
    const page = readFileSync(new URL('../../../../docs/metrics.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(switchyard_[a-z0-9_]+)` \|/gm)].map(([, name]) => name);
    const existing = [...(await describeMetrics()).keys()].filter((name) => name.startsWith('switchyard_'));
    expect([...listed].sort()).toEqual(existing.sort());
  });

  test('of a worker include what waits in the database', async () => {
    await database.pool.query(
      "SELECT graphile_worker.add_job('send-refund', '{}'::json, run_at := now() - interval '90 seconds')",
    );
    const metrics = open('worker');
    const text = await metrics.registry.metrics();
    metrics.close();
    expect(text).toContain('switchyard_backlog_readable 1');
    expect(text).toContain('switchyard_queue_ready_jobs{task="send-refund"} 1');
    expect(Number(/switchyard_queue_oldest_seconds\{task="send-refund"\} ([\d.]+)/.exec(text)?.[1])).toBeGreaterThanOrEqual(90);
    expect(text).toContain('switchyard_payment_checks_due 0');
    expect(text).toMatch(/# EOF\n$/);
  });

  test('of a worker count jobs that are given up, and not those whose place a later one took while their process died', async () => {
    const add = "SELECT graphile_worker.add_job('answer-dispute', '{}'::json, job_key := 'endpoint')";
    await database.pool.query(add);
    await database.pool.query(
      "UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'gone', attempts = 1 WHERE key = 'endpoint'",
    );
    await database.pool.query(add);
    await database.pool.query("SELECT graphile_worker.force_unlock_workers(ARRAY['gone'])");
    await database.pool.query(
      "SELECT graphile_worker.add_job('refund-duplicate', '{}'::json, job_key := 'charge', max_attempts := 1)",
    );
    await database.pool.query(
      "UPDATE graphile_worker._private_jobs SET attempts = 1, last_error = 'refused' WHERE key = 'charge'",
    );
    const metrics = open('worker');
    const text = await metrics.registry.metrics();
    metrics.close();
    expect(text).toContain('switchyard_queue_failed_jobs{task="answer-dispute"} 0');
    expect(text).toContain('switchyard_queue_ready_jobs{task="answer-dispute"} 1');
    expect(text).toContain('switchyard_queue_failed_jobs{task="refund-duplicate"} 1');
  });

  test('that cannot be read are left out, and said to be unreadable', async () => {
    const metrics = openMetrics({
      process: 'worker',
      isReady: async () => false,
      database: {
        pool: Object.assign(Object.create(database.pool), { connect: () => Promise.reject(new Error('away')) }),
        batches: database.batches,
      },
    });
    const text = await metrics.registry.metrics();
    metrics.close();
    expect(text).toContain('switchyard_backlog_readable 0');
    expect(text).not.toMatch(/^switchyard_payment_checks_due /m);
    expect(text).toContain('switchyard_ready 0');
  });

  test('of reporting include the lag of its database', async () => {
    const metrics = open('reporting');
    expect(await metrics.registry.metrics()).toContain('switchyard_replica_lag_seconds 1.5');
    metrics.close();
  });

  test('that count exist at 0 before their first event', async () => {
    const metrics = openMetrics({
      process: 'web',
      database,
      isReady: async () => true,
      expected: { importances: ['initiate'], routes: [{ method: 'POST', route: '/v1/payments/initiate' }] },
    });
    const text = await metrics.registry.metrics();
    metrics.close();
    for (const series of [
      'switchyard_http_requests_shed_total{importance="initiate"}',
      'switchyard_http_request_duration_seconds_count{method="POST",route="/v1/payments/initiate",status="5xx"}',
      'switchyard_gateway_call_failures_total{gateway="paystack",operation="open",reason="timeout"}',
      'switchyard_webhook_deliveries_total{outcome="refused"}',
      'switchyard_webhook_deliveries_given_up_total',
      'switchyard_webhook_first_attempt_seconds_bucket{le="5"}',
      'switchyard_routing_decisions_total{routing_mode="smart",rule="none"}',
      'switchyard_initiates_total{cause="api",gateway="none",account="none",outcome="failed",reason="no_eligible_provider"}',
    ]) {
      expect(text.split('\n')).toContain(`${series} 0`);
    }
  });

  test('of jobs and recurring work exist at 0 before their first run', async () => {
    const metrics = open('worker');
    metrics.work?.expectJobs(['send-refund']);
    metrics.work?.expectRecurring('update-rollups');
    const text = await metrics.registry.metrics();
    metrics.close();
    expect(text).toContain('switchyard_jobs_total{task="send-refund",outcome="failed"} 0');
    expect(text).toContain('switchyard_recurring_runs_total{name="update-rollups",outcome="failed"} 0');
    expect(text).toContain('switchyard_job_duration_seconds_count{task="send-refund"} 0');
  });

  test('of requests have the class of the status, and never an unknown method', async () => {
    const metrics = open('web');
    metrics.http?.answered({ method: 'POST', route: '/v1/payments/initiate', status: 200, seconds: 0.2 });
    metrics.http?.answered({ method: 'BREW', route: '/v1/{other}', status: null, seconds: 0.2 });
    const text = await metrics.registry.metrics();
    metrics.close();
    expect(text).toContain(
      'switchyard_http_request_duration_seconds_count{method="POST",route="/v1/payments/initiate",status="2xx"} 1',
    );
    expect(text).toContain('switchyard_http_request_duration_seconds_count{method="other",route="/v1/{other}",status="gone"} 1');
  });
});
