import { compileRuleSet, findRule } from '../decide/compile.ts';
import type { RuleSet } from '../types.ts';
import type { Finding, Gap } from './finding.ts';
import type { PaymentCount } from './takeovers.ts';

/**
 * Findings about payments of which `traffic` has none: gaps, limits of accounts that no payment is beyond, and payments that one account
 * alone can take where the rule decided none, or none of the currency and method was without a rule. Findings about rules and accounts
 * as such are never among them.
 */
export function findUnmet(ruleSet: RuleSet, findings: readonly Finding[], traffic: readonly PaymentCount[]): Finding[] {
  const compiled = compileRuleSet(ruleSet);
  const undecided = traffic.filter((payment) => findRule(compiled, payment) === null);
  const deciding = new Set(traffic.map((payment) => findRule(compiled, payment)?.ruleId));
  return findings.filter(({ kind, gap, limit, ruleIds, example }) => {
    if (kind === 'no_second_choice') {
      if (ruleIds.length > 0) return !ruleIds.some((ruleId) => deciding.has(ruleId));
      return !undecided.some(({ currency, method }) => currency === example?.currency && method === example.method);
    }
    if (kind === 'gap') return gap !== null && !undecided.some((payment) => isIn(gap, payment));
    if (kind !== 'account_limit' || limit === null) return false;
    const { bound, amount } = limit;
    return !traffic.some((payment) => (bound === 'min' ? payment.amount < amount : payment.amount > amount));
  });
}

/** True if a payment that no rule matches is in a gap. Countries that rules name are in no gap of the others: a rule matches there. */
function isIn({ currency, method, from, to, countries, others }: Gap, payment: PaymentCount): boolean {
  const { customerCountry: country } = payment;
  return (
    payment.currency === currency &&
    payment.method === method &&
    from <= payment.amount &&
    payment.amount <= (to ?? Number.POSITIVE_INFINITY) &&
    (others || (country !== null && countries.includes(country)))
  );
}
