import { describeHealthReason, type FaultKind, type HealthState, type StoredHealthReason, UTC_CLOCK } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { DEFAULT_HEALTH_THRESHOLDS } from '../thresholds/thresholds.ts';
import { accountHealthOf, assessHealth, type HealthAssessment, type HealthMemory } from './assess-health.ts';
import type { FaultInRow } from './evidence.ts';
import { bucketOf, countOutcome, type HealthOutcome, type OutcomeBucket, WINDOW_MS } from './outcome-counts.ts';

const START = Date.UTC(2026, 10, 20, 14, 0, 0);
const PAYSTACK_CARD = { gateway: 'Paystack', method: 'CARD' as const };

const sentence = (why: StoredHealthReason) => describeHealthReason(why, UTC_CLOCK);

interface Change {
  readonly at: number;
  readonly from: HealthState;
  readonly to: HealthState;
}

/** One account's health, assessed once a second while outcomes arrive. */
function account(usualMs: number | null = null) {
  let buckets: OutcomeBucket[] = [];
  let run: FaultInRow[] = [];
  let memory: HealthMemory | null = null;
  let last: HealthAssessment | null = null;
  const changes: Change[] = [];
  const bucketAt = (now: number) => {
    const at = bucketOf(now);
    return buckets.find((bucket) => bucket.at === at) ?? { at, succeeded: 0, faulted: 0, latencyMsSum: 0 };
  };
  const keep = (now: number, bucket: OutcomeBucket) => {
    buckets = [...buckets.filter(({ at }) => at !== bucket.at && at > now - WINDOW_MS), bucket];
  };
  const see = (now: number, outcome: HealthOutcome, latencyMs = 300, kind: FaultKind = 'timed_out') => {
    const at = bucketOf(now);
    keep(now, { ...countOutcome(bucketAt(now), outcome, { latencyMs, kind }), at });
    if (outcome === 'succeeded') run = [];
    if (outcome === 'provider_fault') run = [...run, { at: now, kind }].slice(-20);
  };
  const lookUp = (now: number, answered: number, failed: number) => {
    const bucket = bucketAt(now);
    const before = bucket.lookups ?? { answered: 0, failed: 0 };
    keep(now, { ...bucket, lookups: { answered: before.answered + answered, failed: before.failed + failed } });
  };
  const assess = (now: number): HealthAssessment => {
    const assessed = assessHealth({ subject: PAYSTACK_CARD, buckets, run, previous: memory, usualMs, now });
    if (assessed.movedFrom !== null) changes.push({ at: now, from: assessed.movedFrom, to: assessed.state });
    memory = assessed;
    last = assessed;
    return assessed;
  };
  /** Runs seconds one by one; `outcomesAt` gives what arrives in each. Ends with the last assessment. */
  const seconds = (
    from: number,
    count: number,
    outcomesAt: (second: number, state: HealthAssessment | null) => readonly (HealthOutcome | readonly [HealthOutcome, number])[],
  ) => {
    let assessed = last ?? assess(from);
    for (let second = 0; second < count; second += 1) {
      const now = from + second * 1000;
      for (const one of outcomesAt(second, last)) {
        const [outcome, latencyMs] = typeof one === 'string' ? [one, 300] : one;
        see(now, outcome, latencyMs);
      }
      assessed = assess(now);
    }
    return assessed;
  };
  return { see, lookUp, assess, seconds, changes };
}

const all = (outcome: HealthOutcome, number: number) => () => new Array<HealthOutcome>(number).fill(outcome);
const nothing = () => [];

