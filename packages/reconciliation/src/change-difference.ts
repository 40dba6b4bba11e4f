import type { ReconciliationDiscrepancy } from '@switchyard/db/client';
import type { PaymentsContext } from '@switchyard/payments/context';
import { auditDifference } from './audit.ts';
import { type DifferenceChange, lockDifference, updateDifference } from './differences-queries.ts';

/** Whose difference, and who changes it. */
export interface DifferenceCommand {
  readonly merchantId: string;
  readonly differenceId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

export type DifferenceOutcome =
  | { readonly kind: 'changed' }
  /** It was so already. */
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Writes the owner's note; null takes it away. */
export function addDiscrepancyNote(
  context: PaymentsContext,
  command: DifferenceCommand & { readonly note: string | null },
): Promise<DifferenceOutcome> {
  const note = command.note?.trim() || null;
  return change(context, command, 'reconciliation.noted', (before) => (before.note === note ? null : { note }));
}

/** Gives a difference to somebody, or to nobody with null. Whether they may have it is the caller's to know. */
export function assignDifference(
  context: PaymentsContext,
  command: DifferenceCommand & { readonly ownerId: string | null },
): Promise<DifferenceOutcome> {
  const { ownerId } = command;
  return change(context, command, 'reconciliation.assigned', (before) => (before.ownerId === ownerId ? null : { ownerId }));
}

/** Settles a difference, with why: put right, or explained and nothing to do. */
export function resolveDifference(
  context: PaymentsContext,
  command: DifferenceCommand & { readonly as: 'RESOLVED' | 'EXPLAINED'; readonly why: string },
): Promise<DifferenceOutcome> {
  const why = command.why.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Say why it is settled.' });
  const action = command.as === 'RESOLVED' ? 'reconciliation.resolved' : 'reconciliation.explained';
  return change(context, command, action, (before) =>
    before.state === command.as && before.resolution === why && before.resolvedBy === command.actor
      ? null
      : { settled: { state: command.as, by: command.actor, why } },
  );
}

/** Opens a settled difference again; its note and owner stay. */
export function reopenDifference(context: PaymentsContext, command: DifferenceCommand): Promise<DifferenceOutcome> {
  return change(context, command, 'reconciliation.reopened', (before) => (before.state === 'OPEN' ? null : { settled: null }));
}

function change(
  context: PaymentsContext,
  { merchantId, differenceId, actor }: DifferenceCommand,
  action: string,
  decide: (before: ReconciliationDiscrepancy) => DifferenceChange | null,
): Promise<DifferenceOutcome> {
  return context.resources.database.prisma.$transaction(async (transaction): Promise<DifferenceOutcome> => {
    const before = await lockDifference(transaction, merchantId, differenceId);
    if (before === null) return { kind: 'not_found' };
    const decided = decide(before);
    if (decided === null) return { kind: 'unchanged' };
    const now = context.now();
    const after = await updateDifference(transaction, before, decided, now);
    await auditDifference(context, transaction, { action, actor, before, after }, now);
    return { kind: 'changed' };
  });
}
