import {
  acceptDiscrepancy,
  assignDiscrepancy,
  type DiscrepancyCommand,
  type DiscrepancyOutcome,
  resolveOpenDiscrepancy,
} from './change-discrepancy.ts';
import type { ReconciliationContext } from './context.ts';

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
