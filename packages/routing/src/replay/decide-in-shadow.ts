import type { CompiledRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { feeAt } from '../fee.ts';
import type { DecisionInputs, RoutingRecord } from '../types.ts';
import { compareOrders, type OrderComparison } from './what-moves.ts';

/** The accounts that a real decision tried, in order, and those it left out: the record's candidates. */
export interface DecidedOrder {
  readonly candidates: readonly Pick<RoutingRecord['candidates'][number], 'eligible' | 'subproviderId'>[];
}

/** The draft's decision for a payment, beside the recorded one. */
export interface ShadowComparison {
  readonly result: OrderComparison;
  /** The draft's rule; null for its default order. */
  readonly ruleId: string | null;
  /** The first account that was tried, and the draft's; null where no account can take the payment. */
  readonly liveAccountId: string | null;
  readonly accountId: string | null;
  /** Fees at these accounts in hundredths of the main unit; null without a fee schedule. */
  readonly liveFee: number | null;
  readonly fee: number | null;
}

/**
 * Decides a payment again by the rules of a draft, with the accounts, health and overrides that its real decision was taken from, and
 * compares. Pure: nothing of the real decision is changed, and the same stored decision gives the same comparison at any time.
 */
export function decideInShadow(
  { inputs, taken }: { readonly inputs: DecisionInputs; readonly taken: DecidedOrder },
  draft: CompiledRuleSet,
): ShadowComparison {
  const decision = decide({ ...inputs, ruleSet: draft });
  const plan = decision.plan.map(({ accountId }) => accountId);
  const livePlan = taken.candidates.filter(({ eligible }) => eligible).map(({ subproviderId }) => subproviderId);
  const liveAccountId = livePlan[0] ?? null;
  const accountId = plan[0] ?? null;
  return {
    result: compareOrders(livePlan, plan),
    ruleId: decision.ruleId,
    liveAccountId,
    accountId,
    liveFee: feeAt(inputs.accounts, liveAccountId, inputs.payment, 'contract'),
    fee: feeAt(inputs.accounts, accountId, inputs.payment, 'contract'),
  };
}
