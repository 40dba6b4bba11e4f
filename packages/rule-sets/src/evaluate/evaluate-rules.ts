import type { HealthContext } from '@switchyard/provider-health';
import { type Clock, type RoutablePayment, UTC_CLOCK } from '@switchyard/routing';
import { compareDecisions, type DecisionComparison } from '@switchyard/routing/recompute';
import { type Evaluation, evaluate } from '@switchyard/routing/replay';
import { type DraftQuery, type DraftRefusal, readDraft } from './read-draft.ts';

/** A trial payment to route with a draft. */
export interface EvaluateRulesQuery extends DraftQuery {
  /** `paymentId` decides splits; without one, a new id does. Amount in whole main units. */
  readonly payment: Omit<RoutablePayment, 'paymentId'> & { readonly paymentId: string | null };
  /** `present`: with present health and overrides. `calm`: all accounts healthy, no overrides. */
  readonly conditions: 'present' | 'calm';
}

/** The trial's decision under the draft and under the live rules, or why there is none. */
export type EvaluateRulesOutcome =
  | {
      readonly kind: 'evaluated';
      /** Every rule with each of its conditions, every account with each of its checks, and the decision. */
      readonly draft: Evaluation;
      /** The same payment under the live rules, and how the draft differs. */
      readonly live: Evaluation;
      readonly comparison: DecisionComparison;
    }
  | DraftRefusal;

/** Routes one example payment under a draft and under the live rules, with times as `clock` writes them. Reads only. */
export async function evaluateRules(
  context: HealthContext,
  query: EvaluateRulesQuery,
  clock: Clock = UTC_CLOCK,
): Promise<EvaluateRulesOutcome> {
  const read = await readDraft(context, query);
  if (read.kind !== 'draft') return read;
  const { live, ruleSet } = read;
  const isPresent = query.conditions === 'present';
  const input = {
    payment: { ...query.payment, paymentId: query.payment.paymentId ?? context.newId() },
    accounts: live.accounts,
    health: isPresent ? context.health.snapshot(query.merchantId) : [],
    overrides: isPresent ? live.overrides : [],
    decidedAt: context.now().toISOString(),
  };
  const underDraft = evaluate({ ...input, ruleSet }, clock);
  const underLiveRules = evaluate({ ...input, ruleSet: live.ruleSet.ruleSet }, clock);
  const comparison = compareDecisions(underLiveRules.decision, underDraft.decision);
  return { kind: 'evaluated', draft: underDraft, live: underLiveRules, comparison };
}
