import type { SettlementContext } from '../context.ts';
import {
  assignSettlementDiscrepancy,
  noteSettlementDiscrepancy,
  reopenSettlementDiscrepancy,
  resolveOpenSettlementDiscrepancy,
  type SettlementDiscrepancyCommand,
  type SettlementDiscrepancyOutcome,
} from './change-discrepancy.ts';

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