describe('an account in an outage', () => {
  it('goes down after five faults without a success, and states the figures that caused it', () => {
    const one = account();
    for (let index = 0; index < 4; index += 1) one.see(START, 'provider_fault', 0, 'timed_out');
    expect(one.assess(START + 1_000).state).toBe('healthy');
    one.see(START + 2_000, 'provider_fault', 0, 'refused');
    const assessed = one.assess(START + 3_000);
    expect(assessed).toMatchObject({ state: 'down', movedFrom: 'healthy', since: START + 3_000, succeeded: 0, faulted: 5 });
    expect(sentence(assessed.why)).toBe(
      'Down since 14:00 UTC: 4 of 5 checkouts timed out and 1 failed otherwise in 3 s (Paystack, card).',
    );
  });

  it("is given to decisions in routing's form", () => {
    const one = account();
    const assessed = one.seconds(START, 6, all('provider_fault', 1));
    expect(accountHealthOf(assessed, { accountId: 'paystack-main', method: 'CARD', paid: 90, unpaid: 10 })).toEqual({
      accountId: 'paystack-main',
      method: 'CARD',
      state: 'down',
      why: assessed.why,
      since: '2026-11-20T14:00:04.000Z',
      succeeded: 0,
      faulted: 5,
      paid: 90,
      unpaid: 10,
    });
  });

  it.each([1, 5, 20])('goes down within seconds at %d/s, however good the minutes before were', (perSecond) => {
    const one = account();
    one.seconds(START, 245, all('succeeded', perSecond));
    one.seconds(START + 245_000, 12, all('provider_fault', perSecond));
    expect(one.changes).toMatchObject([{ from: 'healthy', to: 'down' }]);
    const took = (one.changes[0]?.at ?? 0) - (START + 245_000);
    expect(took).toBeLessThanOrEqual(perSecond === 1 ? 4_000 : 1_000);
  });

  it('states the figures of the span that caused it, not those of the minutes before', () => {
    const one = account();
    one.seconds(START, 245, all('succeeded', 2));
    const down = one.seconds(START + 245_000, 3, all('provider_fault', 2));
    expect(sentence(down.why)).toBe('Down since 14:04 UTC: 6 of 6 checkouts timed out in 2 s (Paystack, card).');
    expect(down).toMatchObject({ succeeded: 0, faulted: 6 });
  });

  it('rests, is probed by payments, and is healthy when enough of them were answered', () => {
    const one = account();
    one.seconds(START, 10, all('provider_fault', 2));
    const healthy = one.seconds(START + 10_000, 150, (second, seen) =>
      seen?.state === 'probing' && seen.probesLeft > 0 && second % 2 === 0 ? ['succeeded'] : [],
    );
    expect(one.changes.map((change) => change.to)).toEqual(['down', 'probing', 'healthy']);
    const [down, probing, back] = one.changes.map(({ at }) => at);
    expect((probing ?? 0) - (down ?? 0)).toBe(30_000);
    expect((back ?? 0) - (probing ?? 0)).toBe(30_000);
    expect(healthy.state).toBe('healthy');
  });

  it('states the result of its probe payments', () => {
    const one = account();
    one.seconds(START, 40, all('provider_fault', 1));
    one.seconds(START + 40_000, 2, () => ['succeeded']);
    const probing = one.assess(START + 42_000);
    expect(probing).toMatchObject({ state: 'probing', probesLeft: 1, succeeded: 2 });
    expect(sentence(probing.why)).toBe('Probing since 14:00 UTC: 2 of 3 probe payments succeeded so far (Paystack, card).');
    one.see(START + 43_000, 'provider_fault');
    expect(sentence(one.assess(START + 43_000).why)).toBe(
      'Down again since 14:00 UTC: 1 of 3 probe payments timed out in 3 s (Paystack, card).',
    );
  });

  it('stays down without any traffic, because silence proves nothing', () => {
    const one = account();
    one.seconds(START, 10, all('provider_fault', 1));
    expect(one.seconds(START + 10_000, 7_200, nothing).state).toBe('probing');
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'probing']);
  });

  it('rests twice as long with every relapse, up to the maximum', () => {
    const one = account();
    one.seconds(START, 3_600, all('provider_fault', 1));
    const downs = one.changes.filter((change) => change.to === 'down').map((change) => change.at);
    const probes = one.changes.filter((change) => change.to === 'probing').map((change) => change.at);
    const rests = probes.map((probe, index) => probe - (downs[index] ?? 0));
    expect(rests).toEqual([30_000, 60_000, 120_000, 240_000, ...rests.slice(4).map(() => 480_000)]);
    expect(rests.length).toBeGreaterThanOrEqual(8);
  });

  it('that fails again soon after it recovered has relapsed, and begins anew once it was healthy for the longest rest', () => {
    const { restMs, restMaxMs } = DEFAULT_HEALTH_THRESHOLDS;
    const restAfter = (healthyMs: number): number => {
      const one = account();
      one.seconds(START, 10, all('provider_fault', 2));
      const { state, since } = one.seconds(START + 10_000, 150, (_, seen) => (seen?.state === 'probing' ? ['succeeded'] : []));
      expect(state).toBe('healthy');
      one.seconds(since + healthyMs, 120, (second) => (second < 5 ? ['provider_fault', 'provider_fault'] : []));
      const [down, probing] = one.changes.slice(3);
      expect([down?.to, probing?.to]).toEqual(['down', 'probing']);
      return (probing?.at ?? 0) - (down?.at ?? 0);
    };
    expect(restAfter(restMaxMs - 20_000)).toBe(2 * restMs);
    expect(restAfter(restMaxMs)).toBe(restMs);
  });

  it('is not healthy by fewer answers than its probe payments, however long it is probed', () => {
    const one = account();
    one.seconds(START, 10, all('provider_fault', 2));
    let given = 0;
    const probing = one.seconds(START + 10_000, 120, (second, seen) => {
      // Openings count from the ten seconds on that begin after it is probed.
      if (seen?.state !== 'probing' || second < 45 || given === 2) return [];
      given += 1;
      return ['succeeded'];
    });
    expect(probing).toMatchObject({ state: 'probing', succeeded: 2, probesLeft: 1 });
  });

  it('that other processes found healthy again is not down by what this one met before', () => {
    const run = Array.from({ length: 20 }, (_, second) => ({ at: START + second * 1_000, kind: 'timed_out' }) as const);
    const since = START + 60_000;
    const why = { code: 'unused' } as const;
    const previous: HealthMemory = { state: 'healthy', since, why, countFrom: since, relapses: 0, demotion: null };
    const assess = (faults: readonly FaultInRow[]) =>
      assessHealth({ subject: PAYSTACK_CARD, buckets: [], run: faults, previous, now: START + 70_000 });
    expect(assess(run).state).toBe('healthy');
    expect(assess([...run, ...run.map((fault) => ({ ...fault, at: fault.at + 61_000 }))]).state).toBe('down');
  });

  it('must be answered more often in a row when it failed only now and then', () => {
    const one = account();
    one.seconds(START, 60, () => ['succeeded', 'succeeded', 'succeeded', 'provider_fault']);
    const probing = one.seconds(START + 60_000, 40, nothing);
    expect(probing).toMatchObject({ state: 'probing', probesLeft: 9 });
  });
});

