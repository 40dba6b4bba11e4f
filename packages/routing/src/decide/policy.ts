import { SHARE_FROM } from '../shares.ts';
import type { RoutingReason } from '../types.ts';
import { assess, type Eligibility } from './eligibility.ts';
import { describeFact, describeRationale } from './fact-text.ts';
import type { Subject, Wording } from './facts.ts';
import { buildPlan } from './plan.ts';
import type { Path, RankedAccounts } from './rank.ts';
import { rationaleFor, reasonsFor } from './reasons.ts';

/** The parts of a decision that have changed since the first ones were stored: eligibility and the plan. */
export interface Policy {
  /** As stored with the decision's inputs. */
  readonly version: 5 | 4 | 3 | 2 | undefined;
  readonly wording: Wording;
  readonly percentFrom: number;
  assess(...judged: Parameters<typeof assess>): Eligibility;
  buildPlan(path: Path, line: RankedAccounts, subject: Subject): BuiltPlan;
}

/** The accounts to try, best first, and why. */
export interface BuiltPlan {
  readonly order: readonly Eligibility[];
  readonly rationale: string;
  readonly reasons: readonly RoutingReason[];
}

/** The policy of decisions that are taken now: every account that can take the payment is in the plan. */
export const CURRENT_POLICY: Policy = {
  version: 5,
  wording: 'plain',
  percentFrom: SHARE_FROM,
  assess,
  buildPlan(path, line, subject) {
    const plan = buildPlan(line);
    return {
      order: plan.order,
      rationale: describeRationale(rationaleFor(path, line, plan), subject),
      reasons: reasonsFor(path, line, plan).map((fact) => describeFact(fact, subject)),
    };
  },
};
