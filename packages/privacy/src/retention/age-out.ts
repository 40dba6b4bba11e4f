import { ageOutAlerts } from '@switchyard/alerts/retention';
import { type Database, NIL_ID } from '@switchyard/db';
import type { RetentionProgress } from '@switchyard/db/client';
import { ageOutFailedJobs } from '@switchyard/db/process';
import { ageOutApiRequests } from '@switchyard/merchants/request-log';
import {
  ageOutGatewayCalls,
  ageOutGatewayWebhooks,
  ageOutRefusedWebhooks,
  deleteExpiredIdempotencyRecords,
  EXPIRED_BATCH,
} from '@switchyard/payments/retention';
import { ageOutGatewayCodes, ageOutHealthCounts, ageOutHealthEvents } from '@switchyard/provider-health';
import { ageOutCanaryUnits } from '@switchyard/rule-sets/canary-rows';
import { ageOutHoldoutCustomers } from '@switchyard/rule-sets/holdout-rows';
import { ageOutShadowRuns } from '@switchyard/rule-sets/shadow';
import { ageOutReportFiles } from '@switchyard/scheduled-reports/retention';
import { ageOutSignInRecords } from '@switchyard/staff/sign-in-records';
import { ageOutDeliveries } from '@switchyard/webhooks/retention';
import type { PrivacyContext } from '../context.ts';
import { cutOff, effectiveDays, readMerchantIds, readProgress, readSettings, writeProgress } from './change-retention.ts';
import { RETENTION_KINDS, RETENTION_LIMITS, type RetentionKind } from './kinds.ts';

const BATCH = 1_000;
/** Between two batches, for the work of payments. */
const PAUSE_MS = 10;
/** Time of one call; what is left continues with the next call. Short, because a stopping process waits for it. */
const BUDGET_MS = 5_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Result of one batch. */
interface Batch {
  readonly removed: number;
  readonly isDone: boolean;
  readonly cursor: string | null;
  readonly held: string[];
}

/** Limits of a run, for tests. */
export interface AgeOutOptions {
  readonly batch?: number;
  readonly budgetMs?: number;
}

/**
 * Removes data that is older than its setting, in batches of short transactions that wait for no lock, for at most five seconds. Each
 * kind of each merchant is looked through once an hour; what a call leaves, or what a process that died had left, the next call
 * continues. Returns how many rows were removed.
 */
export async function ageOut(context: PrivacyContext, options: AgeOutOptions = {}): Promise<number> {
  const { database } = context.resources;
  const until = performance.now() + (options.budgetMs ?? BUDGET_MS);
  const [merchantIds, settings, known] = await Promise.all([
    readMerchantIds(database),
    readSettings(database.prisma),
    readProgress(database),
  ]);
  const progressOf = new Map(known.map((one) => [`${one.kind} ${one.merchantId}`, one]));
  let removed = 0;
  for (const kind of RETENTION_KINDS) {
    // Webhooks to addresses that were never issued, and incidents and reports of the workspace, are under the nil UUID.
    const owners = RETENTION_LIMITS[kind].of === 'workspace' ? [NIL_ID] : [...merchantIds, NIL_ID];
    for (const merchantId of owners) {
      const progress = progressOf.get(`${kind} ${merchantId}`) ?? begin(merchantId, kind);
      if (!isDue(kind, progress, context.now())) continue;
      const { days } = effectiveDays(settings, merchantId, kind);
      const run = { kind, progress, before: cutOff(context.now(), days), batch: options.batch ?? BATCH, until };
      removed += await runToEnd(context, run);
      if (performance.now() >= until) return removed;
    }
  }
  return removed;
}

function begin(merchantId: string, kind: RetentionKind): RetentionProgress {
  const nothing = { removedInRun: 0, removedLastRun: 0, removedInAll: 0n };
  return { merchantId, kind, cursor: null, held: [], ...nothing, lastRunAt: null };
}

/** Expired idempotency records come by the thousand a minute; everything else can wait an hour. */
function isDue(kind: RetentionKind, { lastRunAt }: RetentionProgress, now: Date): boolean {
  const everyMs = kind === 'idempotency_records' ? MINUTE_MS : HOUR_MS;
  return lastRunAt === null || now.getTime() - lastRunAt.getTime() >= everyMs;
}

