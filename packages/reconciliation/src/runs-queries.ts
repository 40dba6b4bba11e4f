import type { Database, JsonValue } from '@switchyard/db';
import { enqueueJob } from '@switchyard/db';
import type { Mode, Prisma, ReconciliationRun } from '@switchyard/db/client';
import { dateOf } from '@switchyard/runtime/calendar-days';

/** One account's day. */
export interface ReconciliationDay {
  readonly merchantId: string;
  readonly accountId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** A run to store, in state QUEUED. */
export interface NewReconciliationRun extends ReconciliationDay {
  readonly runId: string;
  readonly mode: Mode;
  readonly gateway: string;
  readonly zone: string;
}

/**
 * Requests reconciliation of an account's day, inside the caller's transaction: the run row and its job. A day that is queued or
 * running already stays unchanged.
 */
export async function requestReconciliation(
  transaction: Prisma.TransactionClient,
  { runId, ...run }: NewReconciliationRun,
  now: Date,
): Promise<ReconciliationRun> {
  const { merchantId, accountId, day: text } = run;
  const day = dateOf(text);
  const request = { state: 'QUEUED', requestedAt: now } as const;
  await transaction.reconciliationRun.createMany({ data: [{ ...run, ...request, id: runId, day }], skipDuplicates: true });
  const idle = { OR: [{ state: { in: ['DONE' as const, 'FAILED' as const] } }, { leasedUntil: { lt: now } }] };
  await transaction.reconciliationRun.updateMany({ where: { merchantId, accountId, day, ...idle }, data: request });
  const key = { merchantId, accountId, day: text };
  await enqueueJob(transaction, 'reconcile-day', key, { key: `reconcile-day:${accountId}:${text}` });
  return transaction.reconciliationRun.findUniqueOrThrow({ where: { merchantId_accountId_day: { merchantId, accountId, day } } });
}

/** A leased run; every write checks the lease, so that an expired one writes nothing. */
export interface LockedRun extends ReconciliationDay {
  readonly runId: string;
  readonly leasedUntil: Date;
}

/** Leases a day for reconciliation; null while another process has it, or when none was requested. */
export async function lockReconciliationRun(
  database: Database,
  key: ReconciliationDay,
  { now, leaseMs }: { readonly now: Date; readonly leaseMs: number },
): Promise<LockedRun | null> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const { merchantId, accountId, day } = key;
  const rows = await database.prisma.$queryRaw<{ id: string }[]>`
    UPDATE reconciliation_run SET state = 'RUNNING', leased_until = ${leasedUntil}, started_at = ${now}, rows_read = 0,
      attempts = attempts + 1, failure = NULL
    WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND day = ${day}::date
      AND (state <> 'RUNNING' OR leased_until < ${now})
    RETURNING id`;
  const [row] = rows;
  return row === undefined ? null : { ...key, runId: row.id, leasedUntil };
}

/** Records a run's progress and renews its lease. Null when the caller no longer holds it. */
export async function advanceReconciliationRun(
  database: Database,
  held: LockedRun,
  { rowsRead, now, leaseMs }: { readonly rowsRead: number; readonly now: Date; readonly leaseMs: number },
): Promise<LockedRun | null> {
  const leasedUntil = new Date(now.getTime() + leaseMs);
  const { count } = await database.prisma.reconciliationRun.updateMany({
    where: whereLeased(held),
    data: { rowsRead, leasedUntil },
  });
  return count === 0 ? null : { ...held, leasedUntil };
}

/** Ends a failed run with the reason in one sentence. Results of an earlier run stay. */
export async function failReconciliationRun(database: Database, held: LockedRun, failure: string): Promise<void> {
  await database.prisma.reconciliationRun.updateMany({
    where: whereLeased(held),
    data: { state: 'FAILED', failure, leasedUntil: null },
  });
}

/** Completes a run inside the transaction that writes its results; false when the caller no longer holds it. */
export async function completeReconciliationRun(
  transaction: Prisma.TransactionClient,
  held: LockedRun,
  totals: JsonValue,
  now: Date,
): Promise<boolean> {
  const { count } = await transaction.reconciliationRun.updateMany({
    where: whereLeased(held),
    data: {
      state: 'DONE',
      failure: null,
      leasedUntil: null,
      comparedAt: now,
      totals: JSON.parse(JSON.stringify(totals)),
    },
  });
  return count === 1;
}