describe('a degraded account', () => {
  const faulty = () => ['succeeded', 'succeeded', 'provider_fault'] as const;

  it('is found by its share of faults, and recovers only by openings that succeed', () => {
    const one = account();
    const degraded = one.seconds(START, 60, faulty);
    expect(degraded).toMatchObject({ state: 'degraded' });
    expect(sentence(degraded.why)).toMatch(
      /^Degraded since 14:00 UTC: \d+ of \d+ checkouts timed out in \d+ s \(Paystack, card\)\.$/,
    );
    expect(one.seconds(START + 60_000, 600, nothing).state).toBe('probing');
    expect(one.seconds(START + 660_000, 20, all('succeeded', 1)).state).toBe('healthy');
  });

  it('goes down when it gets worse', () => {
    const one = account();
    one.seconds(START, 40, faulty);
    expect(one.seconds(START + 40_000, 15, all('provider_fault', 1))).toMatchObject({ state: 'down', relapses: 0 });
  });

  it('counts the openings that demoted it and those since, not the good minutes before', () => {
    const one = account();
    one.seconds(START, 200, all('succeeded', 20));
    const down = one.seconds(START + 200_000, 2, all('provider_fault', 20));
    expect(down).toMatchObject({ state: 'down', succeeded: 0 });
    const later = one.seconds(START + 210_000, 10, all('succeeded', 1));
    expect(later).toMatchObject({ state: 'down', succeeded: 10, faulted: down.faulted });
  });
});

