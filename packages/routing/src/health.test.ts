import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { accountHealthOf, assessHealth, DEFAULT_HEALTH_THRESHOLDS, type HealthAssessment, type HealthMemory } from './health.ts';
import { bucketOf, countOutcome, type FaultKind, type HealthOutcome, type OutcomeBucket, WINDOW_MS } from './health-window.ts';
import type { HealthState } from './types.ts';

const START = Date.UTC(2026, 10, 20, 14, 0, 0);
const PAYSTACK_CARD = { gateway: 'Paystack', method: 'CARD' as const };

interface Change {
  readonly at: number;
  readonly from: HealthState;
  readonly to: HealthState;
}

/** One account's health, assessed once a second while outcomes arrive. */
function account() {
  let buckets: OutcomeBucket[] = [];
  let memory: HealthMemory | null = null;
  let last: HealthAssessment | null = null;
  const changes: Change[] = [];
  const see = (now: number, outcome: HealthOutcome, latencyMs = 300, kind?: FaultKind) => {
    const at = bucketOf(now);
    const open = buckets.find((bucket) => bucket.at === at) ?? { at, succeeded: 0, faulted: 0, latencyMsSum: 0 };
    const counted = countOutcome(open, outcome, kind === undefined ? { latencyMs } : { latencyMs, kind });
    buckets = [...buckets.filter((bucket) => bucket.at !== at && bucket.at > now - WINDOW_MS), { ...counted, at }];
  };
  const assess = (now: number): HealthAssessment => {
    const assessed = assessHealth({ subject: PAYSTACK_CARD, buckets, previous: memory, now });
    if (assessed.movedFrom !== null) changes.push({ at: now, from: assessed.movedFrom, to: assessed.state });
    memory = assessed;
    last = assessed;
    return assessed;
  };
  /** Runs seconds one by one; `outcomesAt` gives what arrives in each. Ends with the last assessment. */
  const run = (
    from: number,
    seconds: number,
    outcomesAt: (second: number, state: HealthAssessment | null) => HealthOutcome[],
  ) => {
    let assessed = last ?? assess(from);
    for (let second = 0; second < seconds; second += 1) {
      const now = from + second * 1000;
      for (const outcome of outcomesAt(second, last))
        see(now, outcome, 300, outcome === 'provider_fault' ? 'timed_out' : undefined);
      assessed = assess(now);
    }
    return assessed;
  };
  return { see, assess, run, changes };
}

const all = (outcome: HealthOutcome, number: number) => () => new Array<HealthOutcome>(number).fill(outcome);

describe('an account in an outage', () => {
  it('goes down after five faults without a success, and says so with figures', () => {
    const one = account();
    for (let index = 0; index < 4; index += 1) one.see(START, 'provider_fault', 0, 'timed_out');
    expect(one.assess(START + 1_000).state).toBe('healthy');
    one.see(START + 2_000, 'provider_fault', 0, 'refused');
    const assessed = one.assess(START + 3_000);
    expect(assessed).toMatchObject({ state: 'down', movedFrom: 'healthy', since: START + 3_000, succeeded: 0, faulted: 5 });
    expect(assessed.why).toBe(
      'Down since 14:00 UTC: 4 of 5 checkouts timed out and 1 failed otherwise in 5 min (Paystack, card).',
    );
  });

  it('is told to decisions as they take it', () => {
    const one = account();
    const assessed = one.run(START, 6, all('provider_fault', 1));
    expect(accountHealthOf(assessed, { accountId: 'paystack-main', method: 'CARD', paid: 90, unpaid: 10 })).toEqual({
      accountId: 'paystack-main',
      method: 'CARD',
      state: 'down',
      why: assessed.why,
      since: '2026-11-20T14:00:04.000Z',
      succeeded: 0,
      faulted: 6,
      probePercent: 0,
      paid: 90,
      unpaid: 10,
    });
  });

  it('goes down within seconds under load, however good the minutes before were', () => {
    const one = account();
    one.run(START, 240, all('succeeded', 20));
    one.run(START + 240_000, 12, all('provider_fault', 20));
    expect(one.changes).toHaveLength(1);
    expect(one.changes[0]).toMatchObject({ from: 'healthy', to: 'down' });
    expect((one.changes[0]?.at ?? 0) - (START + 240_000)).toBeLessThanOrEqual(10_000);
  });

  it('rests, is probed in rising steps while it proves itself, and is healthy again by itself', () => {
    const one = account();
    one.run(START, 10, all('provider_fault', 2));
    const steps: number[] = [];
    one.run(START + 10_000, 150, (_, seen) => {
      if (seen?.state === 'probing' && steps.at(-1) !== seen.probePercent) steps.push(seen.probePercent);
      return seen?.state === 'down' ? [] : ['succeeded'];
    });
    expect(steps).toEqual(DEFAULT_HEALTH_THRESHOLDS.probePercents);
    expect(one.changes.map((change) => change.to)).toEqual(['down', 'probing', 'healthy']);
  });

  it('comes back without any traffic at all', () => {
    const one = account();
    one.run(START, 10, all('provider_fault', 1));
    expect(one.run(START + 10_000, 300, all('succeeded', 0)).state).toBe('healthy');
  });

  it('rests twice as long with every relapse, up to the maximum', () => {
    const one = account();
    one.run(START, 1_800, all('provider_fault', 1));
    const downs = one.changes.filter((change) => change.to === 'down').map((change) => change.at);
    const probes = one.changes.filter((change) => change.to === 'probing').map((change) => change.at);
    const rests = probes.map((probe, index) => probe - (downs[index] ?? 0));
    expect(rests.slice(0, 5)).toEqual([30_000, 60_000, 120_000, 240_000, 240_000]);
  });
});

