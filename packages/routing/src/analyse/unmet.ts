import { compileRuleSet, findRule } from '../decide/compile.ts';
import { isInCell } from '../keys/key-cells.ts';
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
  const named = countriesNamed(ruleSet);
  const isNamed = ({ currency, method, customerCountry }: PaymentCount) => named.has(`${currency}|${method}|${customerCountry}`);
  const deciding = new Set(traffic.map((payment) => findRule(compiled, payment)?.ruleId));
  return findings.filter(({ kind, gap, limit, ruleIds, example }) => {
    if (kind === 'no_second_choice') {
      if (ruleIds.length > 0) return !ruleIds.some((ruleId) => deciding.has(ruleId));
      return !undecided.some(({ currency, method }) => currency === example?.currency && method === example.method);
    }
    if (kind === 'gap') return gap !== null && !undecided.some((payment) => isIn(gap, payment, isNamed(payment)));
    if (kind !== 'account_limit' || limit === null) return false;
    const { bound, amount } = limit;
    return !traffic.some((payment) => (bound === 'min' ? payment.amount < amount : payment.amount > amount));
  });
}

/** Every currency, method and country that an enabled rule names together. */
function countriesNamed({ rules }: RuleSet): Set<string> {
  const named = rules.flatMap(({ enabled, when: { currency, methods, countries } }) =>
    enabled ? methods.flatMap((method) => (countries ?? []).map((country) => `${currency}|${method}|${country}`)) : [],
  );
  return new Set(named);
}

/** True if a payment that no rule matches is in a gap; `isNamed` says that a rule of its currency and method names its country. */
function isIn({ currency, method, from, to, countries, others, keys }: Gap, payment: PaymentCount, isNamed: boolean): boolean {
  const { customerCountry: country, keys: values = {} } = payment;
  return (
    payment.currency === currency &&
    payment.method === method &&
    from <= payment.amount &&
    payment.amount <= (to ?? Number.POSITIVE_INFINITY) &&
    (isNamed ? country !== null && countries.includes(country) : others) &&
    (keys === null || keys.some((cells) => cells.every((cell) => isInCell(cell, values))))
  );
}
