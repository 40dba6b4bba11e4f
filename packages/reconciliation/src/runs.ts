import { appendAuditEntry } from '@switchyard/db/audit';
import type { OpenAccount } from '@switchyard/runtime';
import { calendarDay, dayText, isDay } from '@switchyard/runtime/calendar-days';
import type { ReconciliationContext } from './context.ts';
import { type Day, dayOf, finishedDays, RECONCILIATION_ZONE } from './days.ts';
import type { Comparison, Ledger } from './ledger.ts';
import { readLedger, readNeighbouringDays, readStatement, StatementUnreadable } from './ledger-queries.ts';
import { reconcile } from './reconcile.ts';
import {
  advanceReconciliationRun,
  failReconciliationRun,
  type LockedRun,
  lockReconciliationRun,
  readReconciledDays,
  requestReconciliation,
} from './runs-queries.ts';
import { writeComparison } from './write-comparison.ts';

const LEASE_MS = 5 * 60_000;
/** More than this points to the statement of another account. */
const DISCREPANCIES_MAX = 10_000;

/** One account's day. */
interface DayKey {
  readonly merchantId: string;
  readonly accountId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

/** Result of a run. */
export type ReconcileOutcome =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  /** Another process has leased the run, or none was requested. */
  | { readonly kind: 'busy' }
  /** The run has the reason; nothing else was written. `again`: a retry may succeed. */
  | { readonly kind: 'failed'; readonly why: string; readonly again: boolean };

/**
 * Reconciles one account's day with the gateway's statement and stores the discrepancies. Both sides are read completely before
 * anything is written, in one transaction. Repeating it writes the same.
 */
export async function reconcileDay(context: ReconciliationContext, key: DayKey): Promise<ReconcileOutcome> {
  const { database, configuration, openAccount } = context.resources;
  const run = await lockReconciliationRun(database, key, { now: context.now(), leaseMs: LEASE_MS });
  if (run === null) return { kind: 'busy' };
  const lease = new RunLease(context, run);
  await configuration.ready();
  const known = configuration.account(key.accountId);
  try {
    const account = known === undefined ? null : openAccount(known.account);
    if (known === undefined || account === null) return fail(context, lease, 'The account has no credentials.', false);
    const { mode, gateway } = known.account;
    const comparison = await compare(context, account, key, lease);
    if (comparison.discrepancies.length > DISCREPANCIES_MAX) {
      const why = `More than ${DISCREPANCIES_MAX} discrepancies: the key may be that of another account.`;
      return fail(context, lease, why, false);
    }
    const written = await writeComparison(context, { ...key, mode, gateway }, lease.run, comparison);
    return written ? { kind: 'compared', comparison } : { kind: 'busy' };
  } catch (error) {
    if (error instanceof LostLease) return { kind: 'busy' };
    if (error instanceof StatementUnreadable) return fail(context, lease, error.message, true);
    await fail(context, lease, 'Something went wrong on our side. It is tried again.', true);
    throw error;
  }
}

async function compare(context: ReconciliationContext, account: OpenAccount, key: DayKey, lease: RunLease): Promise<Comparison> {
  const { database } = context.resources;
  const day = dayOf(key.day, RECONCILIATION_ZONE);
  const onPage = (rows: number) => lease.advance(rows);
  const statement = await readStatement(account, day, onPage);
  const ledger: Ledger = await readLedger(database, key, day, statement);
  const comparison = reconcile(statement, ledger, day);
  const missing = comparison.discrepancies.filter(({ kind }) => kind === 'MISSING_THERE');
  if (missing.length === 0) return comparison;
  const elsewhere = await readNeighbouringDays(account, day, missing, ledger, context.now(), onPage);
  return reconcile({ ...statement, elsewhere }, ledger, day);
}

/** The run has been taken over: its lease ran out. */
class LostLease extends Error {}

/** The lease on a run, renewed with every page read. */
class RunLease {
  run: LockedRun;
  private rowsRead = 0;
  private readonly context: ReconciliationContext;

  constructor(context: ReconciliationContext, run: LockedRun) {
    this.context = context;
    this.run = run;
  }

