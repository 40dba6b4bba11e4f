import type { Eligibility } from './eligibility.ts';
import type { RankedAccounts } from './rank.ts';

/** The accounts to try, in order. */
export interface Plan {
  /** Best first: exactly the accounts that can take the payment. */
  readonly order: readonly Eligibility[];
  /** The recovering account that keeps its rank because this payment may be a probe payment, or null. */
  readonly probe: Eligibility | null;
  /** How many at the end of `order` go last because they are not healthy. */
  readonly last: number;
}

/**
 * Builds the plan from the ranking: forced accounts first, then the healthy ones by rank, then all others that can take the payment,
 * the best chance first, because a payment refused without trying every account is certainly lost.
 *
 * At most one recovering account whose probe slot is free keeps its rank, provided that another account follows it as a fallback,
 * or that it is the only one.
 */
export function buildPlan(ranked: RankedAccounts): Plan {
  const forced: Eligibility[] = [];
  const inOrder: Eligibility[] = [];
  const last: Eligibility[] = [];
  let probe: Eligibility | null = null;
  for (const eligibility of ranked.all) {
    if (eligibility.ineligible !== null) continue;
    if (eligibility.forced) {
      forced.push(eligibility);
    } else if (eligibility.state === 'healthy') {
      inOrder.push(eligibility);
    } else if (eligibility.keepsRank && probe === null) {
      probe = eligibility;
      inOrder.push(eligibility);
    } else {
      last.push(eligibility);
    }
  }
  last.sort(byChance);
  const order = [...forced, ...inOrder, ...last];
  const isShielded = probe === null || order.length === 1 || order.at(-1) !== probe;
  return isShielded ? { order, probe, last: last.length } : { order, probe: null, last: last.length + 1 };
}

const AFTER_EQUAL_CHANCE = { healthy: 0, degraded: 1, probing: 2, down: 3 } as const;

/**
 * The better chance first, with one success and one fault added, so that a single outcome, or none, does not count as certainty.
 * Compared by cross-multiplication, so that equal chances are equal and fall back to the order of states, then to the rank.
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
