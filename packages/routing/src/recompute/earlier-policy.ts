import { assess, type Eligibility, isProbePayment } from '../decide/eligibility.ts';
import { describeFact, describeRationale } from '../decide/fact-text.ts';
import type { Subject } from '../decide/facts.ts';
import type { Policy } from '../decide/policy.ts';
import type { Path, RankedAccounts } from '../decide/rank.ts';
import { collectReasons, fallbackFact, rationaleByRank } from '../decide/reasons.ts';
import { describeHealthReason } from '../health-text.ts';
import type { AccountHealth, RoutingReason } from '../types.ts';

/*
 * Decisions that were stored without a policy were taken like this: accounts that are down, or recovering without having been drawn
 * for a probe, are left out, and one of them is tried only when no other account is left. Such decisions are recomputed here
 * verbatim; no new decision is made this way.
 */

/** The policy of decisions that were stored without one. */
export const EARLIER_POLICY: Policy = {
  version: undefined,
  wording: 'ids',
  percentFrom: 1,
  assess(account, payment, health, overrides) {
    const eligibility = assess(account, payment, health, overrides);
    const isOut =
      eligibility.state === 'down' || (eligibility.state === 'probing' && !isProbePayment(eligibility.health, payment));
    const isUnhealthy = isOut && eligibility.ineligible === null && !eligibility.forced;
    return {
      ...eligibility,
      ineligible: isUnhealthy ? 'unhealthy' : eligibility.ineligible,
      keepsRank: eligibility.state !== 'degraded',
    };
  },
  buildPlan(path, line, subject) {
    const plan = buildEarlierPlan(path, line);
    return {
      order: plan.order,
      rationale: rationaleFor(path, line, plan, subject),
      reasons: reasonsFor(path, line, plan, subject),
    };
  },
};

interface EarlierPlan {
  readonly order: readonly Eligibility[];
  /** Degraded accounts that healthy ones were put before. */
  readonly demoted: readonly Eligibility[];
  /** The unhealthy account that is tried because no other account is left. */
  readonly lastResort: Eligibility | null;
}

/** Forced accounts, then the ranking part by part, in each part the healthy accounts before the degraded ones. */
function buildEarlierPlan(path: Path, line: RankedAccounts): EarlierPlan {
  const order = line.all.filter(({ forced }) => forced);
  const demoted: Eligibility[] = [];
  const edges = path.kind === 'requested' ? [line.leading, line.listed, line.all.length] : [line.listed, line.all.length];
  let start = 0;
  for (const end of edges) {
    const able = line.all.slice(start, end).filter(({ ineligible, forced }) => ineligible === null && !forced);
    const healthy = able.filter(({ keepsRank }) => keepsRank);
    const degraded = able.filter(({ keepsRank }) => !keepsRank);
    const lastHealthy = able.findLastIndex(({ keepsRank }) => keepsRank);
    demoted.push(...degraded.filter((eligibility) => able.indexOf(eligibility) < lastHealthy));
    order.push(...healthy, ...degraded);
    start = end;
  }
  if (order.length > 0) return { order, demoted, lastResort: null };
  const [lastResort = null] = line.all.filter(({ ineligible }) => ineligible === 'unhealthy').sort(byChance);
  return { order: lastResort === null ? [] : [lastResort], demoted, lastResort };
}

function byChance(left: Eligibility, right: Eligibility): number {
  const [leftWon, leftAll] = recent(left.health);
  const [rightWon, rightAll] = recent(right.health);
  const difference = rightWon * leftAll - leftWon * rightAll;
  return difference === 0 ? Number(left.state === 'down') - Number(right.state === 'down') : difference;
}

function recent(health: AccountHealth | null): readonly [won: number, all: number] {
  const succeeded = health?.succeeded ?? 0;
  return [succeeded + 1, succeeded + (health?.faulted ?? 0) + 2];
}

function rationaleFor(path: Path, line: RankedAccounts, { order, lastResort }: EarlierPlan, subject: Subject): string {
  const first = order[0];
  if (!first) return describeRationale({ basis: 'no_account' }, subject);
  if (lastResort) {
    return `${first.account.label} takes ${subject.text}: every able account is unhealthy, and it did best lately.`;
  }
  const rationale = rationaleByRank(path, line, first);
  return describeRationale(rationale.basis === 'fallback' ? { ...rationale, unavailable: 'unable' } : rationale, subject);
}

function reasonsFor(path: Path, line: RankedAccounts, plan: EarlierPlan, subject: Subject): RoutingReason[] {
  const facts = collectReasons(path, line, (eligibility, place): RoutingReason | null =>
    place < line.listed ? reasonOfAccount(eligibility, plan, subject) : null,
  );
  const reasons = facts.map((fact) => ('message' in fact ? fact : describeFact(fact, subject)));
  const first = plan.order[0];
  if (!first) return [...reasons, describeFact({ code: 'no_eligible_provider' }, subject)];
  if (plan.lastResort) {
    const message = `Every account that can take ${subject.text} is unhealthy; ${first.account.label} did best lately and is tried all the same.`;
    return [...reasons, { ...ofHealth('all_unhealthy', 'All accounts unhealthy', message), severity: 'critical' }];
  }
  const fallback = fallbackFact(path, line, first);
  return fallback ? [...reasons, describeFact(fallback, subject)] : reasons;
}

function reasonOfAccount(eligibility: Eligibility, plan: EarlierPlan, subject: Subject): RoutingReason | null {
  const { account, health, ineligible, state } = eligibility;
  if (ineligible === 'disabled_by_operator') return null;
  if (ineligible !== null && ineligible !== 'unhealthy') return describeFact({ code: ineligible, account }, subject);
  if (eligibility.forced || health === null) return null;
  const { probePercent } = health;
  const why = describeHealthReason(health.why, subject.clock, subject.wording);
  if (state === 'probing') {
    const is = `${account.label} is being probed with ${probePercent}% of payments, and this is`;
    if (ineligible === null) return { ...ofHealth('probe', 'Probe', `${is} one of them. ${why}`), severity: 'info' };
    return { ...ofHealth('probe_held_back', 'Account in recovery', `${is} not one of them. ${why}`), severity: 'info' };
  }
  if (ineligible === 'unhealthy') return ofHealth('unhealthy', 'Account down', `${account.label} is passed over. ${why}`);
  if (plan.demoted.includes(eligibility)) {
    return ofHealth('degraded', 'Degraded account moved back', `${account.label} goes behind healthy accounts. ${why}`);
  }
  if (state !== 'degraded' || plan.order[0] !== eligibility) return null;
  const message = `No healthy account can take this payment in place of ${account.label}. ${why}`;
  return ofHealth('degraded_recommended', 'Degraded account', message);
}

function ofHealth(code: string, title: string, message: string): RoutingReason {
  return { code, title, message, category: 'health', severity: 'warning' };
}