  async advance(rows: number): Promise<void> {
    this.rowsRead += rows;
    const progress = { rowsRead: this.rowsRead, now: this.context.now(), leaseMs: LEASE_MS };
    const run = await advanceReconciliationRun(this.context.resources.database, this.run, progress);
    if (run === null) throw new LostLease();
    this.run = run;
  }
}

async function fail(context: ReconciliationContext, lease: RunLease, why: string, again: boolean): Promise<ReconcileOutcome> {
  await failReconciliationRun(context.resources.database, lease.run, why);
  return { kind: 'failed', why, again };
}

const HOUR_MS = 3_600_000;
/** Statements are complete some hours after midnight. */
const FIRST_AFTER_MS = 4 * HOUR_MS;
/** Late payments and refunds are on them by then. */
const AGAIN_AFTER_MS = 72 * HOUR_MS;
/** A day with open discrepancies of our own payments is compared again as long after its last comparison. */
const OPEN_AGAIN_AFTER_MS = 24 * HOUR_MS;
/** Days back to which days are compared: missed ones after downtime, and those with open discrepancies. */
const DAYS_BACK = 7;
/** A failed job retries by itself for about this long. */
const GIVEN_UP_AFTER_MS = 12 * HOUR_MS;

/** Result of requesting a run, or the reason why it was refused. */
export type RequestOutcome =
  | { readonly kind: 'requested' }
  | { readonly kind: 'not_found' }
  /** The day is not over, or invalid. */
  | { readonly kind: 'refused'; readonly why: string };

/** Requests reconciliation of one account's finished day, for an actor. */
export async function requestDay(
  context: ReconciliationContext,
  key: DayKey & { readonly actor: string },
): Promise<RequestOutcome> {
  const { database, configuration } = context.resources;
  const { actor, ...rest } = key;
  const known = configuration.account(key.accountId);
  if (known === undefined || known.merchant.merchant.id !== key.merchantId) return { kind: 'not_found' };
  const now = context.now();
  if (!isDay(key.day)) return { kind: 'refused', why: 'There is no such day.' };
  if (key.day >= calendarDay(now, RECONCILIATION_ZONE)) return { kind: 'refused', why: 'A day is compared once it is over.' };
  const { mode, gateway } = known.account;
  await database.prisma.$transaction(async (transaction) => {
    const wanted = { ...rest, runId: context.newId(), mode, gateway, zone: RECONCILIATION_ZONE };
    const run = await requestReconciliation(transaction, wanted, now);
    const object = { objectType: 'reconciliation_run', objectId: run.id, before: null, after: { ...rest } };
    const entry = { tenantId: key.merchantId, entryId: context.newId(), actor, action: 'reconciliation.requested', ...object };
    await appendAuditEntry(transaction, context.resources.auditKeys, entry, now);
  });
  return { kind: 'requested' };
}

/**
 * Requests reconciliation of every account's due finished days: some hours after midnight, once more after three days, and daily while a
 * discrepancy of a payment of ours is open, as what corrects it closes nothing by itself. Both for a week, in which days missed during
 * downtime are caught up with. Concurrent calls request a day once. Returns how many.
 */
export async function scheduleReconciliations(context: ReconciliationContext): Promise<number> {
  const { database, configuration } = context.resources;
  await configuration.ready();
  const now = context.now();
  const days = finishedDays(now, RECONCILIATION_ZONE, DAYS_BACK);
  const since = days.at(-1)?.day;
  if (since === undefined) return 0;
  let requestCount = 0;
  for (const { merchant, accounts } of configuration.merchants()) {
    const usable = accounts.filter(({ credentials }) => credentials !== null);
    if (usable.length === 0) continue;
    const known = await readReconciledDays(database, merchant.id, since);
    const runs = new Map(known.map((run) => [`${run.accountId} ${dayText(run.day)}`, run]));
    for (const account of usable) {
      for (const day of days) {
        if (account.createdAt >= day.to || !isDue(day, runs.get(`${account.id} ${day.day}`), now)) continue;
        const wanted = {
          merchantId: merchant.id,
          accountId: account.id,
          day: day.day,
          mode: account.mode,
          gateway: account.gateway,
        };
        const request = { ...wanted, runId: context.newId(), zone: RECONCILIATION_ZONE };
        await database.prisma.$transaction((transaction) => requestReconciliation(transaction, request, now));
        requestCount += 1;
      }
    }
  }
  return requestCount;
}

type KnownRun = Awaited<ReturnType<typeof readReconciledDays>>[number];

/** True if a day of an account has to be compared now, by what is known of it. */
function isDue(day: Day, run: KnownRun | undefined, now: Date): boolean {
  const age = now.getTime() - day.to.getTime();
  if (age < FIRST_AFTER_MS) return false;
  if (run === undefined) return true;
  const waiting = run.state !== 'DONE' && now.getTime() - run.requestedAt.getTime() < GIVEN_UP_AFTER_MS;
  if (waiting) return false;
  if (run.comparedAt === null || run.state !== 'DONE') return true;
  if (age >= AGAIN_AFTER_MS && run.comparedAt.getTime() < day.to.getTime() + AGAIN_AFTER_MS) return true;
  return run.hasOpen && now.getTime() - run.comparedAt.getTime() >= OPEN_AGAIN_AFTER_MS;
}
