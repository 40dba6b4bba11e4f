import { type Clock, type Decision, UTC_CLOCK } from '@switchyard/routing';
import { recompute } from '@switchyard/routing/recompute';
import type { PaymentsContext } from '../context.ts';
import { differencesFromStored } from './compare-decision.ts';
import { findRuleSet } from './find-rule-set.ts';
import type { StoredPaymentDecision } from './queries.ts';
import { readStoredDecision } from './stored-decision.ts';

type Reasons = Decision['record']['reasons'];

/**
 * The reasons of a stored decision with times as `clock` writes them. They are made again from what the decision was taken from; the
 * stored sentences, which are in UTC, are never parsed. Null where the decision cannot be computed again or does not come out as
 * stored: then only the stored sentences are true.
 */
export async function reasonsInZone(context: PaymentsContext, row: StoredPaymentDecision, clock: Clock): Promise<Reasons | null> {
  const stored = await readStoredDecision(context.resources.database, row);
  if (stored === null) return null;
  const ruleSet = await findRuleSet(context.resources.database, row, stored);
  if (ruleSet === null) return null;
  const taken = { inputs: stored.inputs, ruleSet };
  if (differencesFromStored(stored, recompute(taken, UTC_CLOCK)).length > 0) return null;
  return recompute(taken, clock).record.reasons;
}
