import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide } from '../decide/decide.ts';
import { worldArbitrary } from '../testing/arbitraries.ts';
import { decisionInputsSchema } from './stored-inputs.ts';

describe('inputs read back from storage', () => {
  it('are what was stored, field for field', () => {
    fc.assert(
      fc.property(worldArbitrary, (world) => {
        const { inputs } = decide({ ...world, ruleSet: compileRuleSet(world.ruleSet) });
        expect(decisionInputsSchema.parse(JSON.parse(JSON.stringify(inputs)))).toEqual(inputs);
      }),
      { numRuns: 300 },
    );
  });
});
