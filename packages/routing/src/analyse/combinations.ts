import { isDivisible } from '../keys/divide.ts';
import { keysByName } from '../keys/match-keys.ts';
import { comparesKeys } from '../keys/payment-keys.ts';
import type { RuleSet } from '../types.ts';

/**
 * The problem of a rule set whose conditions on keys combine in too many ways to be analysed exactly; empty where they can be. Ask before a rule
 * set is analysed or published.
 */
export function combinationProblems({ rules, keys }: RuleSet): { readonly field: string; readonly message: string }[] {
  const isKeyed = rules.some(({ enabled, when }) => enabled && comparesKeys(when));
  if (!isKeyed || isDivisible(rules, keysByName(keys))) return [];
  return [{ field: 'rules', message: 'must combine fewer conditions on keys: there are too many combinations to check' }];
}
