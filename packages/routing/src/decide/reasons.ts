import type { HealthState, RoutingOverride } from '../types.ts';
import type { Eligibility } from './eligibility.ts';
import type {
  CanaryFact,
  FallbackFact,
  HealthFact,
  HealthPlace,
  OverrideFact,
  PathFact,
  RationaleFact,
  RoutingFact,
  UnavailableReason,
} from './facts.ts';
import type { Plan } from './plan.ts';
import type { Path, RankedAccounts } from './rank.ts';

/** Everything that shaped a decision: the path first, then the operators' overrides and each account that moved, then who serves instead. */
export function reasonsFor(path: Path, ranked: RankedAccounts, plan: Plan, canary: CanaryFact | null): RoutingFact[] {
  const facts = [
    ...(canary === null ? [] : [canary]),
    pathReason(path),
    ...strategyReasons(ranked),
    ...reasonsOfAccounts(ranked, plan),
  ];
  const first = plan.order[0];
  if (!first) return [...facts, { code: 'no_eligible_provider' }];
  const fallback = fallbackFact(path, ranked, first);
  if (!hasNoHealthyAccount(plan)) return fallback ? [...facts, fallback] : facts;
  if (fallback && fallback.unavailable !== 'unhealthy') facts.push(fallback);
  const severity = plan.order.some(({ state }) => state === 'degraded') ? 'warning' : 'critical';
  return [...facts, { code: 'no_healthy_account', first: first.account, severity }];
}

function hasNoHealthyAccount({ order, last }: Plan): boolean {
  return order.length > 0 && last === order.length;
}

/** An account that nothing names and that cannot take the payment is no part of the explanation. */
function isListedOrAble(eligibility: Eligibility, place: number, ranked: RankedAccounts): boolean {
  return place < ranked.listed || eligibility.ineligible === null;
}

function strategyReasons({ strategyReason, missing }: RankedAccounts): RoutingFact[] {
  const facts: RoutingFact[] = strategyReason ? [strategyReason] : [];
  for (let count = 0; count < missing; count += 1) facts.push({ code: 'rule_account_missing' });
  return facts;
}

/** By rank each account's overrides, and why it is ineligible or how its health moved it. */
function reasonsOfAccounts(ranked: RankedAccounts, plan: Plan): RoutingFact[] {
  const facts: RoutingFact[] = [];
  for (const [place, eligibility] of ranked.all.entries()) {
    for (const override of eligibility.overrides) {
      const fact = overrideReason(eligibility, override);
      if (fact) facts.push(fact);
    }
    const fact = isListedOrAble(eligibility, place, ranked) ? reasonOfAccount(eligibility, plan) : null;
    if (fact) facts.push(fact);
  }
  return facts;
}

function pathReason(path: Path): PathFact {
  switch (path.kind) {
    case 'rule':
      return { code: 'rule_matched', rule: path.rule };
    case 'requested':
      return { code: 'requested_gateway', gateway: path.gateway };
    case 'default':
      return { code: path.because === 'no_rule' ? 'no_rule_matched' : path.because };
    default:
      return path satisfies never;
  }
}

/** Overrides that changed what happened to this payment; one that met an account unable anyway did not. */
export function tookEffect(eligibility: Eligibility, override: RoutingOverride): boolean {
  return override.action === 'force' ? eligibility.forced : eligibility.ineligible === 'disabled_by_operator';
}

function overrideReason(eligibility: Eligibility, override: RoutingOverride): OverrideFact | null {
  const { account, ineligible } = eligibility;
  if (tookEffect(eligibility, override)) return { code: `override_${override.action}`, account, override };
  if (override.action !== 'force' || ineligible === null) return null;
  return { code: 'override_force_ineffective', account, override, obstacle: ineligible };
}

/** Why the account is ineligible, or how its health changed its rank; nothing when it keeps the rank of the order. */
function reasonOfAccount(eligibility: Eligibility, plan: Plan): RoutingFact | null {
  const { account, ineligible } = eligibility;
  if (ineligible === null) return healthReason(eligibility, plan);
  return ineligible === 'disabled_by_operator' ? null : { code: ineligible, account };
}

const HEALTH_CODES = {
  degraded: 'account_degraded',
  probing: 'account_recovering',
  down: 'account_down',
} as const satisfies Record<Exclude<HealthState, 'healthy'>, HealthFact['code']>;

function healthReason(eligibility: Eligibility, plan: Plan): HealthFact | null {
  const { account, health, state, forced } = eligibility;
  if (forced || health === null || state === 'healthy') return null;
  if (plan.probe === eligibility && plan.order[0] === eligibility) {
    return { code: 'probe_payment', account, health, behind: plan.order[1]?.account ?? null };
  }
  return { code: HEALTH_CODES[state], account, health, place: healthPlace(eligibility, plan) };
}

function healthPlace(eligibility: Eligibility, plan: Plan): HealthPlace {
  if (plan.probe === eligibility) return 'kept';
  if (!hasNoHealthyAccount(plan)) return 'last';
  return plan.order[0] === eligibility ? 'best_chance' : 'by_chance';
}

/** The reason when the first account of the plan is not one that the path leads with. */
function fallbackFact(path: Path, ranked: RankedAccounts, first: Eligibility): FallbackFact | null {
  if (first.forced) return null;
  const place = ranked.all.indexOf(first);
  if (place < ranked.leading) return null;
  const next = { account: first.account, listed: place < ranked.listed };
  const unavailable = unavailableReasonOf(ranked, 0, ranked.leading);
  switch (path.kind) {
    case 'requested': {
      const { gateway } = path;
      return {
        code: 'requested_gateway_unavailable',
        gateway,
        unavailable: ranked.leading === 0 ? 'no_account' : unavailable,
        next,
      };
    }
    case 'rule':
      return { code: 'rule_accounts_unavailable', rule: path.rule, unavailable, next };
    case 'default':
      return next.listed ? null : { code: 'unlisted_account', unavailable: unavailableReasonOf(ranked, 0, ranked.listed), next };
    default:
      return path satisfies never;
  }
}

function unavailableReasonOf(ranked: RankedAccounts, from: number, to: number): UnavailableReason {
  return ranked.all.slice(from, to).some(({ ineligible }) => ineligible === null) ? 'unhealthy' : 'unable';
}

/** The account that takes the payment, and why. */
export function rationaleFor(path: Path, ranked: RankedAccounts, plan: Plan): RationaleFact {
  const first = plan.order[0];
  if (!first) return { basis: 'no_account' };
  if (hasNoHealthyAccount(plan)) return { basis: 'best_chance', account: first.account };
  return rationaleByRank(path, ranked, first);
}

/** Why a ranked account takes the payment, by its rank. */
function rationaleByRank(path: Path, ranked: RankedAccounts, first: Eligibility): RationaleFact {
  const { account, forced } = first;
  if (forced) return { basis: 'override', account };
  const place = ranked.all.indexOf(first);
  if (place >= ranked.leading) {
    const listed = place < ranked.listed;
    const unavailable = unavailableReasonOf(ranked, listed ? ranked.leading : 0, place);
    return { basis: 'fallback', next: { account, listed }, unavailable, after: path.kind === 'default' ? null : path };
  }
  switch (path.kind) {
    case 'rule':
      return { basis: 'rule', account, rule: path.rule };
    case 'requested':
      return { basis: 'requested', account, gateway: path.gateway };
    case 'default':
      throw new Error('nothing leads the default order');
    default:
      return path satisfies never;
  }
}
