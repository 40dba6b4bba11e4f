import { describe, expect, it } from 'vitest';
import { compileRuleSet } from './compile.ts';
import { type DecideInput, decide } from './decide.ts';
import { addFallbackReasons } from './recompute.ts';
import {
  aFee,
  aHealth,
  anAccount,
  anOverride,
  aPayment,
  aRule,
  aRuleSet,
  aTarget,
  DECIDED_AT,
  paymentIds,
} from './testing/samples.ts';
import type { Decision, RoutableAccount, RuleSet } from './types.ts';

const PAYSTACK = anAccount('paystack-main');
const FLUTTERWAVE = anAccount('flutterwave-main');
const MONNIFY = anAccount('monnify-main');
const DEFAULT_ORDER = ['paystack-main', 'flutterwave-main', 'monnify-main'];
const CARDS_TO_FLUTTERWAVE = aRuleSet(
  [aRule('Small cards', aTarget('flutterwave-main'), { amount: { from: 0, to: 5_000 } })],
  DEFAULT_ORDER,
);

function decided(change: Partial<Omit<DecideInput, 'ruleSet'>> & { readonly ruleSet?: RuleSet } = {}): Decision {
  const { ruleSet = CARDS_TO_FLUTTERWAVE, ...rest } = change;
  return decide({
    payment: aPayment(),
    accounts: [PAYSTACK, FLUTTERWAVE, MONNIFY],
    health: [],
    overrides: [],
    decidedAt: DECIDED_AT,
    ...rest,
    ruleSet: compileRuleSet(ruleSet),
  });
}

const planOf = (decision: Decision) => decision.plan.map((attempt) => attempt.accountId);
const codesOf = (decision: Decision) => decision.record.reasons.map((reason) => reason.code);
const whyNot = (decision: Decision, accountId: string) =>
  decision.record.candidates.find((candidate) => candidate.subproviderId === accountId)?.ineligibleReason;

