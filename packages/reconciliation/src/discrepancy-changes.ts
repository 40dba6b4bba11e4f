import type { DiscrepancyState, Prisma } from '@switchyard/db/client';
import type { ReconciliationContext } from './context.ts';

/*
 * Changes that people make to a discrepancy, whatever it was found in: note, assign, close and reopen.
 */

/** The discrepancy to change, and the actor. */
export interface DiscrepancyCommand {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of changing a discrepancy, or the reason why it was refused. */
export type DiscrepancyOutcome =
  | { readonly kind: 'changed' }
  /** Already in that state. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** How a discrepancy is closed: corrected, or explained with nothing to do. */
export interface Resolution {
  readonly as: 'RESOLVED' | 'EXPLAINED';
  readonly why: string;
}

/** Columns that people change. */
export interface ChangedColumns {
  readonly ownerId?: string | null;
  readonly note?: string | null;
  readonly state?: DiscrepancyState;
  readonly resolvedBy?: string | null;
  readonly resolvedAt?: Date | null;
  readonly resolution?: string | null;
}

/** A discrepancy as far as changes look at it. */
interface ChangedRow {
  readonly state: DiscrepancyState;
  readonly ownerId: string | null;
  readonly note: string | null;
  readonly resolvedBy: string | null;
  readonly resolution: string | null;
}

/** The table of discrepancies that are changed. */
interface ChangedTable<Row extends ChangedRow> {
  /** Beginning of its actions in the audit log. */
  readonly actions: 'reconciliation' | 'settlements';
  /** The discrepancy, locked until the transaction ends; null when the merchant has none with this id. */
  lock(transaction: Prisma.TransactionClient, merchantId: string, discrepancyId: string): Promise<Row | null>;
  update(transaction: Prisma.TransactionClient, row: Row, columns: ChangedColumns): Promise<Row>;
  audit(
    context: ReconciliationContext,
    transaction: Prisma.TransactionClient,
    change: { readonly action: string; readonly actor: string; readonly before: Row; readonly after: Row },
    now: Date,
  ): Promise<void>;
}

/** Columns to change, null for none, or why it is refused. */
type Decision = ChangedColumns | { readonly refused: string } | null;

/** Decides on a locked discrepancy. */
type Decide<Row> = (before: Row, now: Date, transaction: Prisma.TransactionClient) => Decision | Promise<Decision>;

/** Why a closed discrepancy is not closed again. */
export const ALREADY_CLOSED = 'It is already closed.';
const OPEN = { state: 'OPEN', resolvedBy: null, resolvedAt: null, resolution: null } as const;

/** The changes of discrepancies of a table, each in a transaction of its own with its audit entry. */
export function changesOf<Row extends ChangedRow>(table: ChangedTable<Row>) {
  function change(
    context: ReconciliationContext,
    { merchantId, discrepancyId, actor }: DiscrepancyCommand,
    verb: string,
    decide: Decide<Row>,
  ): Promise<DiscrepancyOutcome> {
    return context.resources.database.prisma.$transaction(async (transaction): Promise<DiscrepancyOutcome> => {
      const before = await table.lock(transaction, merchantId, discrepancyId);
      if (before === null) return { kind: 'not_found' };
      const now = context.now();
      const decided = await decide(before, now, transaction);
      if (decided === null) return { kind: 'unchanged' };
      if ('refused' in decided) return { kind: 'refused', why: decided.refused };
      const after = await table.update(transaction, before, decided);
      await table.audit(context, transaction, { action: `${table.actions}.${verb}`, actor, before, after }, now);
      return { kind: 'changed' };
    });
  }

  /** With a reason, which is refused where it is empty. */
  function close(
    context: ReconciliationContext,
    command: DiscrepancyCommand & { readonly why: string },
    verb: string,
    decide: (before: Row, why: string, now: Date, transaction: Prisma.TransactionClient) => Decision | Promise<Decision>,
  ): Promise<DiscrepancyOutcome> {
    const why = command.why.trim();
    if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
    return change(context, command, verb, (before, now, transaction) => decide(before, why, now, transaction));
  }

  function resolveWhere(
    context: ReconciliationContext,
    command: DiscrepancyCommand & Resolution,
    isResolvable: (before: Row) => boolean,
  ): Promise<DiscrepancyOutcome> {
    const { as, actor } = command;
    return close(context, command, as.toLowerCase(), (before, why, now) => {
      if (before.state === as && before.resolution === why && before.resolvedBy === actor) return null;
      if (!isResolvable(before)) return { refused: ALREADY_CLOSED };
      return { state: as, resolvedBy: actor, resolvedAt: now, resolution: why };
    });
  }

  return {
    close,
    /** Sets the owner's note; null removes it. */
    note(context: ReconciliationContext, command: DiscrepancyCommand & { readonly note: string | null }) {
      const note = command.note?.trim() || null;
      return change(context, command, 'noted', (before) => (before.note === note ? null : { note }));
    },
    /** Assigns a discrepancy to an owner, or to no one with null. The caller checks that the owner has access. */
    assign(context: ReconciliationContext, command: DiscrepancyCommand & { readonly ownerId: string | null }) {
      const { ownerId } = command;
      return change(context, command, 'assigned', (before) => (before.ownerId === ownerId ? null : { ownerId }));
    },
    /** Resolves a discrepancy with a reason; one that is closed gets this reason instead. */
    resolve: (context: ReconciliationContext, command: DiscrepancyCommand & Resolution) =>
      resolveWhere(context, command, () => true),
    /** Resolves a discrepancy that is still open, so that no colleague's reason is replaced. */
    resolveOpen: (context: ReconciliationContext, command: DiscrepancyCommand & Resolution) =>
      resolveWhere(context, command, ({ state }) => state === 'OPEN'),
    /** Reopens a closed discrepancy; its note and owner stay. */
    reopen: (context: ReconciliationContext, command: DiscrepancyCommand) =>
      change(context, command, 'reopened', (before) => (before.state === 'OPEN' ? null : OPEN)),
  };
}

/** Result for one of several discrepancies. */
export interface BulkResult {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `failed`: it is as it was, and can be tried again. */
  readonly outcome: DiscrepancyOutcome | { readonly kind: 'failed' };
}

const FAILED = { kind: 'failed' } as const;

/**
 * Changes each discrepancy in a transaction of its own, so that one that is refused or fails takes nothing from the others. After a
 * failure the rest are not tried: they are `failed` too. Results are in the order of the discrepancies.
 */
export async function changeEach(
  context: ReconciliationContext,
  { keys, actor }: { readonly keys: readonly Omit<DiscrepancyCommand, 'actor'>[]; readonly actor: string },
  changeOne: (command: DiscrepancyCommand) => Promise<DiscrepancyOutcome>,
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const { merchantId, discrepancyId } of keys) {
    const isStopped = results.at(-1)?.outcome.kind === 'failed';
    const outcome = isStopped ? FAILED : await changeOne({ merchantId, discrepancyId, actor }).catch(reportFailure);
    results.push({ merchantId, discrepancyId, outcome });
  }
  return results;

  function reportFailure(error: unknown) {
    context.onError(error, 'changing discrepancies');
    return FAILED;
  }
}
