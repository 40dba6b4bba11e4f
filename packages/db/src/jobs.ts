import type { Database } from './connect.ts';
import type { Prisma } from './generated/client.ts';

/** Job payloads by job name. The worker has a task of the same name. */
export interface Jobs {
  /** Verify one attempt with its gateway, because it may have changed. */
  'check-attempt': {
    merchantId: string;
    attemptId: string;
    cause: 'gateway_webhook' | 'schedule';
    webhookId?: string;
    /** The gateway's own transaction id, where a webhook named it. A hint. */
    transactionId?: string;
  };
  /** Send the pending events of one webhook endpoint. */
  'deliver-events': { merchantId: string; endpointId: string };
  /** Continue queueing events of a period for one endpoint again. */
  'resend-events': { merchantId: string; resendId: string };
  /** Reconcile one account's day with the gateway's statement. `day` is `YYYY-MM-DD`. */
  'reconcile-day': { merchantId: string; accountId: string; day: string };
  /** Request a recorded refund from the gateway. */
  'send-refund': { merchantId: string; refundId: string };
  /** Sync the refund that a gateway webhook names, or all refunds of its payment where it names none. */
  'follow-refund-webhook': { merchantId: string; webhookId: string; gatewayRefundId: string | null };
  /** Look up the dispute that a gateway webhook names, and its payment. */
  'follow-dispute-webhook': { merchantId: string; webhookId: string; attemptId: string; gatewayDisputeId: string };
  /** Refund a duplicate charge. */
  'refund-duplicate': { merchantId: string; duplicateChargeId: string };
  /** Send what is due at one notification channel. */
  'send-notifications': { merchantId: string; channelId: string };
}

/** Creates or updates the tables of the job queue. Safe to run at every start, by several processes at once. */
export async function migrateJobs(database: Database): Promise<void> {
  // Loaded on demand: the queue's code is large, and a process that only adds jobs does not need it.
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: database.pool });
}

/**
 * Queues a job inside the caller's transaction. Jobs of the same key that have not begun are one job; those of the same queue run one
 * after the other.
 */
export async function enqueueJob<Name extends keyof Jobs>(
  transaction: Prisma.TransactionClient,
  name: Name,
  payload: Jobs[Name],
  options: { key?: string; runAt?: Date; queue?: string } = {},
): Promise<void> {
  await transaction.$executeRaw`SELECT graphile_worker.add_job(
    ${name}::text, payload := ${JSON.stringify(payload)}::json, job_key := ${options.key ?? null}::text,
    run_at := ${options.runAt ?? null}::timestamptz, queue_name := ${options.queue ?? null}::text)`;
}

const AGE_OUT_FAILED = `
SELECT id FROM graphile_worker.complete_jobs(ARRAY(
  SELECT id FROM graphile_worker.jobs
  WHERE attempts >= max_attempts AND locked_at IS NULL AND updated_at < $1 LIMIT $2))`;

/** Deletes jobs that used up all attempts before a time, at most `limit` of them. Returns how many. */
export async function ageOutFailedJobs(database: Database, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT_FAILED, [before, limit]);
  return rowCount ?? 0;
}