describe('the path of a decision', () => {
  it('leads with the accounts of the rule that matches, and falls back on the default order', () => {
    const decision = decided();
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(decision).toMatchObject({
      routingMode: 'smart',
      smartRoutingBypassed: false,
      ruleId: 'Small cards',
      ruleSetVersion: 1,
    });
    expect(decision.record).toEqual({
      version: 1,
      decidedAt: DECIDED_AT,
      rationale: 'flutterwave-main takes NGN 2,500 CARD under rule "Small cards" (NGN 0 to NGN 5,000).',
      rationaleCode: 'smart_routing_rule',
      contextKey: 'NGN|CARD|0-5000',
      overrides: [],
      reasons: [
        {
          code: 'rule_matched',
          title: 'Rule matched',
          message: 'NGN 2,500 CARD matches rule "Small cards" (NGN 0 to NGN 5,000).',
          category: 'rule',
          severity: 'info',
        },
      ],
      candidates: [
        { index: 0, eligible: true, provider: 'flutterwave', subproviderId: 'flutterwave-main', ineligibleReason: null },
        { index: 1, eligible: true, provider: 'paystack', subproviderId: 'paystack-main', ineligibleReason: null },
        { index: 2, eligible: true, provider: 'monnify', subproviderId: 'monnify-main', ineligibleReason: null },
      ],
      recommended: { index: 0, provider: 'flutterwave', subproviderId: 'flutterwave-main' },
    });
  });

  it.each([
    [5_000, 'NGN|CARD|0-5000'],
    [5_001, 'NGN|CARD|5001-20000'],
    [20_000, 'NGN|CARD|5001-20000'],
    [20_001, 'NGN|CARD|20001-*'],
  ])('reads bands as inclusive at both ends: NGN %i is in %s', (amount, contextKey) => {
    const bands = [
      { from: 0, to: 5_000 },
      { from: 5_001, to: 20_000 },
      { from: 20_001, to: null },
    ];
    const ruleSet = aRuleSet(bands.map((band, index) => aRule(`r${index}`, aTarget('paystack-main'), { amount: band })));
    expect(decided({ ruleSet, payment: aPayment({ amount }) }).record.contextKey).toBe(contextKey);
  });

  it('takes the first rule that matches, and passes over rules that are off or for other countries', () => {
    const ruleSet = aRuleSet([
      aRule('off', aTarget('monnify-main'), {}, { enabled: false }),
      aRule('Ghana', aTarget('monnify-main'), { countries: ['GH'] }),
      aRule('anywhere', aTarget('paystack-main')),
      aRule('later', aTarget('flutterwave-main')),
    ]);
    expect(decided({ ruleSet }).ruleId).toBe('anywhere');
    expect(decided({ ruleSet, payment: aPayment({ customerCountry: 'NG' }) }).ruleId).toBe('anywhere');
    expect(decided({ ruleSet, payment: aPayment({ customerCountry: 'GH' }) }).ruleId).toBe('Ghana');
  });

  it('follows the default order when no rule matches', () => {
    const decision = decided({ payment: aPayment({ amount: 5_001 }) });
    expect(planOf(decision)).toEqual(DEFAULT_ORDER);
    expect(decision.record).toMatchObject({ rationaleCode: 'default_provider_order', contextKey: 'NGN|CARD|0-*' });
    expect(codesOf(decision)).toEqual(['no_rule_matched']);
  });

  it('follows the default order without a method, and then asks no account for the method', () => {
    const ussdOnly = { ...PAYSTACK, methods: ['USSD' as const] };
    const decision = decided({ payment: aPayment({ method: null }), accounts: [ussdOnly, FLUTTERWAVE] });
    expect(planOf(decision)).toEqual(['paystack-main', 'flutterwave-main']);
    expect(decision.record).toMatchObject({ rationaleCode: 'default_provider_order', contextKey: 'NGN|ANY|0-*' });
    expect(codesOf(decision)).toEqual(['no_method']);
  });

  it('tries accounts that nothing names last, and says so when one of them has to serve', () => {
    const decision = decided({ ruleSet: aRuleSet([], ['paystack-main']), accounts: [MONNIFY, { ...PAYSTACK, enabled: false }] });
    expect(planOf(decision)).toEqual(['monnify-main']);
    expect(codesOf(decision)).toEqual(['no_rule_matched', 'disabled', 'unlisted_account']);
  });

  it('passes over an account that the rule names and the merchant does not have', () => {
    const ruleSet = aRuleSet([aRule('r', aTarget('gone', 'paystack-main'))]);
    const decision = decided({ ruleSet });
    expect(planOf(decision)[0]).toBe('paystack-main');
    expect(codesOf(decision)).toContain('rule_account_missing');
  });
});

describe('a requested gateway', () => {
  const requested = aPayment({ requestedGateway: 'monnify' });

  it('leads with its accounts in default order, bypasses the rules, and falls back on the default order', () => {
    const second = anAccount('monnify-second');
    const ruleSet = { ...CARDS_TO_FLUTTERWAVE, defaultOrder: ['paystack-main', 'monnify-second', 'monnify-main'] };
    const decision = decided({ payment: requested, ruleSet, accounts: [PAYSTACK, MONNIFY, second, FLUTTERWAVE] });
    expect(planOf(decision)).toEqual(['monnify-second', 'monnify-main', 'paystack-main', 'flutterwave-main']);
    expect(decision).toMatchObject({ routingMode: 'requested', smartRoutingBypassed: true, ruleId: null });
    expect(decision.record).toMatchObject({ rationaleCode: 'requested_gateway', contextKey: 'NGN|CARD|0-*' });
  });

  it('gives way to the fallbacks, with a reason, when it cannot take the payment', () => {
    const decision = decided({ payment: requested, accounts: [PAYSTACK, { ...MONNIFY, maxAmount: 1_000 }] });
    expect(planOf(decision)).toEqual(['paystack-main']);
    expect(decision.record.reasons.map((reason) => reason.message)).toEqual([
      'The merchant asked for monnify, so the rules are bypassed.',
      'monnify-main takes NGN 1 to NGN 1,000, not NGN 2,500.',
      'The merchant asked for monnify, but no account there can take this payment; the default order serves instead.',
    ]);
  });

  it('keeps its place while degraded, because the merchant asked for it', () => {
    expect(planOf(decided({ payment: requested, health: [aHealth('monnify-main', 'degraded')] }))[0]).toBe('monnify-main');
  });
});

