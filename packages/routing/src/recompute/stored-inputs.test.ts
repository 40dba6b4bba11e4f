import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileRuleSet } from '../decide/compile.ts';
import { decide, keepInputs } from '../decide/decide.ts';
import { healthReasonArbitrary, worldArbitrary } from '../testing/arbitraries.ts';
import { accountsIdOf, readAccounts, readHealthReason, readInputs } from './stored-inputs.ts';

describe('inputs read back from storage', () => {
  it('are what was stored, field for field', () => {
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

  it('of a policy or format that is unknown are not read', () => {
    const [world] = fc.sample(worldArbitrary, 1);
    if (world === undefined) throw new Error('no example');
    const { inputs } = decide({ ...world, ruleSet: compileRuleSet(world.ruleSet) });
    const kept = keepInputs(inputs, 'accounts-1');
    for (const stored of [{ ...kept, policy: 2 }, { ...kept, health: [['?']] }, {}, null, inputs]) {
      expect(readInputs(JSON.parse(JSON.stringify(stored)), inputs.payment, inputs.accounts)).toBeNull();
    }
  });
});

describe('a health reason read back from storage', () => {
  it('is the one that was stored, and null in a format that is unknown', () => {
    fc.assert(
      fc.property(healthReasonArbitrary, (reason) => {
        expect(readHealthReason(JSON.parse(JSON.stringify(reason)))).toEqual(reason);
      }),
    );
    for (const stored of ['Down.', { code: 'new' }, { code: 'slow' }, null]) expect(readHealthReason(stored)).toBeNull();
  });
});
