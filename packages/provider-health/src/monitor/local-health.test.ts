import { newId } from '@switchyard/db';
import type { FailureCode, Outcome } from '@switchyard/gateways';
import { beforeEach, describe, expect, test } from 'vitest';
import { well } from '../testing/health-fixture.ts';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { createLocalHealth, type LocalHealth } from './local-health.ts';

const WHERE = { merchantId: 'balogun', accountId: 'paystack', method: 'CARD' };

let now: number;
let missed: number;
let health: LocalHealth;

beforeEach(() => {
  now = Date.parse('2026-11-20T14:00:05Z');
  missed = 0;
  const account = { ...WHERE, gateway: 'paystack', title: 'Paystack', mode: 'live', address: null } as const;
  const known = { ...account, thresholds: DEFAULT_HEALTH_THRESHOLDS };
  health = createLocalHealth({
    now: () => new Date(now),
    attended: { now: () => now - missed, missedMs: () => missed },
    newId,
    account: () => known,
    accountsOf: () => [known],
  });
});

function tick(): void {
  health.registry.addCounts(health.drain(), now);
  for (const move of health.registry.assessAll(now)) health.registry.markStored(move);
}

/** Lets time pass, of which the process attended to nothing for `missedMs`. */
function pass(ms: number, missedMs = 0): void {
  now += ms;
  missed += missedMs;
}

const answered = (latencyMs: number, unsentMs = 0): Outcome<unknown> => ({
  ...well,
  call: { ...well.call, latencyMs, unsentMs },
});
function failed(code: FailureCode, latencyMs: number, unsentMs = 0): Outcome<unknown> {
  const call = { ...well.call, latencyMs, unsentMs };
  return { outcome: 'unknown', failure: { class: 'provider_fault', code, message: 'x' }, call };
}
const state = () => health.snapshot(WHERE.merchantId).find(({ method }) => method === null)?.state;
const counts = () => health.drain().filter(({ method }) => method === '*');

describe('time that this process took itself', () => {
  test('is no time-out of a gateway that had none to answer in', () => {
    const ends = Array.from({ length: 20 }, () => health.beginOpening(WHERE));
    pass(5_000, 4_900);
    for (const end of ends) end(failed('timeout', 5_000));
    expect(counts()).toEqual([]);
  });

  test('is a time-out all the same where the gateway had its time', () => {
    const end = health.beginOpening(WHERE);
    pass(10_000, 1_000);
    end(failed('timeout', 10_000));
    expect(counts()).toMatchObject([{ faulted: 1, timedOut: 1 }]);
  });

  test('before a request was written is not the gateway’s either', () => {
    health.beginOpening(WHERE)(failed('connection_refused', 2_000, 2_000));
    health.beginOpening(WHERE)(failed('timeout', 2_000, 1_900));
    health.observeLookup(WHERE, failed('timeout', 2_000, 1_900));
    expect(counts()).toEqual([]);
    health.beginOpening(WHERE)(failed('connection_refused', 2_000));
    health.beginOpening(WHERE)(failed('http_5xx', 2_000, 1_900));
    health.observeLookup(WHERE, failed('timeout', 2_000, 100));
    expect(counts()).toMatchObject([{ faulted: 2, refused: 1, serverError: 1, lookupsFailed: 1 }]);
  });

  test('makes no gateway slow', () => {
    const end = health.beginOpening(WHERE);
    pass(5_300, 4_900);
    end(answered(5_300, 150));
    expect(counts()).toMatchObject([{ succeeded: 1, latencyMsSum: 250 }]);
  });
});

describe('openings in progress that brought an account down', () => {
  const begin = (count: number) => Array.from({ length: count }, () => health.beginOpening(WHERE));
  /** Eight openings, so late that the account is down. */
  function bringDown() {
    for (let n = 0; n < 20; n++) health.beginOpening(WHERE)(answered(240));
    tick();
    const ends = begin(8);
    pass(1_200);
    tick();
    expect(state()).toBe('down');
    return ends;
  }

  test('take that back once they opened before their time-out', () => {
    const ends = bringDown();
    pass(200);
    for (const end of ends.slice(0, 3)) end(answered(1_400));
    tick();
    expect(state()).toBe('down');
    ends[3]?.(answered(1_400));
    tick();
    expect(state()).toBe('healthy');
  });

  test('leave it down when most of them fail', () => {
    const ends = bringDown();
    pass(800);
    for (const end of ends.slice(0, 3)) end(answered(2_000));
    for (const end of ends.slice(3)) end(failed('timeout', 2_000));
    tick();
    expect(state()).toBe('down');
  });

  test('leave it down when they open after their time-out', () => {
    const ends = bringDown();
    pass(4_800);
    for (const end of ends) end(answered(6_000));
    tick();
    expect(state()).toBe('down');
  });

  test('bring it down again within five minutes only by failing', () => {
    const ends = bringDown();
    pass(200);
    for (const end of ends) end(answered(1_400));
    tick();
    const again = begin(8);
    pass(1_500);
    tick();
    expect(state()).toBe('healthy');
    pass(500);
    for (const end of again) end(failed('timeout', 2_000));
    pass(1_000);
    tick();
    expect(state()).toBe('down');
  });
});
