import type { HealthState, RoutingOverride } from '../types.ts';
import type { Eligibility } from './eligibility.ts';
import type { HealthFact, HealthPlace, Lack, OverrideFact, PathFact, RationaleFact, RoutingFact, TurnFact } from './facts.ts';
import type { Plan } from './plan.ts';
import type { Path, RankedAccounts } from './rank.ts';

/** Everything that shaped a decision: the path first, then the operators' overrides and each account that moved, then who serves instead. */
export function reasonsFor(path: Path, line: RankedAccounts, plan: Plan): RoutingFact[] {
  const first = plan.order[0];
  const facts = reasonsInLine(path, line, (standing, place) =>
    isListedOrAble(standing, place, line) ? reasonOfAccount(standing, plan) : null,
  );
  if (!first) return [...facts, { code: 'no_eligible_provider' }];
  const turn = turnReason(path, line, first);
  if (!isNobodyHealthy(plan)) return turn ? [...facts, turn] : facts;
  if (turn && turn.lack !== 'unhealthy') facts.push(turn);
  const severity = plan.order.some(({ state }) => state === 'degraded') ? 'warning' : 'critical';
  return [...facts, { code: 'no_healthy_account', first: first.account, severity }];
}

function isNobodyHealthy({ order, last }: Plan): boolean {
  return order.length > 0 && last === order.length;
}

/** An account that nothing names and that cannot take the payment is no part of the explanation. */
function isListedOrAble(standing: Eligibility, place: number, line: RankedAccounts): boolean {
  return place < line.listed || standing.ineligible === null;
}

/**
 * The path, its strategy, then along the line each account's overrides and what `ofAccount` says of it: the part of the reasons that
 * is the same however a plan is cut.
 */
export function reasonsInLine<Fact>(
  path: Path,
  line: RankedAccounts,
  ofAccount: (standing: Eligibility, place: number) => Fact | null,
): (RoutingFact | Fact)[] {
  const facts: (RoutingFact | Fact)[] = [pathReason(path)];
  if (line.strategyReason) facts.push(line.strategyReason);
  for (const accountId of line.missing) facts.push({ code: 'rule_account_missing', accountId });
  let place = 0;
  for (const standing of line.all) {
    for (const override of standing.overrides) {
      const fact = overrideReason(standing, override);
      if (fact) facts.push(fact);
    }
    const fact = ofAccount(standing, place);
    if (fact) facts.push(fact);
    place += 1;
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
      return { code: path.because === 'no_rule' ? 'no_rule_matched' : 'no_method' };
    default:
      return path satisfies never;
  }
}

/** Overrides that changed what happened to this payment; one that met an account unable anyway did not. */
export function touched(standing: Eligibility, override: RoutingOverride): boolean {
  return override.action === 'force' ? standing.forced : standing.ineligible === 'disabled_by_operator';
}

function overrideReason(standing: Eligibility, override: RoutingOverride): OverrideFact | null {
  const { account, ineligible } = standing;
  if (touched(standing, override)) return { code: `override_${override.action}`, account, override };
  if (override.action !== 'force' || ineligible === null) return null;
  return { code: 'override_force_ineffective', account, override, obstacle: ineligible };
}

/** What stands in the account's way, or what its health did to its place; nothing when it stands where the order put it. */
function reasonOfAccount(standing: Eligibility, plan: Plan): RoutingFact | null {
  const { account, ineligible } = standing;
  if (ineligible === null) return healthReason(standing, plan);
  return ineligible === 'disabled_by_operator' || ineligible === 'unhealthy' ? null : { code: ineligible, account };
}

const HEALTH_CODES = {
  degraded: 'account_degraded',
  probing: 'account_recovering',
  down: 'account_down',
} as const satisfies Record<Exclude<HealthState, 'healthy'>, HealthFact['code']>;

function healthReason(standing: Eligibility, plan: Plan): HealthFact | null {
  const { account, health, state, forced } = standing;
  if (forced || health === null || state === 'healthy') return null;
  if (plan.probe === standing && plan.order[0] === standing) {
    return { code: 'probe_payment', account, health, behind: plan.order[1]?.account ?? null };
  }
  return { code: HEALTH_CODES[state], account, health, place: healthPlace(standing, plan) };
}

function healthPlace(standing: Eligibility, plan: Plan): HealthPlace {
  if (plan.probe === standing) return 'kept';
  if (!isNobodyHealthy(plan)) return 'last';
  return plan.order[0] === standing ? 'best_chance' : 'by_chance';
}

/** Said when the payment goes on to an account that the path did not lead with. */
export function turnReason(path: Path, line: RankedAccounts, first: Eligibility): TurnFact | null {
  if (first.forced) return null;
  const place = line.all.indexOf(first);
  if (place < line.leading) return null;
  const next = { account: first.account, listed: place < line.listed };
  const lack = lackOf(line, 0, line.leading);
  switch (path.kind) {
    case 'requested': {
      const { gateway } = path;
      return { code: 'requested_gateway_unavailable', gateway, lack: line.leading === 0 ? 'no_account' : lack, next };
    }
    case 'rule':
      return { code: 'rule_accounts_unavailable', rule: path.rule, lack, next };
    case 'default':
      return next.listed ? null : { code: 'unlisted_account', lack: lackOf(line, 0, line.listed), next };
    default:
      return path satisfies never;
  }
}

function lackOf(line: RankedAccounts, from: number, to: number): Lack {
  return line.all.slice(from, to).some(({ ineligible }) => ineligible === null) ? 'unhealthy' : 'unable';
}

/** Who takes the payment, and on what ground. */
export function rationaleFor(path: Path, line: RankedAccounts, plan: Plan): RationaleFact {
  const first = plan.order[0];
  if (!first) return { ground: 'nobody' };
  if (isNobodyHealthy(plan)) return { ground: 'best_chance', account: first.account };
  return groundInLine(path, line, first);
}

/** The ground on which an account of the line takes the payment, from its place in the line. */
export function groundInLine(path: Path, line: RankedAccounts, first: Eligibility): RationaleFact {
  const { account, forced } = first;
  if (forced) return { ground: 'override', account };
  const place = line.all.indexOf(first);
  if (place >= line.leading) {
    const listed = place < line.listed;
    const lack = lackOf(line, listed ? line.leading : 0, place);
    return { ground: 'successor', next: { account, listed }, lack, after: path.kind === 'default' ? null : path };
  }
  switch (path.kind) {
    case 'rule':
      return { ground: 'rule', account, rule: path.rule };
    case 'requested':
      return { ground: 'requested', account, gateway: path.gateway };
    case 'default':
      throw new Error('nothing leads the default order');
    default:
      return path satisfies never;
  }
}
