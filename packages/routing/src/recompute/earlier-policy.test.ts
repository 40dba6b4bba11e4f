import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worldArbitrary } from '../testing/arbitraries.ts';
import type { Decision, RuleSet } from '../types.ts';
import { explainEligibility } from './explain-eligibility.ts';
import { recompute } from './recompute.ts';
import { decisionInputsSchema } from './stored-inputs.ts';

interface StoredExample {
  readonly ruleSet: RuleSet;
  readonly decision: Decision;
}

/** Decisions as they were stored before inputs carried a policy: every reason and every sentence of that time is among them. */
const EXAMPLES = readExamples('earlier-decisions.jsonl');

function readExamples(file: string): readonly StoredExample[] {
  const lines = readFileSync(new URL(`../testing/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line));
}

describe('decisions stored without a policy', () => {
  it('are recomputed exactly as stored', () => {
    for (const { ruleSet, decision } of EXAMPLES) {
      expect(recompute({ inputs: decisionInputsSchema.parse(decision.inputs), ruleSet })).toEqual(decision);
    }
  });

  it('are of every kind: each health reason, each rationale code and each ineligible reason is among the examples', () => {
    const records = EXAMPLES.map(({ decision }) => decision.record);
    const codes = new Set(records.flatMap(({ reasons }) => reasons.map(({ code }) => code)));
    for (const code of ['unhealthy', 'probe', 'probe_held_back', 'degraded', 'degraded_recommended', 'all_unhealthy']) {
      expect(codes).toContain(code);
    }
    expect(new Set(records.map(({ rationaleCode }) => rationaleCode)).size).toBe(4);
    const ineligible = new Set(records.flatMap(({ candidates }) => candidates.map(({ ineligibleReason }) => ineligibleReason)));
    expect(ineligible.size).toBe(8);
  });

  it('show in their conditions that poor health left an account out', () => {
    const failing = EXAMPLES.flatMap(({ decision: { inputs, record } }) =>
      inputs.accounts.flatMap((account) => {
        const candidate = record.candidates.find(({ subproviderId }) => subproviderId === account.accountId);
        const health = explainEligibility(account, inputs).find(({ condition }) => condition === 'health');
        return candidate?.ineligibleReason === 'unhealthy' ? [health?.outcome] : [];
      }),
    );
    expect(failing.length).toBeGreaterThan(5);
    expect(new Set(failing)).toEqual(new Set(['fails']));
  });

  it('leave out an account that is down while another can serve, for any generated case, and stay without a policy', () => {
    fc.assert(
      fc.property(worldArbitrary, ({ ruleSet, ...world }) => {
        const { inputs, plan, record } = recompute({ inputs: world, ruleSet });
        expect('policy' in inputs).toBe(false);
        const out = record.candidates.filter(({ ineligibleReason }) => ineligibleReason === 'unhealthy');
        for (const { subproviderId } of out) expect(plan.map(({ accountId }) => accountId)).not.toContain(subproviderId);
        if (out.length > 0) expect(plan.length).toBeGreaterThan(0);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('decisions stored under policy 4', () => {
  const examples = readExamples('decisions-of-policy-4.jsonl');

  it('are recomputed exactly as stored, with the words of their time', () => {
    for (const { ruleSet, decision } of examples) {
      expect(decision.inputs.policy).toBe(4);
      expect(recompute({ inputs: decisionInputsSchema.parse(decision.inputs), ruleSet })).toEqual(decision);
    }
  });

  it('hold every word that has another one now', () => {
    const sentences = examples.flatMap(({ decision: { record } }) => record.reasons.map(({ message }) => message)).join('\n');
    const earlier = ['look-ups', 'switched off', 'passed over', 'met a server error', 'met a rate limit', 'went unanswered'];
    for (const words of earlier) expect(sentences).toContain(words);
    const { ruleSet, decision } = examples[0] ?? EXAMPLES[0] ?? { ruleSet: null, decision: null };
    if (ruleSet === null || decision === null) throw new Error('no example');
    const now = recompute({ inputs: { ...decisionInputsSchema.parse(decision.inputs), policy: 5 }, ruleSet });
    expect(now.plan).toEqual(decision.plan);
    expect(JSON.stringify(now.record)).not.toMatch(/look-up|switched off|passed over|met a|unanswered/);
  });
});
