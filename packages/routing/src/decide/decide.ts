import { type Clock, UTC_CLOCK } from '../clock.ts';
import {
  type AccountHealth,
  type Assignment,
  type Decision,
  type DecisionInputs,
  type KeptHealth,
  type KeptInputs,
  POLICY_VERSION,
  type RationaleCode,
  type RoutableAccount,
  type RoutablePayment,
  type RoutingOverride,
  type RoutingRecord,
} from '../types.ts';
import type { CompiledRuleSet } from './compile.ts';
import { activeOverrides, assess, type Eligibility } from './eligibility.ts';
import { describeFact, describeRationale } from './fact-text.ts';
import type { CanaryFact } from './facts.ts';
import { buildPlan, type Plan } from './plan.ts';
import { choosePath, type Path, type RankedAccounts, rank } from './rank.ts';
import { rationaleFor, reasonsFor, tookEffect } from './reasons.ts';
import { describePayment } from './sentence.ts';

/** Everything a decision depends on; the same input gives the same decision. */
export interface DecideInput {
  readonly payment: RoutablePayment;
  readonly ruleSet: CompiledRuleSet;
  /** All accounts of the merchant in the payment's mode; ids are unique. Hand over routing's fields alone: they are stored. */
  readonly accounts: readonly RoutableAccount[];
  readonly health: readonly AccountHealth[];
  /** May include planned and ended ones: `decidedAt` decides which are active. */
  readonly overrides: readonly RoutingOverride[];
  /** ISO 8601; the only time a decision knows. */
  readonly decidedAt: string;
  /** Draws by which `ruleSet` was chosen, or no rule is asked; absent for none. */
  readonly assignment?: Assignment;
}

/**
 * Decides which accounts to try for a payment, in which order, and why.
 *
 * The order. A requested gateway's accounts lead and the rules are bypassed; otherwise the first matching rule's accounts lead,
 * in its strategy's order; without a match, or without a method, no account does. The default order follows as fallbacks, then
 * accounts that neither names. Operators' `force` goes first; accounts that are not healthy go last, the best chance first (see
 * `buildPlan`).
 *
 * Guarantees. The same input gives the same decision, also after a round trip of `inputs` through JSON. Every account is a
 * candidate exactly once, the plan's first in plan order, then the others by rank. Every account that can take the payment is in
 * the plan exactly once, whatever its health; no other account is. One account is recommended whenever the plan is not empty.
 *
 * `rationaleCode` names the path taken, whichever account ends up serving: the reasons say when its own accounts could not.
 *
 * Decisions are stored with the sentences of {@link UTC_CLOCK}; another clock is for a reader of them.
 */
export function decide(input: DecideInput, clock: Clock = UTC_CLOCK): Decision {
  const { payment, ruleSet } = input;
  const overrides = activeOverrides(input.overrides, input.decidedAt);
  const eligibilities = input.accounts.map((account) => assess(account, payment, input.health, overrides));
  const path = choosePath(payment, ruleSet, input.assignment?.holdout?.heldOut);
  const ranked = rank(path, eligibilities, ruleSet.ruleSet.defaultOrder, payment);
  const plan = buildPlan(ranked);
  const first = plan.order[0];
  const subject = { payment, text: describePayment(payment), clock };
  return {
    record: {
      version: 1,
      decidedAt: input.decidedAt,
      rationale: describeRationale(rationaleFor(path, ranked, plan), subject),
      rationaleCode: first ? RATIONALE_CODES[path.kind] : 'no_eligible_provider',
      contextKey: contextKeyOf(path, payment),
      overrides: overridesOf(ranked),
      reasons: reasonsFor(path, ranked, plan, canaryFact(input)).map((fact) => describeFact(fact, subject)),
      candidates: candidatesOf(ranked, plan),
      recommended: first ? { index: 0, provider: first.account.gateway, subproviderId: first.account.accountId } : null,
    },
    plan: plan.order.map(({ account }) => ({ accountId: account.accountId, gateway: account.gateway })),
    routingMode: path.kind === 'requested' ? 'requested' : 'smart',
    smartRoutingBypassed: path.kind === 'requested',
    ruleId: path.kind === 'rule' ? path.rule.ruleId : null,
    ruleSetVersion: ruleSet.ruleSet.version,
    inputs: inputsOf(input, eligibilities),
  };
}

