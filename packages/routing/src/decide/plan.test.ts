import { describe, expect, it } from 'vitest';
import {
  aHealth,
  anAccount,
  anOverride,
  aPayment,
  aRuleSet,
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
import { leadingProbe } from './index.ts';

describe('health', () => {
  it('moves an account that is down to the end of the plan, and never out of it', () => {
    const decision = decided({ health: [aHealth('flutterwave-main', 'down')] });
    expect(planOf(decision)).toEqual(['paystack-main', 'monnify-main', 'flutterwave-main']);
    expect(ineligibleReasonOf(decision, 'flutterwave-main')).toBeNull();
    expect(codesOf(decision)).toEqual(['rule_matched', 'account_down', 'rule_accounts_unavailable']);
    expect(decision.record).toMatchObject({
      rationale: 'paystack-main takes NGN 2,500.00 by card: the first of the default order that can, after rule "Small cards".',
      recommended: { subproviderId: 'paystack-main' },
    });
    expect(decision.record.reasons[1]?.message).toBe(
      'flutterwave-main goes behind the healthy accounts. Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
    );
    expect(decision.record.reasons[2]?.message).toBe(
      'No account of rule "Small cards" is healthy; the default order serves instead.',
    );
  });

  it('puts healthy accounts first, also those that nothing names, then the others by their chances', () => {
    const health = [
      aHealth('paystack-main', 'degraded', { succeeded: 6, faulted: 6 }),
      aHealth('flutterwave-main', 'down', { succeeded: 9, faulted: 11 }),
      aHealth('monnify-main', 'down', { succeeded: 0, faulted: 20 }),
    ];
    const accounts = [MONNIFY, PAYSTACK, FLUTTERWAVE, anAccount('squad-unlisted')];
    const decision = decided({ health, accounts });
    expect(planOf(decision)).toEqual(['squad-unlisted', 'paystack-main', 'flutterwave-main', 'monnify-main']);
    expect(decision.record.rationale).toBe(
      'squad-unlisted takes NGN 2,500.00 by card: no listed account is healthy, after rule "Small cards".',
    );
    const ruleSet = aRuleSet([], DEFAULT_ORDER);
    expect(decided({ health, accounts, ruleSet }).record.reasons.at(-1)).toMatchObject({
      code: 'unlisted_account',
      message: 'No account of the default order is healthy; squad-unlisted, which no order lists, serves.',
    });
  });

  it('orders equal chances by state, then by rank', () => {
    const health = [
      aHealth('paystack-main', 'down'),
      aHealth('flutterwave-main', 'probing', { probeSlot: false }),
      aHealth('monnify-main', 'degraded'),
      aHealth('squad-main', 'down'),
    ];
    const accounts = [PAYSTACK, FLUTTERWAVE, MONNIFY, anAccount('squad-main')];
    const order = ['monnify-main', 'flutterwave-main', 'paystack-main', 'squad-main'];
    expect(planOf(decided({ health, accounts }))).toEqual(order);
  });

  it('is that of the method, and that of the whole account only where the method has none', () => {
    const down = aHealth('flutterwave-main', 'down');
    const cardIsFine = aHealth('flutterwave-main', 'healthy', { method: 'CARD' });
    expect(planOf(decided({ health: [down] }))[0]).toBe('paystack-main');
    expect(planOf(decided({ health: [down, cardIsFine] }))[0]).toBe('flutterwave-main');
    expect(planOf(decided({ health: [cardIsFine, down] }))[0]).toBe('flutterwave-main');
    expect(planOf(decided({ health: [aHealth('flutterwave-main', 'down', { method: 'USSD' })] }))[0]).toBe('flutterwave-main');
  });

  it.each(['degraded', 'down', 'probing'] as const)(
    'puts a requested gateway that is %s behind its healthy fallbacks',
    (state) => {
      const decision = decided({
        payment: aPayment({ requestedGateway: 'monnify' }),
        accounts: [PAYSTACK, MONNIFY, anAccount('monnify-second')],
        health: [aHealth('monnify-main', state), aHealth('paystack-main', 'healthy')],
      });
      expect(planOf(decision)).toEqual(['monnify-second', 'paystack-main', 'monnify-main']);
      const alone = decided({
        payment: aPayment({ requestedGateway: 'monnify' }),
        health: [aHealth('monnify-main', state)],
      });
      expect(planOf(alone)).toEqual(['paystack-main', 'flutterwave-main', 'monnify-main']);
      expect(alone.record.reasons.at(-1)?.message).toBe(
        'The merchant asked for monnify, but no account there is healthy; the default order serves instead.',
      );
    },
  );

  it('tries all accounts, the best chance first, when none is healthy', () => {
    const health = [
      aHealth('paystack-main', 'down', { succeeded: 1, faulted: 19 }),
      aHealth('flutterwave-main', 'down', { succeeded: 8, faulted: 12 }),
      aHealth('monnify-main', 'down', { succeeded: 0, faulted: 20 }),
    ];
    const decision = decided({ health, payment: aPayment({ amount: 9_000 }) });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(decision.record.candidates.every((candidate) => candidate.eligible)).toBe(true);
    expect(decision.record.rationale).toBe(
      'flutterwave-main takes NGN 9,000.00 by card: no account that can take it is healthy, and its chances are best.',
    );
    expect(decision.record.reasons.map((reason) => reason.message)).toEqual([
      'No rule covers NGN 9,000.00 by card, so the default order applies.',
      'paystack-main goes behind accounts with better chances. Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
      'flutterwave-main has the best chance to take NGN 9,000.00 by card. Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
      'monnify-main goes behind accounts with better chances. Down since 14:02 UTC: checkouts take 9.0 s on average (Paystack, all methods).',
      'No account that can take NGN 9,000.00 by card is healthy; all of them are tried, flutterwave-main first, because its chances are best.',
    ]);
    expect(decision.record.reasons.at(-1)).toMatchObject({
      code: 'no_healthy_account',
      category: 'health',
      severity: 'critical',
    });
    const [first, ...others] = health;
    const milder = decided({ health: [{ ...(first ?? aHealth('x', 'down')), state: 'degraded' }, ...others] });
    expect(milder.record.reasons.at(-1)).toMatchObject({ code: 'no_healthy_account', severity: 'warning' });
  });

  it('reports that a requested gateway cannot take the payment also when no other account is healthy', () => {
    const decision = decided({
      payment: aPayment({ requestedGateway: 'monnify' }),
      accounts: [PAYSTACK, { ...MONNIFY, maxAmount: 1_000 }],
      health: [aHealth('paystack-main', 'down')],
    });
    expect(codesOf(decision)).toEqual([
      'requested_gateway',
      'amount_out_of_range',
      'account_down',
      'requested_gateway_unavailable',
      'no_healthy_account',
    ]);
  });
});

describe('a probe payment', () => {
  const free = (accountId: string) => aHealth(accountId, 'probing', { probeSlot: true });

  it('goes to the recovering account whose slot is free, in its place, with another account behind it', () => {
    const decision = decided({ health: [free('flutterwave-main')] });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(leadingProbe(decision)).toEqual(free('flutterwave-main'));
    expect(decision.record.reasons[1]).toMatchObject({
      code: 'probe_payment',
      severity: 'info',
      message:
        'flutterwave-main is in recovery and takes this payment as a probe payment; paystack-main takes over if it fails. Probing since 14:02 UTC: 1 of 3 probe payments succeeded so far (Paystack, all methods).',
    });
  });

  it('is not taken once the slot is gone: the account goes last', () => {
    const decision = decided({ health: [aHealth('flutterwave-main', 'probing', { probeSlot: false })] });
    expect(planOf(decision)).toEqual(['paystack-main', 'monnify-main', 'flutterwave-main']);
    expect(leadingProbe(decision)).toBeNull();
    expect(codesOf(decision)).toContain('account_recovering');
  });

  it('probes one account at a time: a second one goes last', () => {
    const decision = decided({ health: [free('flutterwave-main'), free('paystack-main')] });
    expect(planOf(decision)).toEqual(['flutterwave-main', 'monnify-main', 'paystack-main']);
  });

  it('is shielded by accounts that are down where no healthy one is left, and needs no shield where the account is alone', () => {
    const shielded = decided({
      health: [free('paystack-main'), aHealth('flutterwave-main', 'down')],
      accounts: [PAYSTACK, FLUTTERWAVE],
    });
    expect(planOf(shielded)).toEqual(['paystack-main', 'flutterwave-main']);
    expect(leadingProbe(shielded)).not.toBeNull();
    const ruleSet = aRuleSet([], DEFAULT_ORDER);
    const alone = decided({ ruleSet, health: [free('paystack-main')], accounts: [PAYSTACK] });
    expect(leadingProbe(alone)).not.toBeNull();
    expect(codesOf(alone)).toEqual(['no_rule_matched', 'probe_payment']);
    // Without a slot it takes the payment all the same, as there is no other, and proves nothing.
    const taken = decided({ ruleSet, health: [aHealth('paystack-main', 'probing', { probeSlot: false })], accounts: [PAYSTACK] });
    expect([planOf(taken), leadingProbe(taken)]).toEqual([['paystack-main'], null]);
    expect(leadingProbe(decided({ accounts: [] }))).toBeNull();
  });

  it('is none where the account is only a fallback: it keeps its place with an account behind it, and goes last without', () => {
    const kept = decided({ health: [free('paystack-main')] });
    expect(planOf(kept)).toEqual(['flutterwave-main', 'paystack-main', 'monnify-main']);
    expect(leadingProbe(kept)).toBeNull();
    expect(kept.record.reasons[1]).toMatchObject({
      code: 'account_recovering',
      severity: 'info',
      message:
        'paystack-main is in recovery and keeps its place as a fallback. Probing since 14:02 UTC: 1 of 3 probe payments succeeded so far (Paystack, all methods).',
    });
    const last = decided({ health: [free('monnify-main')] });
    expect(planOf(last).at(-1)).toBe('monnify-main');
    expect(last.record.reasons[1]?.message).toBe(
      'monnify-main goes behind the healthy accounts. Probing since 14:02 UTC: 1 of 3 probe payments succeeded so far (Paystack, all methods).',
    );
  });
});

describe('operator overrides', () => {
  it('take an account out while they last, and are listed', () => {
    const override = anOverride('flutterwave-main', 'drain', { expiresAt: '2026-11-20T16:00:00+01:00' });
    const decision = decided({ overrides: [override] });
    expect(ineligibleReasonOf(decision, 'flutterwave-main')).toBe('disabled_by_operator');
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

  it('put an eligible account first, with any health and any requested gateway', () => {
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
    expect(ineligibleReasonOf(decided({ overrides }), 'monnify-main')).toBe('disabled_by_operator');
  });
});