describe('a slow account', () => {
  const at =
    (ms: number, perSecond = 2) =>
    () =>
      new Array(perSecond).fill(['succeeded', ms] as const);

  it('is measured against what is usual there', () => {
    const usually500 = account(500);
    usually500.seconds(START, 60, at(500));
    expect(usually500.seconds(START + 60_000, 60, at(1_900)).state).toBe('healthy');
    const slow = usually500.seconds(START + 120_000, 20, at(2_400));
    expect(slow).toMatchObject({ state: 'degraded' });
    expect(sentence(slow.why)).toMatch(
      /^Degraded since 14:02 UTC: checkouts take 2\.\d s on average, usually 0\.5 s \(Paystack, card\)\.$/,
    );
  });

  it('is slow above an absolute limit, whatever is usual there', () => {
    const usually2s = account(2_000);
    expect(usually2s.seconds(START, 60, at(2_000)).state).toBe('healthy');
    expect(usually2s.seconds(START + 60_000, 60, at(2_600)).state).toBe('degraded');
    expect(account().seconds(START, 60, at(2_600)).state).toBe('degraded');
  });

  it('is found slow at little traffic too', () => {
    const one = account(300);
    expect(one.seconds(START, 60, (second) => (second % 3 === 0 ? [['succeeded', 6_000]] : [])).state).toBe('degraded');
  });

  it('is fast again only well below where it became slow', () => {
    const one = account(500);
    one.seconds(START, 60, at(2_400));
    expect(one.changes.at(-1)?.to).toBe('degraded');
    const between = one.seconds(START + 60_000, 120, at(1_500, 1));
    expect([between.state, one.changes.filter(({ to }) => to === 'healthy')]).toEqual(['degraded', []]);
    expect(one.seconds(START + 180_000, 600, at(400, 1)).state).toBe('healthy');
  });
});