function whereLeased({ merchantId, runId, leasedUntil }: LockedRun): Prisma.ReconciliationRunWhereInput {
  return { merchantId, id: runId, state: 'RUNNING', leasedUntil };
}

/** A day of an account as far as it was reconciled. */
export interface ReconciledDay extends Pick<ReconciliationRun, 'accountId' | 'day' | 'state' | 'comparedAt' | 'requestedAt'> {
  /** True if a discrepancy of it is open that is about a payment or refund of ours: correcting ours closes it. */
  readonly hasOpen: boolean;
}

/** When each day of a merchant's accounts was last reconciled, or requested, since a day. */
export function readReconciledDays(database: Database, merchantId: string, since: string): Promise<ReconciledDay[]> {
  return database.prisma.$queryRaw`
    SELECT run.account_id AS "accountId", run.day, run.state::text AS state, run.compared_at AS "comparedAt",
      run.requested_at AS "requestedAt", EXISTS (
        SELECT FROM reconciliation_discrepancy AS found
        WHERE found.merchant_id = run.merchant_id AND found.account_id = run.account_id AND found.day = run.day
          AND found.state = 'OPEN' AND (found.payment_id IS NOT NULL OR found.refund_id IS NOT NULL)) AS "hasOpen"
    FROM reconciliation_run AS run WHERE run.merchant_id = ${merchantId}::uuid AND run.day >= ${since}::date LIMIT ${RUNS_MAX}`;
}

const RUNS_MAX = 20_000;

/** A run with its discrepancies counted by state. */
export interface ListedRun extends ReconciliationRun {
  readonly open: number;
  readonly closed: number;
}

/** Selects runs of one mode; a null field matches all. */
export interface RunFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly accountId: string | null;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string | null;
  readonly to: string | null;
}

/** The last run of the previous page. */
export interface RunKey {
  readonly day: string;
  readonly runId: string;
}

/** Runs across merchants, the latest day first. */
export async function readReconciliationRuns(
  database: Database,
  filter: RunFilter,
  after: RunKey | null,
  limit: number,
): Promise<ListedRun[]> {
  const { accountId, from, to } = filter;
  const rows = await database.prisma.reconciliationRun.findMany({
    where: {
      merchantId: { in: [...filter.merchantIds] },
      mode: filter.mode,
      ...(accountId !== null && { accountId }),
      day: { ...(from !== null && { gte: dateOf(from) }), ...(to !== null && { lte: dateOf(to) }) },
      ...(after !== null && { OR: [{ day: { lt: dateOf(after.day) } }, { day: dateOf(after.day), id: { lt: after.runId } }] }),
    },
    orderBy: [{ day: 'desc' }, { id: 'desc' }],
    take: limit,
  });
  if (rows.length === 0) return [];
  const counts = await database.prisma.$queryRaw<{ accountId: string; day: Date; open: number; closed: number }[]>`
    SELECT account_id AS "accountId", day, (count(*) FILTER (WHERE state = 'OPEN'))::int AS open,
      (count(*) FILTER (WHERE state <> 'OPEN'))::int AS closed
    FROM reconciliation_discrepancy
    WHERE merchant_id = ANY (${filter.merchantIds}::uuid[]) AND mode = ${filter.mode}::mode
      AND day >= ${dayText(rows.at(-1))}::date AND day <= ${dayText(rows[0])}::date
    GROUP BY account_id, day`;
  const byDay = new Map(counts.map((row) => [`${row.accountId} ${row.day.getTime()}`, row]));
  return rows.map((row) => {
    const { open = 0, closed = 0 } = byDay.get(`${row.accountId} ${row.day.getTime()}`) ?? {};
    return { ...row, open, closed };
  });
}

function dayText(row: { readonly day: Date } | undefined): string {
  return (row?.day ?? new Date()).toISOString().slice(0, 10);
}
