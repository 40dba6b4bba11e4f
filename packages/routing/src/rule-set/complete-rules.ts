import { z } from 'zod';
import type { RuleSet } from '../types.ts';
import { parseRuleDocument } from './rule-set.ts';

/** The complete rules of a document, and what is wrong with the others. */
export interface CompleteRules {
  /** Incomplete rules keep their place and are switched off, so that they match no payment. */
  readonly ruleSet: RuleSet;
  /** Places of the incomplete rules, from 0. */
  readonly incomplete: readonly number[];
}

/**
 * The rules of a document that are complete: a rule under work, such as a new one without a method, stays out of force and the others
 * can be judged without it. Null where the problems are not those of single rules.
 */
export function completeRulesOf(document: unknown): CompleteRules | null {
  const whole = parseRuleDocument(document);
  if (whole.ok) return { ruleSet: whole.ruleSet, incomplete: [] };
  const places = whole.problems.map(({ field }) => /^rules\.(\d+)(?:\.|$)/.exec(field)?.[1]);
  if (places.some((place) => place === undefined)) return null;
  const incomplete = [...new Set(places.map(Number))].sort((left, right) => left - right);
  const listed = ruleLists.safeParse(document);
  if (!listed.success) return null;
  const rest = parseRuleDocument({ ...listed.data, rules: listed.data.rules.filter((_, place) => !incomplete.includes(place)) });
  if (!rest.ok) return null;
  const rules = [...rest.ruleSet.rules];
  for (const place of incomplete) rules.splice(place, 0, ruleOutOfForce(place));
  return { ruleSet: { ...rest.ruleSet, rules }, incomplete };
}

const ruleLists = z.looseObject({ rules: z.array(z.unknown()) });

function ruleOutOfForce(place: number): RuleSet['rules'][number] {
  return {
    ruleId: `incomplete:${place}`,
    name: 'Incomplete rule',
    enabled: false,
    when: { currency: 'NGN', methods: ['CARD'], amount: { from: 0, to: null } },
    then: { strategy: 'priority', accounts: [] },
  };
}
