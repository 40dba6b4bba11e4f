import type { Eligibility } from './eligibility.ts';
import type { RankedAccounts } from './rank.ts';

/** Who is tried, in order. */
export interface Plan {
  /** Best first: exactly the accounts that can take the payment. */
  readonly order: readonly Eligibility[];
  /** The recovering account that keeps its place because this payment may be a probe payment, or null. */
  readonly probe: Eligibility | null;
  /** How many at the end of `order` go last because they are not healthy. */
  readonly last: number;
}

/**
 * Cuts the plan from the line-up: forced accounts first, then the healthy ones in line, then all others that can take the payment,
 * the best chance first, because a payment refused without trying every account is lost for certain.
 *
 * A recovering account whose probe slot is free keeps its place in line, one of them at most, provided that another account stands
 * behind it to take over, or that it is the only one.
 */
export function cutPlan(line: RankedAccounts): Plan {
  const forced: Eligibility[] = [];
  const inPlace: Eligibility[] = [];
  const last: Eligibility[] = [];
  let probe: Eligibility | null = null;
  for (const standing of line.all) {
    if (standing.ineligible !== null) continue;
    if (standing.forced) {
      forced.push(standing);
    } else if (standing.state === 'healthy') {
      inPlace.push(standing);
    } else if (standing.keepsPlace && probe === null) {
      probe = standing;
      inPlace.push(standing);
    } else {
      last.push(standing);
    }
  }
  last.sort(byChance);
  const order = [...forced, ...inPlace, ...last];
  const isShielded = probe === null || order.length === 1 || order.at(-1) !== probe;
  return isShielded ? { order, probe, last: last.length } : { order, probe: null, last: last.length + 1 };
}

const AFTER_EQUAL_CHANCE = { healthy: 0, degraded: 1, probing: 2, down: 3 } as const;

/**
 * The better chance first, with one success and one fault imagined, so that a single outcome, or none, does not read as certainty.
 * Compared by cross-multiplication, so that equal chances are equal and keep the order of their states, then that of the line.
 */
function byChance(left: Eligibility, right: Eligibility): number {
  const difference = successes(right) * trials(left) - successes(left) * trials(right);
  return difference === 0 ? AFTER_EQUAL_CHANCE[left.state] - AFTER_EQUAL_CHANCE[right.state] : difference;
}

function successes({ health }: Eligibility): number {
  return (health?.succeeded ?? 0) + 1;
}

function trials({ health }: Eligibility): number {
  return (health?.succeeded ?? 0) + (health?.faulted ?? 0) + 2;
}