describe('a degraded account', () => {
  it('is told by its share of faults, and recovers only well below where it began', () => {
    const one = account();
    one.run(START, 30, all('succeeded', 2));
    const degraded = one.run(START + 60_000, 60, () => ['succeeded', 'succeeded', 'provider_fault']);
    expect(degraded).toMatchObject({ state: 'degraded' });
    expect(degraded.why).toMatch(/^Degraded since 14:0\d UTC: \d+ of \d+ checkouts timed out in 5 min \(Paystack, card\)\.$/);
    expect(one.run(START + 120_000, 30, all('succeeded', 2)).state).toBe('degraded');
    expect(one.run(START + 150_000, 300, all('succeeded', 2)).state).toBe('healthy');
  });

  it('is told by its latency too, soon after it rises', () => {
    const one = account();
    for (let second = 0; second < 60; second += 1) {
      one.see(START + second * 1000, 'succeeded', 50);
      one.assess(START + second * 1000);
    }
    let at = 0;
    for (let second = 60; second < 90 && at === 0; second += 1) {
      for (let index = 0; index < 5; index += 1) one.see(START + second * 1000, 'succeeded', 3_000);
      const assessed = one.assess(START + second * 1000);
      if (assessed.state === 'degraded') {
        at = second;
        expect(assessed.why).toMatch(/checkouts take \d\.\d s on average \(Paystack, card\)\.$/);
      }
    }
    expect(at - 60).toBeLessThanOrEqual(10);
    expect(at).toBeGreaterThan(0);
  });
});

describe('health, whatever happens', () => {
  const rates = fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 40 }),
      perSecond: fc.nat(6),
      faultPercent: fc.constantFrom(0, 5, 20, 50, 90, 100),
    }),
    { minLength: 1, maxLength: 12 },
  );

  it('never moves for declines and cancellations alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 10, maxLength: 60 }), (perSecond) => {
        const one = account();
        one.run(START, perSecond.length, (second) => all('ignored', perSecond[second] ?? 0)());
        expect(one.changes).toEqual([]);
        expect(one.assess(START + 60_000)).toMatchObject({ succeeded: 0, faulted: 0 });
      }),
      { numRuns: 50 },
    );
  });

  it('is not changed by declines among other outcomes', () => {
    fc.assert(
      fc.property(rates, fc.nat(5), (phases, declines) => {
        const plain = simulate(phases, 0);
        expect(simulate(phases, declines)).toEqual(plain);
      }),
      { numRuns: 50 },
    );
  });

  it('leaves healthy only with the minimum sample, or with five faults and no success', () => {
    fc.assert(
      fc.property(fc.nat(20), fc.nat(20), (succeeded, faulted) => {
        const one = account();
        one.assess(START - 60_000);
        for (let index = 0; index < succeeded; index += 1) one.see(START, 'succeeded');
        for (let index = 0; index < faulted; index += 1) one.see(START, 'provider_fault');
        const { state } = one.assess(START + 500);
        const enough = succeeded + faulted >= DEFAULT_HEALTH_THRESHOLDS.minSamples || (succeeded === 0 && faulted >= 5);
        if (!enough) expect(state).toBe('healthy');
      }),
      { numRuns: 500 },
    );
  });

  it('changes at most twice in any thirty seconds, and moves only along its arrows', () => {
    const arrows = [
      'healthy>degraded',
      'healthy>down',
      'degraded>healthy',
      'degraded>down',
      'down>probing',
      'probing>down',
      'probing>healthy',
    ];
    fc.assert(
      fc.property(rates, (phases) => {
        const changes = simulate(phases, 0);
        for (const [index, change] of changes.entries()) {
          expect(arrows).toContain(`${change.from}>${change.to}`);
          const third = changes[index + 2];
          if (third) expect(third.at - change.at).toBeGreaterThanOrEqual(30_000);
        }
      }),
      { numRuns: 300 },
    );
  });
});

/** Plays phases of traffic, faults spread evenly, and tells every change of state. */
function simulate(phases: readonly { seconds: number; perSecond: number; faultPercent: number }[], declines: number): Change[] {
  const one = account();
  let at = START;
  let owed = 0;
  for (const { seconds, perSecond, faultPercent } of phases) {
    one.run(at, seconds, () => {
      const outcomes: HealthOutcome[] = new Array<HealthOutcome>(declines).fill('ignored');
      for (let index = 0; index < perSecond; index += 1) {
        owed += faultPercent;
        outcomes.push(owed >= 100 ? 'provider_fault' : 'succeeded');
        if (owed >= 100) owed -= 100;
      }
      return outcomes;
    });
    at += seconds * 1000;
  }
  return one.changes;
}
