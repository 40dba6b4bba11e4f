import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clockIn, UTC_CLOCK } from './clock.ts';
import { describeHealthReason } from './health-text.ts';
import { healthReasonArbitrary } from './testing/arbitraries.ts';
import type { HealthReason } from './types.ts';

const subject = { gateway: 'Paystack', method: 'CARD' } as const;
const since = '2026-11-20T14:02:10.000Z';
const down = { ...subject, state: 'down', since, again: false } as const;
const faults = { code: 'faults', ...down, faulted: 18, samples: 22, spanMs: 30_000, unanswered: false } as const;
const timedOut = { kind: 'timed_out', count: 18 } as const;
const lookups = { lookupsAnswered: 0, lookupsFailed: 0 };
const tooFew = { code: 'not_enough_data', ...subject, faulted: 0, samples: 0, ...lookups, spanMs: 300_000 } as const;

describe('the sentence of a health reason', () => {
  it.each<[HealthReason, string]>([
    [{ code: 'unused' }, 'Not enough data: no checkouts yet.'],
    [
      { code: 'healthy', ...subject, succeeded: 1_118, samples: 1_120, spanMs: 300_000 },
      'Healthy: 1,118 of 1,120 checkouts succeeded in 5 min (Paystack, card).',
    ],
    [tooFew, 'Not enough data: no checkouts in 5 min (Paystack, card).'],
    [
      { ...tooFew, lookupsAnswered: 2, lookupsFailed: 1 },
      'Not enough data: no checkouts, and 2 of 3 status checks succeeded in 5 min (Paystack, card).',
    ],
    [
      { ...tooFew, samples: 1, faulted: 1, lookupsAnswered: 2 },
      'Not enough data: 1 checkout of which 1 failed in 5 min (Paystack, card).',
    ],
    [
      { code: 'recovered', ...subject, since, proof: 'probe_payments', answered: 3 },
      'Healthy since 14:02 UTC: 3 probe payments succeeded (Paystack, card).',
    ],
    [
      { code: 'recovered', ...subject, since, proof: 'others', answered: 0 },
      'Healthy since 14:02 UTC: checkouts of other merchants show no trouble any more (Paystack, card).',
    ],
    [
      { code: 'recovered', ...subject, method: null, since, proof: 'lookups', answered: 1 },
      'Healthy since 14:02 UTC: 1 status check succeeded (Paystack, all methods).',
    ],
    [
      { code: 'probing', ...subject, since, answered: 0, needed: 3 },
      'Probing since 14:02 UTC: 3 probe payments must succeed in a row (Paystack, card).',
    ],
    [
      { code: 'probing', ...subject, since, answered: 1, needed: 3 },
      'Probing since 14:02 UTC: 1 of 3 probe payments succeeded so far (Paystack, card).',
    ],
    [{ ...faults, main: timedOut }, 'Down since 14:02 UTC: 18 of 22 checkouts timed out in 30 s (Paystack, card).'],
    [
      { ...faults, main: timedOut, faulted: 20, unanswered: true },
      'Down since 14:02 UTC: 18 of 22 checkouts got no response and 2 failed otherwise in 30 s (Paystack, card).',
    ],
    [
      { ...faults, state: 'degraded', again: true, main: null },
      'Degraded again since 14:02 UTC: 18 of 22 probe payments failed in 30 s (Paystack, card).',
    ],
    [
      { code: 'slow', ...down, state: 'degraded', latencyMs: 2_400, usualMs: 480 },
      'Degraded since 14:02 UTC: checkouts take 2.4 s on average, usually 0.5 s (Paystack, card).',
    ],
    [
      { code: 'slow', ...down, latencyMs: 2_400, usualMs: null },
      'Down since 14:02 UTC: checkouts take 2.4 s on average (Paystack, card).',
    ],
    [
      { code: 'lookups_failed', ...down, answered: 1, failed: 10, spanMs: 120_000 },
      'Down since 14:02 UTC: 10 of 11 status checks failed in 2 min, and no checkout was opened (Paystack, card).',
    ],
    [
      { code: 'fails_for_others', ...subject, state: 'down', since, faulted: 18, samples: 22 },
      'Down since 14:02 UTC: 82% of checkouts of other merchants failed, and this account opened none since (Paystack, card).',
    ],
    [
      { code: 'fails_for_others', ...subject, state: 'down', since, faulted: 10, samples: 20 },
      'Down since 14:02 UTC: 50% of checkouts of other merchants failed, and this account opened none since (Paystack, card).',
    ],
    [
      { code: 'fails_for_others', ...subject, state: 'degraded', since, faulted: 5, samples: 11 },
      'Degraded since 14:02 UTC: 5 of 11 checkouts of other merchants failed, and this account opened none since (Paystack, card).',
    ],
  ])('%j', (reason, sentence) => {
    expect(describeHealthReason(reason, UTC_CLOCK)).toBe(sentence);
  });

  it('gives no percentage of fewer than twenty, for any reason', () => {
    fc.assert(
      fc.property(healthReasonArbitrary, (reason) => {
        fc.pre('samples' in reason && reason.samples < 20);
        expect(describeHealthReason(reason, UTC_CLOCK)).not.toContain('%');
      }),
    );
  });

  it("differs in the reader's zone by its time alone, for any reason", () => {
    const lagos = clockIn('Africa/Lagos');
    fc.assert(
      fc.property(healthReasonArbitrary, (reason) => {
        const time = 'since' in reason ? reason.since : null;
        const expected = describeHealthReason(reason, UTC_CLOCK);
        const local = describeHealthReason(reason, lagos);
        if (time === null) expect(local).toBe(expected);
        else expect(local).toBe(expected.replace(UTC_CLOCK.timeOf(time), lagos.timeOf(time)));
        expect(local).not.toContain('UTC');
      }),
    );
  });

  it('is empty for a reason of a format that is unknown', () => {
    expect(describeHealthReason(null, UTC_CLOCK)).toBe('');
  });
});
