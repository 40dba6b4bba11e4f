import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { recompute } from '../recompute/explain.ts';
import { ruleSetArbitrary, worldArbitrary } from '../testing/arbitraries.ts';
import { decideInShadow } from './decide-in-shadow.ts';

/** Freezes a value and everything in it, so that a write throws. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

it('changes nothing of the real decision, and is what the draft decides, for any rules, draft and payment', () => {
  fc.assert(
    fc.property(worldArbitrary, ruleSetArbitrary, (world, draftRules) => {
      const live = compileRuleSet(world.ruleSet);
      const real = decide({ ...world, ruleSet: live });
      // As it was stored.
      const stored = freeze(JSON.parse(JSON.stringify({ inputs: real.inputs, record: real.record })));
      const before = JSON.stringify(stored);
      const draft = compileRuleSet(draftRules);
      const compared = decideInShadow({ inputs: stored.inputs, taken: stored.record }, draft);

      expect(JSON.stringify(stored)).toBe(before);
      expect(recompute({ inputs: stored.inputs, ruleSet: live })).toEqual(real);
      expect(decide({ ...world, ruleSet: live })).toEqual(real);
      const byDraft = decide({ ...world, ruleSet: draft });
      expect(compared.accountId).toBe(byDraft.plan[0]?.accountId ?? null);
      expect(compared.ruleId).toBe(byDraft.ruleId);
      expect(compared.liveAccountId).toBe(real.plan[0]?.accountId ?? null);
      expect(compared.result === 'MOVED').toBe(real.plan[0]?.accountId !== byDraft.plan[0]?.accountId);
    }),
    { numRuns: 300 },
  );
});

it('finds the rules in force the same, fallbacks included', () => {
  fc.assert(
    fc.property(worldArbitrary, (world) => {
      const live = compileRuleSet(world.ruleSet);
      const real = decide({ ...world, ruleSet: live });
      expect(decideInShadow({ inputs: real.inputs, taken: real.record }, live)).toMatchObject({
        result: 'SAME',
        ruleId: real.ruleId,
      });
    }),
    { numRuns: 200 },
  );
});
