import type { Database } from './connect.ts';
import type { Prisma } from './generated/client.ts';

/** Jobs by name, with what each is told. The worker has a task of the same name. */
export interface Jobs {
  /** Ask the gateway about one attempt, because something hinted that it changed. */
  'check-attempt': {
    merchantId: string;
    attemptId: string;
    cause: 'gateway_webhook' | 'schedule';
    webhookId?: string;
    /** The gateway's own id of the transaction, where somebody told us one. A hint. */
    transactionId?: string;
  };
  /** Send the events that wait for one endpoint. */
  'deliver-events': { merchantId: string; endpointId: string };
  /** Go on putting events of a period in one endpoint's queue again. */
  'resend-events': { merchantId: string; resendId: string };
  /** Compare one account's day with the gateway's own list. `day` is `YYYY-MM-DD`. */
  'reconcile-day': { merchantId: string; accountId: string; day: string };
  /** Ask the gateway for a refund that is on record. */
  'send-refund': { merchantId: string; refundId: string };
  /** A gateway's webhook spoke of a refund at an account: of one by its id there, or of those of one payment. */
  'follow-refund-webhook': { merchantId: string; webhookId: string; gatewayRefundId: string | null };
  /** Give back money that was charged a second time. */
  'refund-duplicate': { merchantId: string; duplicateChargeId: string };
}

/** Creates or updates the tables of the job queue. Safe to run at every start, by several processes at once. */
export async function migrateJobs(database: Database): Promise<void> {
  // The queue's own code is large, and a process that only adds jobs does without.
  const { runMigrations } = await import('graphile-worker');
  await runMigrations({ pgPool: database.pool });
}

/** Queues a job inside the caller's transaction. Jobs of the same key that have not begun are one job. */
export async function enqueueJob<Name extends keyof Jobs>(
  transaction: Prisma.TransactionClient,
  name: Name,
  payload: Jobs[Name],
  options: { key?: string; runAt?: Date } = {},
): Promise<void> {
  await transaction.$executeRaw`SELECT graphile_worker.add_job(
    ${name}::text, payload := ${JSON.stringify(payload)}::json, job_key := ${options.key ?? null}::text,
    run_at := ${options.runAt ?? null}::timestamptz)`;
}