describe('eligibility', () => {
  it.each<[string, Partial<RoutableAccount>]>([
    ['not_configured', { configured: false, enabled: false, currencies: [] }],
    ['disabled', { enabled: false, currencies: [] }],
    ['currency_not_supported', { currencies: ['USD'], methods: [] }],
    ['method_not_supported', { methods: ['USSD'], minAmount: 9_999 }],
    ['amount_out_of_range', { minAmount: 2_501 }],
    ['amount_out_of_range', { maxAmount: 2_499 }],
    ['disabled_by_operator', {}],
  ])('names %s, the most lasting obstacle, before an override and poor health', (reason, change) => {
    const decision = decided({
      accounts: [{ ...PAYSTACK, ...change }, MONNIFY],
      overrides: [anOverride('paystack-main', 'drain')],
      health: [aHealth('paystack-main', 'down')],
    });
    expect(whyNot(decision, 'paystack-main')).toBe(reason);
    expect(planOf(decision)).toEqual(['monnify-main']);
  });

  it('recommends nobody when nobody can, and says so', () => {
    const decision = decided({ accounts: [{ ...PAYSTACK, enabled: false }] });
    expect(decision.record).toMatchObject({
      recommended: null,
      rationaleCode: 'no_eligible_provider',
      rationale: 'No account can take NGN 2,500 CARD.',
    });
    expect(codesOf(decision)).toContain('no_eligible_provider');
    expect(decided({ accounts: [] }).plan).toEqual([]);
  });
});

describe('health', () => {
  it('takes an account that is down out of the plan', () => {
    const decision = decided({ health: [aHealth('flutterwave-main', 'down')] });
    expect(planOf(decision)).toEqual(['paystack-main', 'monnify-main']);
    expect(whyNot(decision, 'flutterwave-main')).toBe('unhealthy');
    expect(codesOf(decision)).toEqual(['rule_matched', 'unhealthy', 'rule_accounts_unavailable']);
  });

  it('moves a degraded account behind healthy ones, and only then says so', () => {
    const health = [aHealth('flutterwave-main', 'degraded'), aHealth('monnify-main', 'degraded')];
    const decision = decided({ health });
    expect(planOf(decision)).toEqual(['paystack-main', 'flutterwave-main', 'monnify-main']);
    expect(codesOf(decision)).toEqual(['rule_matched', 'degraded', 'rule_accounts_unavailable']);
  });

  it('is that of the method, and that of the whole account only where the method has none', () => {
    const down = aHealth('flutterwave-main', 'down');
    const cardIsFine = aHealth('flutterwave-main', 'healthy', { method: 'CARD' });
    expect(planOf(decided({ health: [down] }))[0]).toBe('paystack-main');
    expect(planOf(decided({ health: [down, cardIsFine] }))[0]).toBe('flutterwave-main');
    expect(planOf(decided({ health: [cardIsFine, down] }))[0]).toBe('flutterwave-main');
    expect(planOf(decided({ health: [aHealth('flutterwave-main', 'down', { method: 'USSD' })] }))[0]).toBe('flutterwave-main');
  });

  it('lets a probing account take its share of payments, no more', () => {
    const health = [aHealth('flutterwave-main', 'probing', { probePercent: 10 })];
    const ids = paymentIds(5_000);
    const through = ids.filter(
      (paymentId) => planOf(decided({ health, payment: aPayment({ paymentId }) }))[0] === 'flutterwave-main',
    );
    expect(through.length / ids.length).toBeCloseTo(0.1, 1);
    expect(codesOf(decided({ health, payment: aPayment({ paymentId: through[0] ?? '' }) }))).toContain('probe');
  });

  it('still tries the account that did best lately when all are down', () => {
    const health = [
      aHealth('paystack-main', 'down', { succeeded: 1, faulted: 19 }),
      aHealth('flutterwave-main', 'down', { succeeded: 8, faulted: 12 }),
      aHealth('monnify-main', 'down', { succeeded: 0, faulted: 20 }),
    ];
    const decision = decided({ health, payment: aPayment({ amount: 9_000 }) });
    expect(planOf(decision)).toEqual(['flutterwave-main']);
    expect(decision.record.candidates.map((candidate) => candidate.ineligibleReason)).toEqual([null, 'unhealthy', 'unhealthy']);
    expect(decision.record.reasons.at(-1)).toMatchObject({ code: 'all_unhealthy', category: 'health', severity: 'critical' });
  });
});

