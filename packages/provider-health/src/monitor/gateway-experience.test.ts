import { newId } from '@switchyard/db';
import type { FailureCode, OutcomeClass } from '@switchyard/gateways';
import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import { beforeEach, describe, expect, test } from 'vitest';
import { well } from '../testing/health-fixture.ts';
import { DEFAULT_HEALTH_THRESHOLDS, type HealthThresholds } from '../thresholds/thresholds.ts';
import type { KnownAccount } from './gateway-experience.ts';
import { createLocalHealth, type LocalHealth } from './local-health.ts';
import type { HealthChange } from './queries.ts';

const BEGIN = Date.parse('2026-11-20T14:00:05Z');
const BUSY = 'busy';
const QUIET = 'quiet';
const THIRD = 'third';

let now: number;
let thresholds: Record<string, HealthThresholds>;
let addresses: Record<string, string>;
let health: LocalHealth;
let moves: HealthChange[];

/** Each merchant has one account at Paystack, named like the merchant. */
beforeEach(() => {
  now = BEGIN;
  thresholds = {};
  addresses = {};
  moves = [];
  const account = (merchantId: string): KnownAccount => ({
    merchantId,
    accountId: merchantId,
    gateway: 'paystack',
    title: 'Paystack',
    mode: 'live',
    address: addresses[merchantId] ?? null,
    thresholds: thresholds[merchantId] ?? DEFAULT_HEALTH_THRESHOLDS,
  });
  health = createLocalHealth({ now: () => new Date(now), newId, account, accountsOf: (merchantId) => [account(merchantId)] });
});

function later(seconds: number, perSecond: () => void = () => undefined): void {
  for (let second = 0; second < seconds; second++) {
    perSecond();
    now += 1_000;
    health.registry.addCounts(health.drain(), now);
    for (const move of health.registry.assessAll(now)) {
      health.registry.markStored(move);
      if (move.change.event !== null) moves.push(move.change);
    }
  }
}

function open(merchantId: string, outcome: typeof well, method = 'CARD'): void {
  health.beginOpening({ merchantId, accountId: merchantId, method })(outcome);
}

function fails(code: FailureCode, failureClass: OutcomeClass = 'provider_fault'): typeof well {
  return { outcome: 'no', failure: { class: failureClass, code, message: 'x' }, call: well.call };
}

function stateOf(merchantId: string, method: string | null = 'CARD'): string | undefined {
  const entries = health.snapshot(merchantId);
  return (entries.find((one) => one.method === method) ?? entries.find((one) => one.method === null))?.state;
}

describe('an outage of one merchant', () => {
  test('demotes the accounts of merchants without traffic there, within seconds, and explains why', () => {
    later(10, () => open(BUSY, fails('http_5xx')));
    expect(stateOf(QUIET)).toBe('down');
    const [known] = health.snapshot(QUIET).filter(({ method }) => method === 'CARD');
    expect(known).toMatchObject({ succeeded: 0, faulted: 0 });
    expect(describeHealthReason(known?.why ?? null, UTC_CLOCK)).toBe(
      'Down since 14:00 UTC: 5 of 5 checkouts of other merchants failed, and this account opened none since (Paystack, card).',
    );
    expect(known?.probeSlot).toBeUndefined();
  });

  test('does the same for a partial failure', () => {
    later(60, () => {
      for (let n = 0; n < 3; n++) open(BUSY, n === 0 ? fails('timeout') : well);
    });
    expect([stateOf(BUSY), stateOf(QUIET)]).toEqual(['degraded', 'degraded']);
  });

  test('ends for all merchants at once', () => {
    later(10, () => open(BUSY, fails('timeout')));
    later(90, () => {
      if (stateOf(BUSY) === 'probing') open(BUSY, well);
    });
    expect([stateOf(BUSY), stateOf(QUIET)]).toEqual(['healthy', undefined]);
  });

  test('does not affect a merchant whose own checkouts succeed, and that success clears the gateway for others', () => {
    later(10, () => open(BUSY, fails('connection_refused')));
    expect([stateOf(QUIET), stateOf(THIRD)]).toEqual(['down', 'down']);
    later(10);
    open(QUIET, well);
    later(1);
    expect([stateOf(QUIET), stateOf(THIRD)]).toEqual(['healthy', 'healthy']);
  });

  test('is ignored once payments no longer prove it', () => {
    later(10, () => open(BUSY, fails('timeout')));
    later(120);
    expect(stateOf(QUIET)).toBe('down');
    later(60);
    expect([stateOf(BUSY), stateOf(QUIET)]).toEqual(['probing', 'healthy']);
  });

  test('is recorded with its end for accounts that went by it alone, and leaves no evidence against them', () => {
    for (let n = 0; n < 4; n++) open(QUIET, fails('timeout'));
    later(10, () => open(BUSY, fails('timeout')));
    expect(stateOf(QUIET)).toBe('down');
    later(120, () => {
      if (stateOf(BUSY) === 'probing') open(BUSY, well);
    });
    const own = moves.filter(({ accountId, method }) => accountId === QUIET && method === 'CARD');
    expect(own.map(({ state, event }) => [event?.fromState, state])).toEqual([
      ['healthy', 'down'],
      ['down', 'healthy'],
    ]);
    expect(own.map(({ why }) => describeHealthReason(why, UTC_CLOCK))).toEqual([
      'Down since 14:00 UTC: 5 of 5 checkouts of other merchants failed, and this account opened none since (Paystack, card).',
      'Healthy since 14:01 UTC: checkouts of other merchants show no trouble any more (Paystack, card).',
    ]);
    open(QUIET, fails('timeout'));
    later(2);
    expect(stateOf(QUIET)).toBe('healthy');
  });

  test('becomes the account’s own once its own checkouts prove it, and that is recorded', () => {
    later(10, () => open(BUSY, fails('timeout')));
    expect(health.details(QUIET).map(({ fromOthers }) => fromOthers)).toEqual([true, true]);
    later(1);
    for (let n = 0; n < 10; n++) open(QUIET, fails('timeout'));
    later(2);
    expect(health.details(QUIET).map(({ fromOthers }) => fromOthers)).toEqual([false, false]);
    const own = moves.filter(({ accountId, method }) => accountId === QUIET && method === 'CARD');
    expect(own.map(({ event, why }) => [event?.fromState, why?.code])).toEqual([
      ['healthy', 'fails_for_others'],
      ['down', 'faults'],
    ]);
  });

  test('demotes an account only once, however long it lasts elsewhere', () => {
    later(10, () => open(BUSY, fails('timeout')));
    expect(stateOf(QUIET)).toBe('down');
    later(10);
    open(THIRD, well);
    later(2);
    expect(stateOf(QUIET)).toBe('healthy');
    later(100);
    expect([stateOf(QUIET), stateOf(BUSY)]).toEqual(['healthy', 'probing']);
  });

  test('affects its method only', () => {
    later(60, () => {
      open(BUSY, fails('timeout'), 'USSD');
      for (let n = 0; n < 9; n++) open(BUSY, well, 'CARD');
    });
    expect([stateOf(QUIET, 'USSD'), stateOf(QUIET, 'CARD')]).toEqual(['down', undefined]);
  });
});

