import type { Standing } from './eligibility.ts';
import type { LineUp, Path } from './line-up.ts';

/** Who is tried, in order, and what moved them. */
export interface Plan {
  /** Best first. Exactly the accounts that may take the payment, and in a panic the one that is tried all the same. */
  readonly order: readonly Standing[];
  /** Degraded accounts that healthy ones were put before. */
  readonly demoted: readonly Standing[];
  /** The unhealthy account tried because nothing better is left, or null. */
  readonly lastResort: Standing | null;
}

/**
 * Cuts the plan from the line-up: forced accounts first, then the others in line, degraded ones behind the healthy ones.
 * A degraded account stays ahead of accounts that are listed nowhere, and one of a requested gateway ahead of all fallbacks.
 * When health alone leaves nobody, the unhealthy account that did best lately is tried, because a payment refused without
 * an attempt is lost for certain.
 */
export function cutPlan(line: LineUp, path: Path): Plan {
  const order: Standing[] = [];
  const demoted: Standing[] = [];
  for (const tier of [line.leading, line.fallbacks, line.unlisted]) {
    for (const standing of tier) if (standing.forced) order.push(standing);
  }
  if (path.kind === 'requested') {
    healthyFirst([line.leading], order, demoted);
    healthyFirst([line.fallbacks], order, demoted);
  } else {
    healthyFirst([line.leading, line.fallbacks], order, demoted);
  }
  healthyFirst([line.unlisted], order, demoted);
  if (order.length > 0) return { order, demoted, lastResort: null };
  const lastResort = leastUnhealthy([...line.leading, ...line.fallbacks, ...line.unlisted]);
  return { order: lastResort ? [lastResort] : order, demoted, lastResort };
}

function healthyFirst(tiers: readonly (readonly Standing[])[], order: Standing[], demoted: Standing[]): void {
  const degraded: Standing[] = [];
  let overtaken = 0;
  for (const tier of tiers) {
    for (const standing of tier) {
      if (standing.ineligible !== null || standing.forced) continue;
      if (standing.state === 'degraded') {
        degraded.push(standing);
      } else {
        order.push(standing);
        overtaken = degraded.length;
      }
    }
  }
  order.push(...degraded);
  demoted.push(...degraded.slice(0, overtaken));
}

function leastUnhealthy(standings: readonly Standing[]): Standing | null {
  let best: Standing | null = null;
  for (const standing of standings) {
    if (standing.ineligible === 'unhealthy' && (best === null || didBetter(standing, best))) best = standing;
  }
  return best;
}

/** Compares recent success, with one of each imagined so that a single outcome, or none, does not read as certainty. */
function didBetter(left: Standing, right: Standing): boolean {
  const [leftWon, leftAll] = recent(left);
  const [rightWon, rightAll] = recent(right);
  if (leftWon * rightAll !== rightWon * leftAll) return leftWon * rightAll > rightWon * leftAll;
  return left.state === 'probing' && right.state === 'down';
}

function recent({ health }: Standing): readonly [won: number, all: number] {
  const succeeded = health?.succeeded ?? 0;
  return [succeeded + 1, succeeded + (health?.faulted ?? 0) + 2];
}