describe('operator overrides', () => {
  it('take an account out while they last, and are listed', () => {
    const override = anOverride('flutterwave-main', 'drain', { expiresAt: '2026-11-20T16:00:00+01:00' });
    const decision = decided({ overrides: [override] });
    expect(whyNot(decision, 'flutterwave-main')).toBe('disabled_by_operator');
    expect(decision.record.overrides).toEqual([
      {
        provider: 'flutterwave',
        subproviderId: 'flutterwave-main',
        action: 'drain',
        reason: 'Settlement is late.',
        actor: 'ada@example.com',
        expiresAt: '2026-11-20T16:00:00+01:00',
      },
    ]);
  });

  it('that have ended, or are for another method, leave no trace', () => {
    const ended = anOverride('flutterwave-main', 'drain', { expiresAt: DECIDED_AT });
    const endedAbroad = anOverride('flutterwave-main', 'drain', { expiresAt: '2026-11-20T15:00:00+01:00' });
    const elsewhere = anOverride('flutterwave-main', 'disable', { method: 'USSD' });
    expect(decided({ overrides: [ended, endedAbroad, elsewhere] })).toEqual(decided());
  });

  it('put an able account first, whatever its health and whatever was requested', () => {
    const decision = decided({
      overrides: [anOverride('monnify-main', 'force')],
      health: [aHealth('monnify-main', 'down')],
      payment: aPayment({ requestedGateway: 'paystack' }),
    });
    expect(planOf(decision)).toEqual(['monnify-main', 'paystack-main', 'flutterwave-main']);
    expect(codesOf(decision)).toContain('override_force');
    expect(decision.record.overrides).toHaveLength(1);
  });

  it('never force an account that cannot take the payment, and say that they had no effect', () => {
    const decision = decided({
      overrides: [anOverride('monnify-main', 'force')],
      accounts: [PAYSTACK, { ...MONNIFY, methods: ['USSD'] }],
    });
    expect(planOf(decision)).toEqual(['paystack-main']);
    expect(decision.record.overrides).toEqual([]);
    expect(codesOf(decision)).toContain('override_force_ineffective');
  });

  it('take an account out even where another forces it', () => {
    const overrides = [anOverride('monnify-main', 'force'), anOverride('monnify-main', 'disable')];
    expect(whyNot(decided({ overrides }), 'monnify-main')).toBe('disabled_by_operator');
  });
});

