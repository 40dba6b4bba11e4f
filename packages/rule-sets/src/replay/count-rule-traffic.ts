import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import { countPaymentsByRule, type RuleTraffic } from './past-payment-queries.ts';

/** The number of payments each rule decided in a period. */
export interface RuleTrafficOverview {
  /** Payments counted. */
  readonly payments: number;
  /** True when the period holds more than were counted: the newest ones were. */
  readonly cut: boolean;
  /** Most first. */
  readonly rules: readonly RuleTraffic[];
}

const COUNTED_MAX = 50_000;

/** Which rules decided a merchant's payments of a period; `from` is inclusive, `to` exclusive. */
export async function countRuleTraffic(
  context: HealthContext,
  query: { readonly merchantId: string; readonly mode: Mode; readonly from: Date; readonly to: Date },
): Promise<RuleTrafficOverview> {
  const rules = await countPaymentsByRule(context.resources.database, query, COUNTED_MAX);
  const payments = rules.reduce((sum, rule) => sum + rule.payments, 0);
  return { payments, cut: payments === COUNTED_MAX, rules };
}
