import { readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import type { RoutingFact } from '../decide/facts.ts';
import { worldArbitrary } from '../testing/arbitraries.ts';
import type { Decision, HealthReason, IneligibleReason, RationaleCode, RuleSet, RuleTarget } from '../types.ts';
import { recompute } from './explain.ts';

interface StoredExample {
  readonly ruleSet: RuleSet;
  readonly decision: Decision;
}

const FILE = new URL('../testing/decisions-of-policy-1.jsonl', import.meta.url);
if (process.env.UPDATE_DECISIONS === '1') {
  writeFileSync(
    FILE,
    makeExamples()
      .map((example) => `${JSON.stringify(example)}\n`)
      .join(''),
  );
}

describe('decisions stored under policy 1', () => {
  const examples = readExamples();

  test('are recomputed exactly as stored; until the first release UPDATE_DECISIONS=1 rewrites them', () => {
    for (const { ruleSet, decision } of examples) {
      expect(recompute({ inputs: decision.inputs, ruleSet })).toEqual(decision);
    }
  });

  test('are of every kind: each strategy, rationale, reason, ineligible reason and health reason is among the examples', () => {
    const features = new Set(examples.flatMap(featuresOf));
    for (const feature of Object.keys(EVERY_FEATURE)) expect(features).toContain(feature);
  });
});

type Feature = RuleTarget['strategy'] | RationaleCode | RoutingFact['code'] | IneligibleReason | HealthReason['code'];

const EVERY_FEATURE = {
  priority: true,
  weighted: true,
  success_rate: true,
  lowest_cost: true,
  expected_value: true,
  expected_value_unknown: true,
  smart_routing_rule: true,
  default_provider_order: true,
  requested_gateway: true,
  no_eligible_provider: true,
  rule_matched: true,
  no_rule_matched: true,
  no_method: true,
  canary: true,
  held_out: true,
  weighted_split: true,
  success_rate_exploration: true,
  success_rate_unmeasured: true,
  success_rate_best: true,
  lowest_cost_unknown: true,
  rule_account_missing: true,
  override_drain: true,
  override_disable: true,
  override_force: true,
  override_force_ineffective: true,
  not_configured: true,
  disabled: true,
  currency_not_supported: true,
  method_not_supported: true,
  amount_out_of_range: true,
  disabled_by_operator: true,
  account_degraded: true,
  account_recovering: true,
  account_down: true,
  probe_payment: true,
  requested_gateway_unavailable: true,
  rule_accounts_unavailable: true,
  unlisted_account: true,
  no_healthy_account: true,
  unused: true,
  healthy: true,
  not_enough_data: true,
  recovered: true,
  probing: true,
  faults: true,
  slow: true,
  lookups_failed: true,
  fails_for_others: true,
} as const satisfies Record<Feature, true>;

function readExamples(): readonly StoredExample[] {
  const lines = readFileSync(FILE, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** Those of many decisions that have a feature which none before them has. */
function makeExamples(): readonly StoredExample[] {
  const known = new Set<string | undefined>();
  return fc.sample(worldArbitrary, { seed: 1, numRuns: 4_000 }).flatMap(({ ruleSet, ...world }) => {
    const example = { ruleSet, decision: decide({ ...world, ruleSet: compileRuleSet(ruleSet) }) };
    const fresh = featuresOf(example).filter((feature) => !known.has(feature));
    for (const feature of fresh) known.add(feature);
    return fresh.length === 0 ? [] : [example];
  });
}

function featuresOf({ ruleSet, decision: { record, inputs, ruleId } }: StoredExample): readonly (string | undefined)[] {
  return [
    record.rationaleCode,
    ruleSet.rules.find((rule) => rule.ruleId === ruleId)?.then.strategy,
    ...record.reasons.map(({ code }) => code),
    ...record.candidates.map(({ ineligibleReason }) => ineligibleReason ?? undefined),
    ...inputs.health.flatMap(({ state, why }) => (why === null ? [] : [why.code, `${state} ${why.code}`])),
  ];
}
