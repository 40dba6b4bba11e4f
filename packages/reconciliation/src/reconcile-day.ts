import type { OpenAccount } from '@switchyard/merchants';
import type { PaymentsContext } from '@switchyard/payments/context';
import { dayOf, RECONCILIATION_ZONE } from './days.ts';
import type { Comparison, Ledger } from './ledger.ts';
import { GatewayUnreadable, lookBeside, readLedger, readStatement } from './read-ledger.ts';
import { reconcile } from './reconcile.ts';
import { advanceReconciliationRun, failReconciliationRun, type LockedRun, lockReconciliationRun } from './runs-queries.ts';
import { writeComparison } from './write-comparison.ts';

const LEASE_MS = 5 * 60_000;
/** More than this is no day with differences but a list of somebody else's account. */
const DIFFERENCES_MAX = 10_000;

export interface DayKey {
  readonly merchantId: string;
  readonly accountId: string;
  /** `YYYY-MM-DD`. */
  readonly day: string;
}

export type ReconcileOutcome =
  | { readonly kind: 'compared'; readonly comparison: Comparison }
  /** Somebody else is at it, or nobody asked for it. */
  | { readonly kind: 'busy' }
  /** The run says why; nothing else was written. `again`: another try may find the gateway answering. */
  | { readonly kind: 'failed'; readonly why: string; readonly again: boolean };

/**
 * Compares one account's day with the gateway's own list, and writes what differs. Both lists are read to their ends before
 * anything is written, and all of it is written together. Doing it again writes the same.
 */
export async function reconcileDay(context: PaymentsContext, key: DayKey): Promise<ReconcileOutcome> {
  const { database, configuration, openAccount } = context.resources;
  const held = await lockReconciliationRun(database, key, { now: context.now(), leaseMs: LEASE_MS });
  if (held === null) return { kind: 'busy' };
  const hand = new Hand(context, held);
  await configuration.ready();
  const known = configuration.account(key.accountId);
  const account = known === undefined ? null : openAccount(known.account);
  if (known === undefined || account === null) return fail(context, hand, 'The account has no usable credentials.', false);
  const { mode, gateway } = known.account;
  try {
    const comparison = await compare(context, account, key, hand);
    if (comparison.differences.length > DIFFERENCES_MAX) {
      const why = `More than ${DIFFERENCES_MAX} differences: the key may be that of another account.`;
      return fail(context, hand, why, false);
    }
    const written = await writeComparison(context, { ...key, mode, gateway }, hand.held, comparison);
    return written ? { kind: 'compared', comparison } : { kind: 'busy' };
  } catch (error) {
    if (error instanceof LostRun) return { kind: 'busy' };
    if (error instanceof GatewayUnreadable) return fail(context, hand, error.message, true);
    await fail(context, hand, 'Something went wrong on our side. It is tried again.', true);
    throw error;
  }
}

async function compare(context: PaymentsContext, account: OpenAccount, key: DayKey, hand: Hand): Promise<Comparison> {
  const { database } = context.resources;
  const day = dayOf(key.day, RECONCILIATION_ZONE);
  const onPage = (rows: number) => hand.advance(rows);
  const theirs = await readStatement(account, day, onPage);
  const ours: Ledger = await readLedger(database, key, day, theirs);
  const comparison = reconcile(theirs, ours, day);
  const missing = comparison.differences.filter(({ kind }) => kind === 'MISSING_THERE');
  if (missing.length === 0) return comparison;
  const elsewhere = await lookBeside(account, day, missing, ours, context.now(), onPage);
  return reconcile({ ...theirs, elsewhere }, ours, day);
}

/** The run has been taken over: its lease ran out. */
class LostRun extends Error {}

/** The hand on a run: it moves along with every page read. */
class Hand {
  held: LockedRun;
  private rowsRead = 0;
  private readonly context: PaymentsContext;

  constructor(context: PaymentsContext, held: LockedRun) {
    this.context = context;
    this.held = held;
  }

  async advance(rows: number): Promise<void> {
    this.rowsRead += rows;
    const progress = { rowsRead: this.rowsRead, now: this.context.now(), leaseMs: LEASE_MS };
    const held = await advanceReconciliationRun(this.context.resources.database, this.held, progress);
    if (held === null) throw new LostRun();
    this.held = held;
  }
}

async function fail(context: PaymentsContext, hand: Hand, why: string, again: boolean): Promise<ReconcileOutcome> {
  await failReconciliationRun(context.resources.database, hand.held, why, context.now());
  return { kind: 'failed', why, again };
}