describe('look-ups', () => {
  it('never change an account that opens checkouts', () => {
    const one = account();
    for (let second = 0; second < 1_200; second += 1) {
      const now = START + second * 1000;
      if (second % 200 === 0) one.see(now, 'succeeded');
      one.lookUp(now, 0, 1);
      one.assess(now);
    }
    expect(one.changes).toEqual([]);
  });

  it('demote and recover an account that has opened nothing', () => {
    const one = account();
    for (let second = 0; second < 20; second += 1) one.lookUp(START + second * 1000, 0, 1);
    const down = one.assess(START + 20_000);
    expect(down).toMatchObject({ state: 'down', succeeded: 0, faulted: 0 });
    expect(sentence(down.why)).toBe(
      'Down since 14:00 UTC: 10 of 10 status checks failed in 10 s, and no checkout was opened (Paystack, card).',
    );
    for (let second = 0; second < 120; second += 1) {
      const now = START + 21_000 + second * 1000;
      if (second % 10 === 0) one.lookUp(now, 1, 0);
      one.assess(now);
    }
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'healthy']);
    expect((one.changes[1]?.at ?? 0) - (one.changes[0]?.at ?? 0)).toBe(30_000);
  });

  it.each([1, 10, 60])('recover an idle account within 30 s of an outage of %d minutes that they saw', (minutes) => {
    const one = account();
    const end = START + minutes * 60_000;
    for (let now = START; now < end + 60_000; now += 1_000) {
      // At five seconds, as probes are paced.
      if (now % 5_000 === 0) one.lookUp(now, now < end ? 0 : 1, now < end ? 1 : 0);
      one.assess(now);
    }
    const healthy = one.changes.findLast(({ to }) => to === 'healthy');
    expect((healthy?.at ?? Number.POSITIVE_INFINITY) - end).toBeLessThanOrEqual(30_000);
  });

  it('that failed before they recovered demote nothing once the checkouts have aged out', () => {
    const one = account();
    const end = START + 150_000;
    one.see(START - 60_000, 'succeeded');
    for (let now = START - 60_000; now < START + 900_000; now += 1_000) {
      const failed = now >= START && now < end ? 1 : 0;
      if (now % 3_000 === 0) one.lookUp(now, 1 - failed, failed);
      // A single failure later is none of an outage that has ended.
      if (now === end + 100_000) one.lookUp(now, 0, 1);
      one.assess(now);
    }
    expect(one.changes).toEqual([]);
  });

  it.each([0, 5, 12, 20])('demote nothing %d s after they recovered, when the checkouts age out then', (seconds) => {
    const one = account();
    const end = START + 150_000;
    const opened = end + seconds * 1_000 - WINDOW_MS;
    one.see(opened, 'succeeded');
    for (let now = opened; now < end + 300_000; now += 1_000) {
      const failed = now >= START && now < end ? 1 : 0;
      if (now % 3_000 === 0) one.lookUp(now, 1 - failed, failed);
      one.assess(now);
    }
    const late = one.changes.filter(({ at }) => at > bucketOf(end) + 10_000);
    expect(late.filter(({ to }) => to === 'down')).toEqual([]);
  });

  it('that fail anew after they recovered demote again, as soon as before', () => {
    const one = account();
    for (let now = START; now < START + 600_000; now += 1_000) {
      const isDown = now < START + 60_000 || now >= START + 300_000;
      if (now % 1_000 === 0) one.lookUp(now, isDown ? 0 : 1, isDown ? 1 : 0);
      one.assess(now);
    }
    const downs = one.changes.filter(({ to }) => to === 'down').map(({ at }) => at - START);
    expect(downs[0]).toBeLessThanOrEqual(5_000);
    expect((downs.find((at) => at >= 300_000) ?? Number.POSITIVE_INFINITY) - 300_000).toBeLessThanOrEqual(10_000);
  });

  it('demote no account that an override keeps all payments from', () => {
    const buckets = Array.from({ length: 10 }, (_, n) => ({
      at: bucketOf(START) - n * 10_000,
      succeeded: 0,
      faulted: 0,
      latencyMsSum: 0,
      lookups: { answered: 0, failed: 2 },
    }));
    const input = { subject: PAYSTACK_CARD, buckets, previous: null, now: START };
    expect([assessHealth(input).state, assessHealth({ ...input, isDrained: true }).state]).toEqual(['down', 'healthy']);
  });

  it('show the end of a fault they saw also when it is found while the account is probed already', () => {
    const one = account();
    const end = START + 60_000;
    for (let now = START; now < end + 120_000; now += 1_000) {
      if (now < START + 20_000) one.see(now, 'provider_fault');
      // At little pace: they are not enough yet when the rest ends.
      if (now % 10_000 === 0) one.lookUp(now, now < end ? 0 : 1, now < end ? 1 : 0);
      one.assess(now);
    }
    expect(one.assess(end + 120_000).why).toHaveProperty('lookupsSince');
  });

  it('that failed with the checkouts and are answered again say so, and leave the proof to checkouts', () => {
    const one = account();
    const end = START + 600_000;
    let answeredAt: number | null = null;
    for (let now = START; now < end + 900_000; now += 1_000) {
      if (now < START + 20_000) one.see(now, 'provider_fault');
      if (now % 5_000 === 0) one.lookUp(now, now < end ? 0 : 1, now < end ? 1 : 0);
      const { state, why } = one.assess(now);
      if (now > START + 30_000) expect(state).not.toBe('healthy');
      if (why?.code === 'probing' && why.lookupsSince !== undefined) answeredAt ??= now;
      else if (answeredAt !== null) throw new Error(`taken back at ${now - end}: ${sentence(why)}`);
    }
    expect((answeredAt ?? 0) - end).toBeGreaterThan(0);
    expect((answeredAt ?? Number.POSITIVE_INFINITY) - end).toBeLessThanOrEqual(30_000);
    expect(sentence(one.assess(end + 900_000).why)).toBe(
      'Probing since 14:10 UTC: status checks succeed since 14:10 UTC, and 3 probe payments must succeed in a row (Paystack, card).',
    );
    // Checkouts that fail all the same are a relapse.
    one.see(end + 901_000, 'provider_fault');
    expect(one.assess(end + 901_000)).toMatchObject({ state: 'down', relapses: 1 });
  });

  it('that were answered while the checkouts failed prove nothing about them', () => {
    const one = account();
    one.seconds(START, 10, all('provider_fault', 1));
    for (let now = START + 10_000; now < START + 3_600_000; now += 1_000) {
      if (now % 5_000 === 0) one.lookUp(now, 1, 0);
      const { why } = one.assess(now);
      expect(why).not.toHaveProperty('lookupsSince');
    }
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'probing']);
  });

  it('that fail with the checkouts spare the probe payments, up to the longest rest', () => {
    const one = account();
    for (let now = START; now < START + 1_200_000; now += 1_000) {
      if (now < START + 20_000) one.see(now, 'provider_fault');
      if (now % 5_000 === 0) one.lookUp(now, 0, 1);
      one.assess(now);
    }
    const [down, probing, again] = one.changes;
    expect(one.changes.slice(0, 3).map(({ to }) => to)).toEqual(['down', 'probing', 'down']);
    expect((probing?.at ?? 0) - (down?.at ?? 0)).toBe(DEFAULT_HEALTH_THRESHOLDS.restMaxMs);
    expect((again?.at ?? 0) - (probing?.at ?? 0)).toBeGreaterThanOrEqual(DEFAULT_HEALTH_THRESHOLDS.probeForMs);
    expect(one.assess(START + 1_200_000)).toMatchObject({ relapses: 0 });
  });

  it('never recover an account whose checkouts failed', () => {
    const one = account();
    one.seconds(START, 10, all('provider_fault', 1));
    for (let second = 10; second < 3_600; second += 1) {
      const now = START + second * 1000;
      one.lookUp(now, 5, 0);
      one.assess(now);
    }
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'probing']);
  });

  it('do not recover an account they demoted once its checkouts fail', () => {
    const one = account();
    for (let second = 0; second < 20; second += 1) one.lookUp(START + second * 1000, 0, 1);
    one.assess(START + 20_000);
    for (let second = 20; second < 300; second += 1) {
      const now = START + second * 1000;
      one.lookUp(now, 1, 0);
      if (second === 30) one.see(now, 'provider_fault');
      one.assess(now);
    }
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'probing']);
    // Also once that checkout has aged out.
    for (let second = 300; second < 900; second += 1) {
      one.lookUp(START + second * 1000, 1, 0);
      one.assess(START + second * 1000);
    }
    expect(one.changes.map(({ to }) => to)).toEqual(['down', 'probing']);
  });
});