const RATIONALE_CODES: Record<Path['kind'], RationaleCode> = {
  requested: 'requested_gateway',
  rule: 'smart_routing_rule',
  default: 'default_provider_order',
};

/** The version that a share of customers is routed by, where this payment is; a requested gateway bypasses it. */
function canaryFact({ assignment, payment, ruleSet }: DecideInput): CanaryFact | null {
  if (assignment?.canary?.arm !== 'draft' || payment.requestedGateway !== null) return null;
  return { code: 'canary', version: ruleSet.ruleSet.version, percent: assignment.canary.percent };
}

/** `NGN|CARD|0-5000` with the band of the rule that matched, `0-*` without one. */
function contextKeyOf(path: Path, payment: RoutablePayment): string {
  const band = path.kind === 'rule' ? path.rule.bandKey : '0-*';
  return `${payment.currency}|${payment.method ?? 'ANY'}|${band}`;
}

function candidatesOf(ranked: RankedAccounts, plan: Plan): RoutingRecord['candidates'] {
  const candidates: RoutingRecord['candidates'][number][] = [];
  const add = ({ account }: Eligibility, ineligibleReason: Eligibility['ineligible']) => {
    candidates.push({
      index: candidates.length,
      eligible: ineligibleReason === null,
      provider: account.gateway,
      subproviderId: account.accountId,
      ineligibleReason,
    });
  };
  for (const eligibility of plan.order) add(eligibility, null);
  for (const eligibility of ranked.all) {
    if (eligibility.ineligible !== null && !plan.order.includes(eligibility)) add(eligibility, eligibility.ineligible);
  }
  return candidates;
}

function overridesOf(ranked: RankedAccounts): RoutingRecord['overrides'] {
  const overrides: RoutingRecord['overrides'][number][] = [];
  for (const eligibility of ranked.all) {
    for (const override of eligibility.overrides) {
      if (!tookEffect(eligibility, override)) continue;
      const { action, reason, actor, expiresAt } = override;
      const { gateway, accountId } = eligibility.account;
      overrides.push({ provider: gateway, subproviderId: accountId, action, reason, actor, expiresAt });
    }
  }
  return overrides;
}

/** Only the inputs that the decision used, so that stored decisions stay small. */
function inputsOf(input: DecideInput, eligibilities: readonly Eligibility[]): DecisionInputs {
  const health: AccountHealth[] = [];
  const overrides: RoutingOverride[] = [];
  for (const eligibility of eligibilities) {
    if (eligibility.health) health.push(eligibility.health);
    for (const override of eligibility.overrides) overrides.push(override);
  }
  const { payment, accounts, decidedAt, assignment } = input;
  const drawn = assignment !== undefined && { assignment };
  return { policy: POLICY_VERSION, payment, accounts, health, overrides, decidedAt, ...drawn };
}

/** The part of a decision's inputs that its payment keeps. `accountsId` names where its accounts are kept. */
export function keepInputs({ payment, accounts, health, ...rest }: DecisionInputs, accountsId: string): KeptInputs {
  const places = new Map(accounts.map(({ accountId }, place) => [accountId, place]));
  const keep = ({ accountId, method, state, why, since, ...figures }: AccountHealth): KeptHealth => {
    const place = places.get(accountId);
    if (place === undefined) throw new Error(`account ${accountId} has health and is none of a decision's accounts`);
    const { succeeded, faulted, paid, unpaid, probeSlot = null } = figures;
    return [place, method, state, why, since, succeeded, faulted, paid, unpaid, probeSlot];
  };
  const { keys } = payment;
  return { ...rest, accounts: accountsId, health: health.map(keep), ...(keys !== undefined && { keys }) };
}
