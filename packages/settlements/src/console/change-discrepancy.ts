import type { DiscrepancyState, Prisma, SettlementDiscrepancy } from '@switchyard/db/client';
import { auditDiscrepancy } from '../audit.ts';
import type { SettlementContext } from '../context.ts';

/** The discrepancy to change, and the actor. */
export interface SettlementDiscrepancyCommand {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of changing a discrepancy, or the reason why it was refused. */
export type SettlementDiscrepancyOutcome =
  | { readonly kind: 'changed' }
  /** Already in that state. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Sets the note; null removes it. */
export function noteSettlementDiscrepancy(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand & { readonly note: string | null },
): Promise<SettlementDiscrepancyOutcome> {
  const note = command.note?.trim() || null;
  return change(context, command, 'settlements.noted', (before) => (before.note === note ? null : { note }));
}

/** Assigns a discrepancy to an owner, or to no one with null. The caller checks that the owner has access. */
export function assignSettlementDiscrepancy(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand & { readonly ownerId: string | null },
): Promise<SettlementDiscrepancyOutcome> {
  const { ownerId } = command;
  return change(context, command, 'settlements.assigned', (before) => (before.ownerId === ownerId ? null : { ownerId }));
}

/** How a discrepancy is closed: corrected, or explained with nothing to do. */
export interface Resolution {
  readonly as: 'RESOLVED' | 'EXPLAINED';
  readonly why: string;
}

/** Resolves a discrepancy with a reason; one that is closed gets this reason instead. */
export function resolveSettlementDiscrepancy(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand & Resolution,
): Promise<SettlementDiscrepancyOutcome> {
  return resolveWhere(context, command, () => true);
}

/** Resolves a discrepancy that is still open, so that no colleague's reason is replaced. */
export function resolveOpenSettlementDiscrepancy(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand & Resolution,
): Promise<SettlementDiscrepancyOutcome> {
  return resolveWhere(context, command, ({ state }) => state === 'OPEN');
}

function resolveWhere(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand & Resolution,
  isResolvable: (before: SettlementDiscrepancy) => boolean,
): Promise<SettlementDiscrepancyOutcome> {
  const why = command.why.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
  const action = command.as === 'RESOLVED' ? 'settlements.resolved' : 'settlements.explained';
  return change(context, command, action, (before, now) => {
    const isSame = before.state === command.as && before.resolution === why && before.resolvedBy === command.actor;
    if (isSame) return null;
    if (!isResolvable(before)) return { refused: 'It is already closed.' };
    return { state: command.as, resolvedBy: command.actor, resolvedAt: now, resolution: why };
  });
}

/** Reopens a closed discrepancy; its note and owner stay. */
export function reopenSettlementDiscrepancy(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand,
): Promise<SettlementDiscrepancyOutcome> {
  const open = { state: 'OPEN', resolvedBy: null, resolvedAt: null, resolution: null } as const;
  return change(context, command, 'settlements.reopened', (before) => (before.state === 'OPEN' ? null : open));
}

interface DiscrepancyChange {
  readonly ownerId?: string | null;
  readonly note?: string | null;
  readonly state?: DiscrepancyState;
  readonly resolvedBy?: string | null;
  readonly resolvedAt?: Date | null;
  readonly resolution?: string | null;
}

/** A change, null for none, or why it is refused. */
type Decision = DiscrepancyChange | { readonly refused: string } | null;

function change(
  context: SettlementContext,
  { merchantId, discrepancyId, actor }: SettlementDiscrepancyCommand,
  action: string,
  decide: (before: SettlementDiscrepancy, now: Date) => Decision,
): Promise<SettlementDiscrepancyOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<SettlementDiscrepancyOutcome> => {
    const before = await lockDiscrepancy(transaction, merchantId, discrepancyId);
    if (before === null) return { kind: 'not_found' };
    const now = context.now();
    const decided = decide(before, now);
    if (decided === null) return { kind: 'unchanged' };
    if ('refused' in decided) return { kind: 'refused', why: decided.refused };
    const where = { merchantId_id: { merchantId, id: discrepancyId } };
    const after = await transaction.settlementDiscrepancy.update({ where, data: decided });
    await auditDiscrepancy(context, transaction, { action, actor, before, after }, now);
    return { kind: 'changed' };
  });
}

async function lockDiscrepancy(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  id: string,
): Promise<SettlementDiscrepancy | null> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM settlement_discrepancy WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  if (locked.length === 0) return null;
  return transaction.settlementDiscrepancy.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

/** A change of several discrepancies. */
export type SettlementBulkChange =
  | { readonly kind: 'assign'; readonly ownerId: string | null }
  | { readonly kind: 'note'; readonly note: string | null }
  /** Only those that are open. */
  | { readonly kind: 'resolve'; readonly as: 'RESOLVED' | 'EXPLAINED'; readonly why: string }
  | { readonly kind: 'reopen' };

/** Result for one of them. */
export interface SettlementBulkResult {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `failed`: it is as it was, and can be tried again. */
  readonly outcome: SettlementDiscrepancyOutcome | { readonly kind: 'failed' };
}

/**
 * Changes each discrepancy in a transaction of its own, so that one that is refused or fails takes nothing from the others. After a
 * failure the rest are not tried: they are `failed` too. Results are in the order of the discrepancies.
 */
export async function changeSettlementDiscrepancies(
  context: SettlementContext,
  {
    keys,
    change,
    actor,
  }: {
    readonly keys: readonly Pick<SettlementDiscrepancyCommand, 'merchantId' | 'discrepancyId'>[];
    readonly change: SettlementBulkChange;
    readonly actor: string;
  },
): Promise<SettlementBulkResult[]> {
  const results: SettlementBulkResult[] = [];
  for (const { merchantId, discrepancyId } of keys) {
    const isStopped = results.at(-1)?.outcome.kind === 'failed';
    const command = { merchantId, discrepancyId, actor };
    const outcome = isStopped ? FAILED : await changeOne(context, command, change).catch(reportFailure);
    results.push({ merchantId, discrepancyId, outcome });
  }
  return results;

  function reportFailure(error: unknown) {
    context.onError(error, 'changing discrepancies of settlements');
    return FAILED;
  }
}

const FAILED = { kind: 'failed' } as const;

function changeOne(
  context: SettlementContext,
  command: SettlementDiscrepancyCommand,
  change: SettlementBulkChange,
): Promise<SettlementDiscrepancyOutcome> {
  switch (change.kind) {
    case 'assign':
      return assignSettlementDiscrepancy(context, { ...command, ownerId: change.ownerId });
    case 'note':
      return noteSettlementDiscrepancy(context, { ...command, note: change.note });
    case 'resolve':
      return resolveOpenSettlementDiscrepancy(context, { ...command, as: change.as, why: change.why });
    case 'reopen':
      return reopenSettlementDiscrepancy(context, command);
    default:
      return change satisfies never;
  }
}
