import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockIn, UTC_CLOCK } from '../clock.ts';
import { describeHealthReason } from '../health-text.ts';
import { explainDecision, matchesRule, recompute } from '../recompute/explain.ts';
import { readInputs } from '../recompute/stored-inputs.ts';
import { paymentArbitrary, ruleSetArbitrary, worldArbitrary } from '../testing/arbitraries.ts';
import { expectDecision, healthOf } from '../testing/oracle.ts';
import type { Decision } from '../types.ts';
import { compileRuleSet, findRule } from './compile.ts';
import { decide, keepInputs } from './decide.ts';
import { activeOverrides } from './eligibility.ts';

/** Each run draws new cases. */
/** `PROPERTY_TIMES=100 npm test -- unit decide.property` looks a hundred times as long. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);
const RUNS = { numRuns: 300 * TIMES };
const decisions = worldArbitrary.map((world) => ({
  world,
  decision: decide({ ...world, ruleSet: compileRuleSet(world.ruleSet) }),
}));

describe('a decision, for any generated case', () => {
  it('never recommends or plans an account that is ineligible', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const overrides = activeOverrides(world.overrides, world.decidedAt);
        for (const { accountId } of decision.plan) {
          const account = world.accounts.find((entry) => entry.accountId === accountId);
          expect(account).toMatchObject({ enabled: true, configured: true });
          expect(account?.currencies).toContain(world.payment.currency);
          if (world.payment.method !== null) expect(account?.methods).toContain(world.payment.method);
          expect(world.payment.amount).toBeGreaterThanOrEqual(account?.minAmount ?? 0);
          expect(world.payment.amount).toBeLessThanOrEqual(account?.maxAmount ?? Number.POSITIVE_INFINITY);
          const takenOut = overrides.some(
            (entry) =>
              entry.accountId === accountId &&
              entry.action !== 'force' &&
              (entry.method === null || entry.method === world.payment.method),
          );
          expect(takenOut).toBe(false);
        }
      }),
      RUNS,
    );
  });

  it('is not touched by an override that is planned, up to the millisecond before it begins', () => {
    const plannings = fc.tuple(worldArbitrary, fc.integer({ min: -120_000, max: 120_000 }));
    fc.assert(
      fc.property(plannings, ([world, startsInMs]) => {
        const ruleSet = compileRuleSet(world.ruleSet);
        const startsAt = new Date(Date.parse(world.decidedAt) + startsInMs).toISOString();
        const planned = world.overrides.map((override) => ({ ...override, startsAt }));
        const begun = startsInMs > 0 ? [] : world.overrides.map(({ startsAt: _, ...override }) => override);
        const { inputs, ...decision } = decide({ ...world, overrides: planned, ruleSet });
        const { inputs: expectedInputs, ...expected } = decide({ ...world, overrides: begun, ruleSet });
        expect(decision).toEqual(expected);
        expect(inputs.overrides).toHaveLength(expectedInputs.overrides.length);
      }),
      RUNS,
    );
  });

  it('equals the result of an independent implementation of the rules', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision: { record, plan, ruleId } }) => {
        const expected = expectDecision(world);
        expect(plan.map((attempt) => attempt.accountId)).toEqual(expected.plan);
        expect(ruleId).toBe(expected.ruleId);
        for (const { subproviderId, ineligibleReason } of record.candidates) {
          expect(ineligibleReason).toBe(expected.ineligible.get(subproviderId) ?? null);
        }
      }),
      { numRuns: 1_000 * TIMES },
    );
  });

  it('plans every account that can take the payment exactly once, with any health', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const withoutHealth = decide({ ...world, health: [], ruleSet: compileRuleSet(world.ruleSet) });
        const sorted = (plan: typeof decision.plan) => plan.map((attempt) => attempt.accountId).sort();
        expect(sorted(decision.plan)).toEqual(sorted(withoutHealth.plan));
        expect(new Set(sorted(decision.plan)).size).toBe(decision.plan.length);
      }),
      RUNS,
    );
  });

  it('puts healthy accounts before all that are not, except one that is forced or takes a probe payment', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const calm = decide({ ...world, overrides: [], ruleSet: compileRuleSet(world.ruleSet) });
        const states = calm.plan.map(({ accountId }) => healthOf(world, accountId)?.state ?? 'healthy');
        const early = states.slice(0, states.lastIndexOf('healthy') + 1).filter((state) => state !== 'healthy');
        expect(early.length).toBeLessThanOrEqual(1);
        expect(early.every((state) => state === 'probing')).toBe(true);
        expect(decision.plan.length).toBeLessThanOrEqual(world.accounts.length);
      }),
      RUNS,
    );
  });

  it('tries those that are not healthy in the order of their chances', () => {
    fc.assert(
      fc.property(worldArbitrary, (world) => {
        const health = world.health.map((entry) => ({ ...entry, probeSlot: false }));
        const { plan } = decide({ ...world, health, overrides: [], ruleSet: compileRuleSet(world.ruleSet) });
        const own = plan.map(({ accountId }) => healthOf(world, accountId));
        const chances = own.flatMap((entry) =>
          entry === undefined || entry.state === 'healthy' ? [] : [(entry.succeeded + 1) / (entry.succeeded + entry.faulted + 2)],
        );
        expect(chances).toEqual(chances.toSorted((left, right) => right - left));
      }),
      RUNS,
    );
  });

  it('gives, for each account that is not healthy, the effect of its health and the cause', () => {
    const codes = ['account_degraded', 'account_recovering', 'account_down', 'probe_payment'];
    fc.assert(
      fc.property(decisions, ({ world, decision: { plan, record } }) => {
        const healthReasons = record.reasons.filter((reason) => codes.includes(reason.code));
        const forced = new Set(record.overrides.map((override) => override.subproviderId));
        const ill = plan.flatMap(({ accountId }) => {
          const health = healthOf(world, accountId);
          return health === undefined || health.state === 'healthy' || forced.has(accountId) ? [] : [health];
        });
        expect(healthReasons).toHaveLength(ill.length);
        for (const { why } of ill) {
          const sentence = describeHealthReason(why, UTC_CLOCK);
          expect(healthReasons.some((reason) => reason.message.endsWith(sentence))).toBe(true);
        }
      }),
      RUNS,
    );
  });

  it('recommends exactly one account when any candidate is eligible, and none otherwise', () => {
    fc.assert(
      fc.property(decisions, ({ decision: { record, plan } }) => {
        const eligible = record.candidates.filter((candidate) => candidate.eligible);
        expect(eligible.map((candidate) => candidate.subproviderId)).toEqual(plan.map((attempt) => attempt.accountId));
        expect(record.recommended === null).toBe(eligible.length === 0);
        expect(record.rationaleCode === 'no_eligible_provider').toBe(eligible.length === 0);
        const { recommended } = record;
        if (recommended) {
          expect(record.candidates[recommended.index]).toMatchObject({ ...recommended, eligible: true });
          expect(plan[0]).toEqual({ accountId: recommended.subproviderId, gateway: recommended.provider });
        }
      }),
      RUNS,
    );
  });

  it('lists every account once, indexed by place, with a reason exactly when ineligible', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision: { record } }) => {
        expect(record.candidates.map((candidate) => candidate.subproviderId).sort()).toEqual(
          world.accounts.map((account) => account.accountId).sort(),
        );
        for (const [place, candidate] of record.candidates.entries()) {
          expect(candidate.index).toBe(place);
          expect(candidate.eligible).toBe(candidate.ineligibleReason === null);
        }
      }),
      RUNS,
    );
  });

  it('is the same for the same input, and again from what was stored, after a round trip through JSON', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const stored: typeof decision = JSON.parse(JSON.stringify(decision));
        expect(stored).toEqual(decision);
        expect(recompute({ inputs: stored.inputs, ruleSet: JSON.parse(JSON.stringify(world.ruleSet)) })).toEqual(stored);
      }),
      { numRuns: 500 * TIMES },
    );
  });

  it('is the same from the inputs that its payment keeps, with the accounts that are kept elsewhere', () => {
    fc.assert(
      fc.property(decisions, ({ decision: { inputs } }) => {
        const kept = JSON.parse(JSON.stringify(keepInputs(inputs, 'accounts-1')));
        expect(kept).toMatchObject({ accounts: 'accounts-1' });
        expect(kept).not.toHaveProperty('payment');
        expect(readInputs(kept, inputs.payment, inputs.accounts)).toEqual(JSON.parse(JSON.stringify(inputs)));
        const [first] = inputs.health;
        if (first !== undefined) {
          const accounts = inputs.accounts.filter(({ accountId }) => accountId !== first.accountId);
          expect(() => keepInputs({ ...inputs, accounts }, 'accounts-1')).toThrow(first.accountId);
        }
      }),
      { numRuns: 100 * TIMES },
    );
  });

  it("differs for a reader's zone in the sentences of its reasons alone", () => {
    const lagos = clockIn('Africa/Lagos');
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const local = recompute({ inputs: decision.inputs, ruleSet: world.ruleSet }, lagos);
        const withoutSentences = ({ record, ...rest }: Decision) => {
          const reasons = record.reasons.map((reason) => ({ ...reason, message: '' }));
          return { ...rest, record: { ...record, reasons } };
        };
        expect(withoutSentences(local)).toEqual(withoutSentences(decision));
        for (const { message } of local.record.reasons) expect(message).not.toContain('UTC');
      }),
      { numRuns: 300 * TIMES },
    );
  });

  it('keeps the default order among fallbacks that are equally healthy and not forced', () => {
    fc.assert(
      fc.property(worldArbitrary, (world) => {
        const calm = { ...world, health: [], overrides: [], ruleSet: compileRuleSet({ ...world.ruleSet, rules: [] }) };
        const { plan } = decide({ ...calm, payment: { ...world.payment, requestedGateway: null } });
        const planned = plan.map((attempt) => attempt.accountId);
        const listed = world.ruleSet.defaultOrder.filter((accountId) => planned.includes(accountId));
        expect(planned.slice(0, listed.length)).toEqual(listed);
      }),
      RUNS,
    );
  });
});

describe('the compiled look-up', () => {
  it('finds the rule that a scan of all rules in order finds first', () => {
    fc.assert(
      fc.property(ruleSetArbitrary, fc.array(paymentArbitrary, { minLength: 5, maxLength: 10 }), (ruleSet, payments) => {
        const compiled = compileRuleSet(ruleSet);
        for (const payment of payments) {
          expect(findRule(compiled, payment)?.ruleId).toBe(ruleSet.rules.find((rule) => matchesRule(rule, payment))?.ruleId);
        }
      }),
      RUNS,
    );
  });

  it('agrees with the explanation about which rule wins', () => {
    fc.assert(
      fc.property(decisions, ({ world, decision }) => {
        const { rules } = explainDecision({ inputs: decision.inputs, ruleSet: world.ruleSet });
        expect(rules.filter((rule) => rule.verdict === 'wins').map((rule) => rule.ruleId)).toEqual(
          decision.ruleId === null ? [] : [decision.ruleId],
        );
      }),
      { numRuns: 300 * TIMES },
    );
  });
});
