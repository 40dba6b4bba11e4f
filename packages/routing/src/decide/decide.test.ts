import { describe, expect, it } from 'vitest';
import { clockIn } from '../clock.ts';
import { recompute } from '../recompute/explain.ts';
import {
  aHealth,
  anAccount,
  anOverride,
  aPayment,
  aRule,
  aRuleSet,
  aTarget,
  CARDS_TO_FLUTTERWAVE,
  codesOf,
  DECIDED_AT,
  DEFAULT_ORDER,
  decided,
  FLUTTERWAVE,
  ineligibleReasonOf,
  MONNIFY,
  PAYSTACK,
  planOf,
} from '../testing/samples.ts';
import type { RoutableAccount } from '../types.ts';
import { addFallbackReasons } from './index.ts';

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
      rationale: 'flutterwave-main takes NGN 2,500.00 by card under rule "Small cards" (NGN 0 to NGN 5,000).',
      rationaleCode: 'smart_routing_rule',
      contextKey: 'NGN|CARD|0-5000',
      overrides: [],
      reasons: [
        {
          code: 'rule_matched',
          title: 'Rule matched',
          message: 'NGN 2,500.00 by card matches rule "Small cards" (NGN 0 to NGN 5,000).',
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

  it('follows the default order without a method, and then requires the method of no account', () => {
    const ussdOnly = { ...PAYSTACK, methods: ['USSD' as const] };
    const decision = decided({ payment: aPayment({ method: null }), accounts: [ussdOnly, FLUTTERWAVE] });
    expect(planOf(decision)).toEqual(['paystack-main', 'flutterwave-main']);
    expect(decision.record).toMatchObject({ rationaleCode: 'default_provider_order', contextKey: 'NGN|ANY|0-*' });
    expect(codesOf(decision)).toEqual(['no_method']);
  });

  it('tries accounts that nothing names last, and gives the reason when one of them is chosen', () => {
    const decision = decided({ ruleSet: aRuleSet([], ['paystack-main']), accounts: [MONNIFY, { ...PAYSTACK, enabled: false }] });
    expect(planOf(decision)).toEqual(['monnify-main']);
    expect(codesOf(decision)).toEqual(['no_rule_matched', 'disabled', 'unlisted_account']);
  });

  it('passes over an account that the rule names and the merchant does not have', () => {
    const ruleSet = aRuleSet([aRule('r', aTarget('gone', 'paystack-main'))]);
    const decision = decided({ ruleSet });
    expect(planOf(decision)[0]).toBe('paystack-main');
    expect(codesOf(decision)).toContain('rule_account_missing');
    expect(codesOf(decision).filter((code) => code === 'rule_account_missing')).toHaveLength(1);
    const whole = decided({ ruleSet: aRuleSet([aRule('r', aTarget('paystack-main', 'monnify-main'))]) });
    expect(codesOf(whole)).not.toContain('rule_account_missing');
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

  it('is replaced by the fallbacks, with a reason, when it cannot take the payment', () => {
    const decision = decided({ payment: requested, accounts: [PAYSTACK, { ...MONNIFY, maxAmount: 1_000 }] });
    expect(planOf(decision)).toEqual(['paystack-main']);
    expect(decision.record.reasons.map((reason) => reason.message)).toEqual([
      'The merchant asked for monnify, so the rules are bypassed.',
      'monnify-main takes NGN 1 to NGN 1,000, not NGN 2,500.00.',
      'The merchant asked for monnify, but no account there can take this payment; the default order serves instead.',
    ]);
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
    expect(ineligibleReasonOf(decision, 'paystack-main')).toBe(reason);
    expect(planOf(decision)).toEqual(['monnify-main']);
  });

  it('recommends no account when none is eligible, and gives the reason', () => {
    const decision = decided({ accounts: [{ ...PAYSTACK, enabled: false }] });
    expect(decision.record).toMatchObject({
      recommended: null,
      rationaleCode: 'no_eligible_provider',
      rationale: 'No account can take NGN 2,500.00 by card.',
    });
    expect(codesOf(decision)).toContain('no_eligible_provider');
    expect(decided({ accounts: [] }).plan).toEqual([]);
  });
});

describe('reasons, as merchants read them', () => {
  const account = anAccount('01990000-0000-7000-8000-000000000001', { label: 'paystack-main' });
  const override = anOverride(account.accountId, 'drain', {
    actor: 'staff:01990000-0000-7000-8000-00000000000a',
    expiresAt: '2026-11-20T15:30:00.000Z',
  });
  const missing = '01990000-0000-7000-8000-00000000000b';
  const world = {
    accounts: [account],
    overrides: [override],
    ruleSet: aRuleSet([aRule('cards', aTarget(missing, account.accountId))], []),
  };

  it('carry names and plain times, no internal ids', () => {
    const decision = decided(world);
    const failure = { gateway: 'paystack', accountId: account.accountId, code: 'timeout', message: 'No answer in 8 s.' };
    const { rationale, reasons } = addFallbackReasons(decision, [failure]);
    const sentences = [rationale, ...reasons.flatMap(({ title, message }) => [title, message])].join('\n');
    expect(sentences).not.toMatch(/01990000|\dT\d/);
    expect(sentences).toContain('An operator drains paystack-main until 20 Nov 2026, 15:30 UTC: ');
    expect(sentences).toContain('The rule names an account that this merchant does not have; it is skipped.');
  });

  it("have their times in a reader's zone, from the instants stored", () => {
    const why = {
      code: 'probing',
      gateway: 'Paystack',
      method: 'CARD',
      since: '2026-11-20T23:40:00.000Z',
      answered: 1,
      needed: 3,
    } as const;
    const spare = anAccount('flutterwave-main');
    const fault = { kind: 'settings', message: '', since: '2026-11-20T13:59:00.000Z' } as const;
    const refused = anAccount('paystack-spare', { configured: false, configurationFault: fault });
    const { inputs } = decided({
      ...world,
      ruleSet: aRuleSet([], [account.accountId, spare.accountId, refused.accountId]),
      accounts: [account, spare, refused],
      health: [aHealth(spare.accountId, 'probing', { why })],
    });
    const stored = JSON.parse(JSON.stringify(inputs));
    const { reasons } = recompute(
      {
        inputs: stored,
        ruleSet: aRuleSet(
          [],
          inputs.accounts.map(({ accountId }) => accountId),
        ),
      },
      clockIn('Africa/Lagos'),
    ).record;
    const sentences = reasons.map(({ message }) => message).join('\n');
    expect(sentences).toContain('An operator drains paystack-main until 20 Nov 2026, 16:30: ');
    expect(sentences).toContain('Probing since 00:40: 1 of 3 probe payments succeeded so far (Paystack, card).');
    expect(sentences).toContain('paystack-spare is out of rotation since 14:59: ');
    expect(sentences).not.toContain('UTC');
  });
});

describe('fallbacks that happened', () => {
  it('add one reason for each gateway that failed, and change nothing else', () => {
    const decision = decided();
    const { record } = decision;
    const failure = { gateway: 'flutterwave', accountId: 'flutterwave-main', code: 'timeout', message: 'No answer in 8 s.' };
    const after = addFallbackReasons(decision, [failure, { ...failure, gateway: 'paystack', code: 'http_5xx' }]);
    expect(after).toMatchObject({ ...record, reasons: expect.anything() });
    expect(after.reasons.slice(0, record.reasons.length)).toEqual(record.reasons);
    expect(after.reasons.slice(record.reasons.length)).toMatchObject([
      {
        code: 'gateway_failed_timeout',
        title: 'flutterwave failed',
        category: 'fallback',
        severity: 'warning',
        message: 'flutterwave-main did not open a checkout: No answer in 8 s.',
      },
      { code: 'gateway_failed_http_5xx', title: 'paystack failed', category: 'fallback', severity: 'warning' },
    ]);
    expect(addFallbackReasons(decision, [])).toBe(record);
  });
});
