import type { OpenAccount } from '@switchyard/runtime';
import type { ReconciliationContext } from './context.ts';
import { dayOf, RECONCILIATION_ZONE } from './days.ts';
import type { Comparison, Ledger } from './ledger.ts';
import { readLedger, readNeighbouringDays, readStatement, StatementUnreadable } from './read-ledger.ts';
import { reconcile } from './reconcile.ts';
import { advanceReconciliationRun, failReconciliationRun, type LockedRun, lockReconciliationRun } from './runs-queries.ts';
import { writeComparison } from './write-comparison.ts';

const LEASE_MS = 5 * 60_000;
/** More than this points to the statement of another account. */
const DISCREPANCIES_MAX = 10_000;

/** One account's day. */
export interface DayKey {
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
