import { newId } from '@switchyard/db';
import type { FailureCode, Outcome } from '@switchyard/gateways';
import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
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
    attended: { now: () => now - missed, missedWithin: () => missed },
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

describe('a time-out', () => {
  test.each([0, 500, 1_000, 1_500, 1_700])(
    'of an opening that the gateway had only %d ms of two seconds to answer before this process stalled is none',
    (ms) => {
      usually(240);
      const end = health.beginOpening(WHERE);
      pass(ms);
      pass(20_000, 20_000);
      end(failed('timeout', ms + 20_000));
      health.observeLookup(WHERE, failed('timeout', ms + 20_000));
      expect(counts()).toEqual([]);
    },
  );

  test('of a process that now and then is late by a little counts', () => {
    usually(240);
    const end = health.beginOpening(WHERE);
    pass(2_000, 150);
    end(failed('timeout', 2_000));
    expect(counts()).toMatchObject([{ faulted: 1 }]);
  });
});

/** Twenty openings that took so long. */
function usually(latencyMs: number): void {
  for (let n = 0; n < 20; n++) health.beginOpening(WHERE)(answered(latencyMs));
  tick();
}

describe('openings in progress', () => {
  const begin = (count: number) => Array.from({ length: count }, () => health.beginOpening(WHERE));
  const stored = () => health.details(WHERE.merchantId).map(({ health: { state: stateNow } }) => stateNow);

  test.each([0.24, 0.5, 0.9])('of twenty payments at once, where %d s are usual and 1.5 s it takes, change no state', (usual) => {
    usually(usual * 1_000);
    const ends = begin(20);
    for (let ms = 0; ms < 1_500; ms += 250) {
      pass(250);
      tick();
      expect(new Set(stored())).toEqual(new Set(['healthy']));
      expect(state()).not.toBe('down');
    }
    for (const end of ends) end(answered(1_500));
    tick();
    expect([new Set(stored()), state()]).toEqual([new Set(['healthy']), 'healthy']);
    expect(new Set(health.snapshot(WHERE.merchantId).map((one) => one.state))).toEqual(new Set(['healthy']));
  });

  test('that get no response for longer than usual let the next payments go elsewhere first, and say why', () => {
    usually(240);
    const ends = begin(8);
    pass(1_200);
    const card = () => health.snapshot(WHERE.merchantId).find(({ method }) => method === 'CARD');
    expect(card()).toMatchObject({ state: 'degraded' });
    expect(describeHealthReason(card()?.why ?? null, UTC_CLOCK)).toBe(
      'Degraded since 14:00 UTC: 8 of 8 checkouts got no response in 1 s (Paystack, card).',
    );
    ends[0]?.(answered(1_200));
    expect(card()).toMatchObject({ state: 'healthy' });
  });

  test('are evidence once they are beyond their time-out', () => {
    usually(240);
    const ends = begin(8);
    pass(2_000);
    for (const end of ends) end(failed('timeout', 2_000));
    expect(state()).toBe('down');
  });
});
