import type { HealthContext } from '@switchyard/provider-health';
import type { RoutablePayment } from '@switchyard/routing';
import { compareDecisions, type DecisionComparison } from '@switchyard/routing/recompute';
import { type Evaluation, evaluate } from '@switchyard/routing/replay';
import { type DraftQuery, type DraftRefusal, readDraft } from './read-draft.ts';

export interface EvaluateRulesQuery extends DraftQuery {
  /** `paymentId` decides splits; without one, a new id does. Amount in whole main units. */
  readonly payment: Omit<RoutablePayment, 'paymentId'> & { readonly paymentId: string | null };
  /** `present`: with the health and overrides of this moment. `calm`: everybody healthy, nobody overridden. */
  readonly conditions: 'present' | 'calm';
}

export type EvaluateRulesOutcome =
  | {
      readonly kind: 'evaluated';
      /** Every rule with each of its conditions, every account with each of its checks, and the decision. */
      readonly draft: Evaluation;
      /** The same payment under what is live, and how the draft differs from it. */
      readonly live: Evaluation;
      readonly comparison: DecisionComparison;
    }
  | DraftRefusal;

/** Sends one imagined payment through a document and through what is live. */
export async function evaluateRules(context: HealthContext, query: EvaluateRulesQuery): Promise<EvaluateRulesOutcome> {
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
  const underDraft = evaluate({ ...input, ruleSet });
  const underLiveRules = evaluate({ ...input, ruleSet: live.ruleSet.ruleSet });
  const comparison = compareDecisions(underLiveRules.decision, underDraft.decision);
  return { kind: 'evaluated', draft: underDraft, live: underLiveRules, comparison };
}
