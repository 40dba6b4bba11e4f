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
  for (const standing of line.all) if (standing.forced) order.push(standing);
  let demoted = NOBODY;
  if (path.kind === 'requested') {
    demoted = healthyFirst(line.all, 0, line.leading, order, demoted);
    demoted = healthyFirst(line.all, line.leading, line.listed, order, demoted);
  } else {
    demoted = healthyFirst(line.all, 0, line.listed, order, demoted);
  }
  demoted = healthyFirst(line.all, line.listed, line.all.length, order, demoted);
  if (order.length > 0) return { order, demoted, lastResort: null };
  const lastResort = leastUnhealthy(line.all);
  return { order: lastResort ? [lastResort] : order, demoted, lastResort };
}

const NOBODY: readonly Standing[] = [];

/** Appends the eligible of one stretch of the line to `order`; answers `demoted` and those that were overtaken here. */
function healthyFirst(
  all: readonly Standing[],
  start: number,
  end: number,
  order: Standing[],
  demoted: readonly Standing[],
): readonly Standing[] {
  let degraded = NOBODY;
  let overtaken = 0;
  for (let place = start; place < end; place += 1) {
    const standing = all[place];
    if (!standing || standing.ineligible !== null || standing.forced) continue;
    if (standing.state === 'degraded') {
      degraded = [...degraded, standing];
    } else {
      order.push(standing);
      overtaken = degraded.length;
    }
  }
  for (const standing of degraded) order.push(standing);
  return overtaken === 0 ? demoted : [...demoted, ...degraded.slice(0, overtaken)];
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