describe('a fault caused by one merchant alone', () => {
  test.each([
    ['a refused key', fails('invalid_credentials', 'our_configuration')],
    ['a declined customer', fails('declined', 'customer')],
    ['a rate limit', fails('rate_limited')],
    ['an answer that cannot be read', fails('malformed_answer')],
  ])('does not count for other accounts: %s', (_, outcome) => {
    later(30, () => open(BUSY, outcome));
    expect(stateOf(QUIET)).toBeUndefined();
  });

  test('does not affect others: thresholds at which a few faults are an outage', () => {
    thresholds[BUSY] = { ...DEFAULT_HEALTH_THRESHOLDS, hardFaults: 2 };
    for (let n = 0; n < 2; n++) open(BUSY, fails('timeout'));
    later(1);
    expect([stateOf(BUSY), stateOf(QUIET)]).toEqual(['down', undefined]);
  });

  test('does not affect others: another base URL of the gateway', () => {
    addresses[BUSY] = 'http://127.0.0.1:4011';
    later(10, () => open(BUSY, fails('timeout')));
    expect(stateOf(QUIET)).toBeUndefined();
  });
});

describe('a merchant who does not learn from others', () => {
  test.each([BUSY, QUIET])('is neither affected by their faults nor affects them: %s', (merchantId) => {
    thresholds[merchantId] = { ...DEFAULT_HEALTH_THRESHOLDS, learnFromOthers: false };
    later(10, () => open(BUSY, fails('timeout')));
    expect([stateOf(BUSY), stateOf(QUIET)]).toEqual(['down', undefined]);
  });
});

describe('the time-out of an opening', () => {
  test('is twice what is usual at the account, or at the gateway where the account has opened too little', () => {
    expect(health.openingTimeoutMs(BUSY, 'CARD')).toBe(8_000);
    const slowish = { ...well, call: { ...well.call, latencyMs: 1_200 } };
    later(12, () => open(BUSY, slowish));
    expect([health.openingTimeoutMs(BUSY, 'CARD'), health.openingTimeoutMs(BUSY, null)]).toEqual([2_400, 2_400]);
    expect(health.openingTimeoutMs(QUIET, 'CARD')).toBe(2_400);
    later(10, () => open(QUIET, well));
    expect(health.openingTimeoutMs(QUIET, 'CARD')).toBe(2_000);
  });

  test('is not learned from an account that is slow', () => {
    later(60, () => open(BUSY, { ...well, call: { ...well.call, latencyMs: 6_000 } }));
    expect(health.openingTimeoutMs(BUSY, 'CARD')).toBe(8_000);
  });
});
