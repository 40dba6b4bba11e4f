import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide, keepInputs } from '../decide/decide.ts';
import { worldArbitrary } from '../testing/arbitraries.ts';
import { accountsIdOf, decisionInputsSchema, readAccounts, readInputs } from './stored-inputs.ts';

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

  it('are what was stored where the accounts and the payment are kept apart', () => {
    fc.assert(
      fc.property(worldArbitrary, (world) => {
        const { inputs } = decide({ ...world, ruleSet: compileRuleSet(world.ruleSet) });
        const stored: unknown = JSON.parse(JSON.stringify(keepInputs(inputs, 'accounts-1')));
        const accounts = readAccounts(JSON.parse(JSON.stringify(inputs.accounts)));
        expect(accountsIdOf(stored)).toBe('accounts-1');
        expect(readInputs(stored, inputs.payment, accounts)).toEqual(inputs);
      }),
      { numRuns: 300 },
    );
  });

  it('with other accounts than the decision was taken among are not read', () => {
    fc.assert(
      fc.property(worldArbitrary, (world) => {
        const { inputs } = decide({ ...world, ruleSet: compileRuleSet(world.ruleSet) });
        const stored: unknown = JSON.parse(JSON.stringify(keepInputs(inputs, 'accounts-1')));
        expect(readInputs(stored, inputs.payment, null)).toBeNull();
        if (inputs.health.length > 0) expect(readInputs(stored, inputs.payment, [])).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});
