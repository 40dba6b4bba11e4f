import { describe, expect, it } from 'vitest';
import { codesOf, decided, MONNIFY, PAYSTACK, planOf, whyNot } from './testing/merchant.ts';
import { aHealth, anOverride, aPayment, DECIDED_AT, paymentIds } from './testing/samples.ts';

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