describe('strategies', () => {
  const under = (...target: Parameters<typeof aRule>[1][]) =>
    aRuleSet(
      target.map((then) => aRule('r', then)),
      ['monnify-main'],
    );

  it('split by percentage, each payment always the same way', () => {
    const split = [
      { account: 'paystack-main', percent: 70 },
      { account: 'flutterwave-main', percent: 30 },
    ];
    const ruleSet = under({ strategy: 'weighted', split });
    const firsts = paymentIds(5_000).map((paymentId) => planOf(decided({ ruleSet, payment: aPayment({ paymentId }) })));
    expect(firsts.filter((plan) => plan[0] === 'paystack-main').length / firsts.length).toBeCloseTo(0.7, 1);
    expect(firsts.every((plan) => plan[2] === 'monnify-main')).toBe(true);
  });

  it('prefer the best conversion among accounts with enough samples', () => {
    const common = { strategy: 'success_rate', minSamples: 100, explorationPercent: 0 } as const;
    const ruleSet = under({ ...common, accounts: ['paystack-main', 'flutterwave-main', 'monnify-main'] });
    const otherWay = under({ ...common, accounts: ['flutterwave-main', 'paystack-main', 'monnify-main'] });
    const health = [
      aHealth('paystack-main', 'healthy', { paid: 4_400, unpaid: 600 }),
      aHealth('flutterwave-main', 'healthy', { paid: 912, unpaid: 88 }),
      aHealth('monnify-main', 'healthy', { paid: 99, unpaid: 0 }),
    ];
    const decision = decided({ ruleSet, health });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(planOf(decided({ ruleSet: otherWay, health }))).toEqual(planOf(decision));
    expect(decision.record.reasons[1]?.message).toBe(
      'flutterwave-main converts best: 912 of 1,000 (91.2%), against paystack-main 4,400 of 5,000 (88.0%).',
    );
    expect(codesOf(decided({ ruleSet, health: [] }))).toContain('success_rate_unmeasured');
  });

  it('explore with the share they are given and no more', () => {
    const ruleSet = under({
      strategy: 'success_rate',
      accounts: ['paystack-main', 'flutterwave-main', 'monnify-main'],
      minSamples: 1,
      explorationPercent: 20,
    });
    const health = [aHealth('paystack-main', 'healthy', { paid: 9, unpaid: 1 })];
    const firsts = paymentIds(5_000).map(
      (paymentId) => planOf(decided({ ruleSet, health, payment: aPayment({ paymentId }) }))[0],
    );
    for (const accountId of ['flutterwave-main', 'monnify-main']) {
      expect(firsts.filter((first) => first === accountId).length / firsts.length).toBeCloseTo(0.1, 1);
    }
  });

  it('prefer the lowest fee, equal fees in the order written, unknown fees last', () => {
    const ruleSet = under({ strategy: 'lowest_cost', accounts: ['monnify-main', 'paystack-main', 'flutterwave-main'] });
    const accounts = [
      {
        ...PAYSTACK,
        fees: aFee({ percentBasisPoints: 150, flat: 100, flatWaivedBelow: 2_500, cap: 2_000, vatBasisPoints: 750 }),
      },
      { ...FLUTTERWAVE, fees: aFee({ percentBasisPoints: 200, cap: 2_000, vatBasisPoints: 750 }) },
      MONNIFY,
    ];
    const decision = decided({ ruleSet, accounts });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(decision.record.reasons[1]?.message).toBe(
      'flutterwave-main costs least for NGN 2,500: NGN 53.75, against NGN 147.81 at paystack-main.',
    );
    const equal = accounts.map((account) => ({ ...account, fees: aFee({ flat: 10 }) }));
    expect(planOf(decided({ ruleSet, accounts: equal }))).toEqual(['monnify-main', 'paystack-main', 'flutterwave-main']);
  });
});

describe('fallbacks that happened', () => {
  it('add one reason for each gateway that failed, and change nothing else', () => {
    const { record } = decided();
    const failure = { gateway: 'flutterwave', accountId: 'flutterwave-main', code: 'timeout', message: 'No answer in 8 s.' };
    const after = addFallbackReasons(record, [failure, { ...failure, gateway: 'paystack', code: 'http_5xx' }]);
    expect(after).toMatchObject({ ...record, reasons: expect.anything() });
    expect(after.reasons.slice(0, record.reasons.length)).toEqual(record.reasons);
    expect(after.reasons.slice(record.reasons.length)).toMatchObject([
      { category: 'fallback', severity: 'warning', message: expect.stringContaining('No answer in 8 s.') },
      { category: 'fallback', severity: 'warning' },
    ]);
    expect(addFallbackReasons(record, [])).toBe(record);
  });
});
