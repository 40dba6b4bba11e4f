import type { Prisma, ReconciliationDiscrepancy } from '@switchyard/db/client';
import { auditDiscrepancy } from './audit.ts';
import type { ReconciliationContext } from './context.ts';
import { type DiscrepancyChange, lockDiscrepancy, readDiscrepancyAmount, updateDiscrepancy } from './discrepancies-queries.ts';
import { exceeds, lockTolerance } from './tolerance.ts';

/** The discrepancy to change, and the actor. */
interface DiscrepancyCommand {
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

/** Sets the owner's note; null removes it. */
export function addDiscrepancyNote(
  context: ReconciliationContext,
  command: DiscrepancyCommand & { readonly note: string | null },
): Promise<DiscrepancyOutcome> {
  const note = command.note?.trim() || null;
  return change(context, command, 'reconciliation.noted', (before) => (before.note === note ? null : { note }));
}

/** Assigns a discrepancy to an owner, or to no one with null. The caller checks that the owner has access. */
export function assignDiscrepancy(
  context: ReconciliationContext,
  command: DiscrepancyCommand & { readonly ownerId: string | null },
): Promise<DiscrepancyOutcome> {
  const { ownerId } = command;
  return change(context, command, 'reconciliation.assigned', (before) => (before.ownerId === ownerId ? null : { ownerId }));
}

/** How a discrepancy is closed: corrected, or explained with nothing to do. */
export interface Resolution {
  readonly as: 'RESOLVED' | 'EXPLAINED';
  readonly why: string;
}

/** Resolves a discrepancy with a reason; one that is closed gets this reason instead. */
export function resolveDiscrepancy(
  context: ReconciliationContext,
  command: DiscrepancyCommand & Resolution,
): Promise<DiscrepancyOutcome> {
  return resolveWhere(context, command, () => true);
}

/** Resolves a discrepancy that is still open, so that no colleague's reason is replaced. */
export function resolveOpenDiscrepancy(
  context: ReconciliationContext,
  command: DiscrepancyCommand & Resolution,
): Promise<DiscrepancyOutcome> {
  return resolveWhere(context, command, ({ state }) => state === 'OPEN');
}

function resolveWhere(
  context: ReconciliationContext,
  command: DiscrepancyCommand & Resolution,
  isResolvable: (before: ReconciliationDiscrepancy) => boolean,
): Promise<DiscrepancyOutcome> {
  const why = command.why.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
  const action = command.as === 'RESOLVED' ? 'reconciliation.resolved' : 'reconciliation.explained';
  return change(context, command, action, (before) => {
    const isSame = before.state === command.as && before.resolution === why && before.resolvedBy === command.actor;
    if (isSame) return null;
    return isResolvable(before) ? { resolution: { state: command.as, by: command.actor, why } } : { refused: ALREADY_CLOSED };
  });
}

const ALREADY_CLOSED = 'It is already closed.';

/** Reopens a resolved discrepancy; its note and owner stay. */
export function reopenDiscrepancy(context: ReconciliationContext, command: DiscrepancyCommand): Promise<DiscrepancyOutcome> {
  return change(context, command, 'reconciliation.reopened', (before) => (before.state === 'OPEN' ? null : { resolution: null }));
}

/**
 * Accepts an amount that differs by no more than the merchant's tolerance: closes the discrepancy as explained, with the reason and
 * the tolerance. Payments, refunds and the ledger stay as they are.
 */
export function acceptDiscrepancy(
  context: ReconciliationContext,
  command: DiscrepancyCommand & { readonly why: string },
): Promise<DiscrepancyOutcome> {
  const why = command.why.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
  return change(context, command, 'reconciliation.accepted', async (before, transaction) => {
    if (before.state !== 'OPEN') return { refused: ALREADY_CLOSED };
    if (before.kind !== 'AMOUNT') return { refused: 'Only a different amount can be accepted within a tolerance.' };
    const tolerance = await lockTolerance(transaction, before.merchantId);
    const amount = await readDiscrepancyAmount(transaction, before);
    if (exceeds(amount, tolerance)) return { refused: `A difference of ${amount} exceeds the tolerance of ${tolerance}.` };
    const reason = `Difference of ${amount} accepted within the tolerance of ${tolerance}: ${why}`;
    return { resolution: { state: 'EXPLAINED', by: command.actor, why: reason } };
  });
}

/** A change, null for none, or why it is refused. */
type Decision = DiscrepancyChange | { readonly refused: string } | null;

function change(
  context: ReconciliationContext,
  { merchantId, discrepancyId, actor }: DiscrepancyCommand,
  action: string,
  decide: (before: ReconciliationDiscrepancy, transaction: Prisma.TransactionClient) => Decision | Promise<Decision>,
): Promise<DiscrepancyOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<DiscrepancyOutcome> => {
    const before = await lockDiscrepancy(transaction, merchantId, discrepancyId);
    if (before === null) return { kind: 'not_found' };
    const decided = await decide(before, transaction);
    if (decided === null) return { kind: 'unchanged' };
    if ('refused' in decided) return { kind: 'refused', why: decided.refused };
    const now = context.now();
    const after = await updateDiscrepancy(transaction, before, decided, now);
    await auditDiscrepancy(context, transaction, { action, actor, before, after }, now);
    return { kind: 'changed' };
  });
}

/** A change of several discrepancies. */
type BulkChange =
  | { readonly kind: 'assign'; readonly ownerId: string | null }
  | { readonly kind: 'resolve'; readonly as: 'RESOLVED' | 'EXPLAINED'; readonly why: string }
  /** Only amounts that differ by no more than the merchant's tolerance. */
  | { readonly kind: 'accept'; readonly why: string };

/** Result for one of them. */
export interface BulkResult {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `failed`: it is as it was, and can be tried again. */
  readonly outcome: DiscrepancyOutcome | { readonly kind: 'failed' };
}

type Key = Pick<DiscrepancyCommand, 'merchantId' | 'discrepancyId'>;

/**
 * Changes each discrepancy in a transaction of its own, so that one that is refused or fails takes nothing from the others. After a
 * failure the rest are not tried: they are `failed` too. Results are in the order of the discrepancies.
 */
export async function changeDiscrepancies(
  context: ReconciliationContext,
  { keys, change, actor }: { readonly keys: readonly Key[]; readonly change: BulkChange; readonly actor: string },
): Promise<BulkResult[]> {
  const results: BulkResult[] = [];
  for (const { merchantId, discrepancyId } of keys) {
    const isStopped = results.at(-1)?.outcome.kind === 'failed';
    const command = { merchantId, discrepancyId, actor };
    const outcome = isStopped ? FAILED : await changeOne(context, command, change).catch(reportFailure);
    results.push({ merchantId, discrepancyId, outcome });
  }
  return results;

  function reportFailure(error: unknown) {
    context.onError(error, 'changing discrepancies');
    return FAILED;
  }
}

const FAILED = { kind: 'failed' } as const;

function changeOne(context: ReconciliationContext, command: DiscrepancyCommand, change: BulkChange): Promise<DiscrepancyOutcome> {
  switch (change.kind) {
    case 'assign':
      return assignDiscrepancy(context, { ...command, ownerId: change.ownerId });
    case 'resolve':
      return resolveOpenDiscrepancy(context, { ...command, as: change.as, why: change.why });
    case 'accept':
      return acceptDiscrepancy(context, { ...command, why: change.why });
    default:
      return change satisfies never;
  }
}