interface Run {
  readonly kind: RetentionKind;
  readonly progress: RetentionProgress;
  readonly before: Date;
  readonly batch: number;
  readonly until: number;
}

/** Runs batches of one kind of one owner until nothing is left or the time is up. Progress is stored after each batch. */
async function runToEnd(context: PrivacyContext, { kind, progress, before, batch, until }: Run): Promise<number> {
  const { database } = context.resources;
  let current = progress;
  let removed = 0;
  for (;;) {
    const done = await runBatch(context, kind, current, before, batch);
    removed += done.removed;
    const inRun = current.removedInRun + done.removed;
    const inAll = current.removedInAll + BigInt(done.removed);
    current = { ...current, cursor: done.cursor, held: done.held, removedInRun: inRun, removedInAll: inAll };
    if (done.isDone) current = { ...current, removedInRun: 0, removedLastRun: inRun, lastRunAt: context.now() };
    await writeProgress(database, current);
    if (done.isDone || performance.now() >= until) return removed;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function runBatch(
  context: PrivacyContext,
  kind: RetentionKind,
  progress: RetentionProgress,
  before: Date,
  limit: number,
): Promise<Batch> {
  const { database } = context.resources;
  const { merchantId } = progress;
  switch (kind) {
    case 'gateway_calls':
      return clearCalls(database, progress, before, limit);
    case 'gateway_webhooks':
      return counted(ageOutGatewayWebhooks(database, merchantId, before, limit), limit);
    case 'refused_webhooks':
      return counted(ageOutRefusedWebhooks(database, merchantId, before, limit), limit);
    case 'webhook_deliveries':
      return counted(ageOutDeliveries(database, merchantId, before, limit), limit);
    case 'health_counts':
      return counted(ageOutCounts(database, before, limit), limit);
    case 'health_events':
      return counted(ageOutHealthEvents(database, merchantId, before, limit), limit);
    case 'alerts':
      return counted(ageOutAlerts(database, merchantId, before, limit), limit);
    case 'shadow_drafts':
      return counted(ageOutShadowRuns(database, merchantId, before, limit), limit);
    case 'canary_customers':
      return counted(ageOutTried(database, merchantId, before, limit), limit);
    case 'report_files':
      return counted(ageOutReportFiles(database, merchantId, before, limit), limit);
    case 'sign_in_records':
      return counted(ageOutSignInRecords(database, before, limit), limit);
    case 'failed_jobs':
      return counted(ageOutFailedJobs(database, before, limit), limit);
    case 'api_requests':
      return counted(ageOutApiRequests(database, merchantId, before, limit), limit);
    case 'idempotency_records':
      return counted(deleteExpiredIdempotencyRecords(context), EXPIRED_BATCH);
    default:
      return kind satisfies never;
  }
}

async function clearCalls(database: Database, progress: RetentionProgress, before: Date, limit: number): Promise<Batch> {
  const { merchantId, cursor, held } = progress;
  const cleared = await ageOutGatewayCalls(database, merchantId, { cursor, held }, before, limit);
  return { ...cleared, held: [...cleared.held] };
}

/** A batch of rows that are gone once they are removed: fewer than the limit means that none is left. */
async function counted(removing: Promise<number>, limit: number): Promise<Batch> {
  const removed = await removing;
  return { removed, isDone: removed < limit, cursor: null, held: [] };
}

/** Customers of canaries that have ended, then those who counted in a month that is over. */
async function ageOutTried(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const units = await ageOutCanaryUnits(database, merchantId, before, limit);
  return units >= limit ? units : units + (await ageOutHoldoutCustomers(database, merchantId, before, limit - units));
}

/** Counts of calls to gateways, and of the error codes that they gave. */
async function ageOutCounts(database: Parameters<typeof ageOutHealthCounts>[0], before: Date, limit: number): Promise<number> {
  const calls = await ageOutHealthCounts(database, before, limit);
  return calls + (calls < limit ? await ageOutGatewayCodes(database, before, limit - calls) : 0);
}