describe('the sentence of a healthy account', () => {
  const sentenceAfter = (succeeded: number, faulted: number, lookups = 0) => {
    const one = account();
    for (let index = 0; index < succeeded; index += 1) one.see(START, 'succeeded');
    for (let index = 0; index < faulted; index += 1) one.see(START, 'provider_fault');
    if (lookups > 0) one.lookUp(START, lookups, 0);
    const { state, why } = one.assess(START + 1_000);
    return `${state}: ${sentence(why)}`;
  };

  test.each([
    [118, 2, 0, 'healthy: Healthy: 118 of 120 checkouts succeeded in 5 min (Paystack, card).'],
    [7, 0, 0, 'healthy: Not enough data: 7 checkouts in 5 min (Paystack, card).'],
    [1, 1, 0, 'healthy: Not enough data: 2 checkouts of which 1 failed in 5 min (Paystack, card).'],
    [7, 4, 0, 'healthy: Not enough data: 11 checkouts of which 4 failed in 5 min (Paystack, card).'],
    [0, 0, 0, 'healthy: Not enough data: no checkouts in 5 min (Paystack, card).'],
    [0, 0, 12, 'healthy: Not enough data: no checkouts, and 12 of 12 status checks succeeded in 5 min (Paystack, card).'],
  ])('of %d answered, %d failed and %d look-ups', (succeeded, faulted, lookups, sentence) => {
    expect(sentenceAfter(succeeded, faulted, lookups)).toBe(sentence);
  });

  test('states by what evidence an account recovered', () => {
    const one = account();
    one.seconds(START, 40, all('provider_fault', 1));
    const back = one.seconds(START + 40_000, 25, all('succeeded', 1));
    expect([back.state, sentence(back.why)]).toEqual([
      'healthy',
      'Healthy since 14:01 UTC: 25 probe payments succeeded (Paystack, card).',
    ]);
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

  it('never changes for declines and cancellations alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 10, maxLength: 60 }), (perSecond) => {
        const one = account();
        one.seconds(START, perSecond.length, (second) => all('ignored', perSecond[second] ?? 0)());
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

  it('is what the openings of its spans say, counted one by one', () => {
    const second = fc.oneof(fc.nat(330), fc.integer({ min: 320, max: 330 }));
    const openings = fc.array(fc.record({ second, failed: fc.boolean() }), { maxLength: 40 });
    fc.assert(
      fc.property(openings, fc.nat(19), (drawn, later) => {
        const one = account();
        one.assess(START - 60_000);
        const seen = drawn.toSorted((a, b) => a.second - b.second);
        for (const { second, failed } of seen) one.see(START + second * 1_000, failed ? 'provider_fault' : 'succeeded');
        const now = START + (330 + later) * 1_000;
        const since = (span: number) => {
          const within = seen.filter(({ second }) => START + second * 1_000 >= bucketOf(now) + 10_000 - span);
          return { all: within.length, failed: within.filter(({ failed }) => failed).length };
        };
        const isShare = (span: number, least: number) => since(span).all >= 10 && since(span).failed >= least * since(span).all;
        const inRow = seen.slice(seen.findLastIndex(({ failed }) => !failed) + 1).slice(-20);
        const lately = inRow.filter(({ second }) => START + second * 1_000 > now - 300_000);
        const isRun = lately.length >= 10 || (lately.length >= 5 && now - START - (lately[0]?.second ?? 0) * 1_000 >= 2_000);
        const isDead = since(300_000).failed >= 5 && since(300_000).failed === since(300_000).all;
        const isDown = isRun || isDead || [10, 20, 30, 60, 120, 300].some((seconds) => isShare(seconds * 1_000, 0.5));
        const isDegraded = [60, 120, 300].some((seconds) => since(seconds * 1_000).failed >= 5 && isShare(seconds * 1_000, 0.2));
        expect(one.assess(now).state).toBe(isDown ? 'down' : isDegraded ? 'degraded' : 'healthy');
      }),
      { numRuns: 1_000 },
    );
  });

  it('is never healthy again by look-ups alone once checkouts failed, whatever they answer', () => {
    const answers = fc.array(
      fc.record({ seconds: fc.integer({ min: 5, max: 120 }), failedPercent: fc.constantFrom(0, 20, 60, 100) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    fc.assert(
      fc.property(answers, (phases) => {
        const one = account();
        let now = START;
        for (; now < START + 10_000; now += 1_000) {
          one.see(now, 'provider_fault');
          one.assess(now);
        }
        let owed = 0;
        for (const { seconds, failedPercent } of phases) {
          for (const end = now + seconds * 1_000; now < end; now += 1_000) {
            if (now % 5_000 === 0) {
              owed += failedPercent;
              const failed = owed >= 100 ? 1 : 0;
              owed -= failed * 100;
              one.lookUp(now, 1 - failed, failed);
            }
            one.assess(now);
          }
        }
        expect(one.changes.map(({ to }) => to)).not.toContain('healthy');
        for (const [index, change] of one.changes.entries()) {
          const third = one.changes[index + 2];
          if (third) expect(third.at - change.at).toBeGreaterThanOrEqual(30_000);
        }
      }),
      { numRuns: 200 },
    );
  });

  it('changes at most twice in any thirty seconds, and only by allowed transitions', () => {
    const arrows = [
      'healthy>degraded',
      'healthy>down',
      'degraded>probing',
      'degraded>down',
      'down>probing',
      'probing>degraded',
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

/** Simulates phases of traffic with evenly spread faults, and returns every change of state. */
function simulate(phases: readonly { seconds: number; perSecond: number; faultPercent: number }[], declines: number): Change[] {
  const one = account();
  let at = START;
  let owed = 0;
  for (const { seconds, perSecond, faultPercent } of phases) {
    one.seconds(at, seconds, () => {
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
