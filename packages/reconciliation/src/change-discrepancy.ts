import type { ReconciliationDiscrepancy } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';
import { auditDiscrepancy } from './audit.ts';
import { type DiscrepancyChange, lockDiscrepancy, updateDiscrepancy } from './discrepancies-queries.ts';

/** The discrepancy to change, and the actor. */
export interface DiscrepancyCommand {
  readonly merchantId: string;
  readonly discrepancyId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Whether a discrepancy was changed, and otherwise why not. */
export type DiscrepancyOutcome =
  | { readonly kind: 'changed' }
  /** Already in that state. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Sets the owner's note; null removes it. */
export function addDiscrepancyNote(
  context: PaymentsContext,
  command: DiscrepancyCommand & { readonly note: string | null },
): Promise<DiscrepancyOutcome> {
  const note = command.note?.trim() || null;
  return change(context, command, 'reconciliation.noted', (before) => (before.note === note ? null : { note }));
}

/** Assigns a discrepancy to an owner, or to no one with null. The caller checks that the owner has access. */
export function assignDiscrepancy(
  context: PaymentsContext,
  command: DiscrepancyCommand & { readonly ownerId: string | null },
): Promise<DiscrepancyOutcome> {
  const { ownerId } = command;
  return change(context, command, 'reconciliation.assigned', (before) => (before.ownerId === ownerId ? null : { ownerId }));
}

/** Resolves a discrepancy with a reason: corrected, or explained with nothing to do. */
export function resolveDiscrepancy(
  context: PaymentsContext,
  command: DiscrepancyCommand & { readonly as: 'RESOLVED' | 'EXPLAINED'; readonly why: string },
): Promise<DiscrepancyOutcome> {
  const why = command.why.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Say why it is resolved.' });
  const action = command.as === 'RESOLVED' ? 'reconciliation.resolved' : 'reconciliation.explained';
  return change(context, command, action, (before) =>
    before.state === command.as && before.resolution === why && before.resolvedBy === command.actor
      ? null
      : { resolution: { state: command.as, by: command.actor, why } },
  );
}

/** Reopens a resolved discrepancy; its note and owner stay. */
export function reopenDiscrepancy(context: PaymentsContext, command: DiscrepancyCommand): Promise<DiscrepancyOutcome> {
  return change(context, command, 'reconciliation.reopened', (before) => (before.state === 'OPEN' ? null : { resolution: null }));
}

function change(
  context: PaymentsContext,
  { merchantId, discrepancyId, actor }: DiscrepancyCommand,
  action: string,
  decide: (before: ReconciliationDiscrepancy) => DiscrepancyChange | null,
): Promise<DiscrepancyOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<DiscrepancyOutcome> => {
    const before = await lockDiscrepancy(transaction, merchantId, discrepancyId);
    if (before === null) return { kind: 'not_found' };
    const decided = decide(before);
    if (decided === null) return { kind: 'unchanged' };
    const now = context.now();
    const after = await updateDiscrepancy(transaction, before, decided, now);
    await auditDiscrepancy(context, transaction, { action, actor, before, after }, now);
    return { kind: 'changed' };
  });
}
