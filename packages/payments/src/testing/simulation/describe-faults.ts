import { describeHealthReason, UTC_CLOCK } from '@switchyard/routing';
import { describe, expect, test } from 'vitest';
import { GATEWAYS, type SimulatedFault } from './scripted-gateway.ts';
import { type Simulated, type SimulationPlan, simulate } from './simulate.ts';

/** Payments a second. */
type Rate = 0.3 | 1 | 2 | 5 | 10 | 50;

/** How much of it is played. */
export interface Extent {
  readonly rates: readonly Rate[];
  /** Rates at which answers come late, or our own process is held up: that matters the more payments there are. */
  readonly lateRates: readonly Rate[];
  /** How often our own process is held up, at other times. */
  readonly seeds: number;
}

const SECONDS: Readonly<Record<Rate, number>> = { 0.3: 3_600, 1: 3_600, 2: 3_600, 5: 900, 10: 900, 50: 90 };
/** Before the fault; with much traffic the usual times are learnt sooner. */
const CALM_SECONDS: typeof SECONDS = { 0.3: 120, 1: 120, 2: 120, 5: 120, 10: 120, 50: 30 };
/** After the repair; with much traffic an account recovers within half of it. */
const RECOVERY_SECONDS: typeof SECONDS = { 0.3: 600, 1: 600, 2: 600, 5: 600, 10: 600, 50: 300 };
/** How long an account stays healthy at the end, at least. */
const STEADY_SECONDS = 30;
/** The maximum number of state changes in an hour. */
const CHANGES_PER_HOUR_MAX = 30;

/** From the repair until an incident has ended: free calls show the end within half a minute, which has to hold for half a minute. */
const INCIDENT_ENDS_MS = 90_000;

const played = new Map<string, Simulated>();

function play(fault: SimulatedFault | null, perSecond: Rate, change: Partial<SimulationPlan> = {}): Simulated {
  const calmSeconds = CALM_SECONDS[perSecond];
  const durations = { calmSeconds, faultSeconds: SECONDS[perSecond], recoverySeconds: RECOVERY_SECONDS[perSecond] };
  const plan = { fault, perSecond, ...durations, seed: 7, ...change };
  const key = JSON.stringify(plan);
  const known = played.get(key) ?? simulate(plan);
  played.set(key, known);
  return known;
}

function figures(...of: Parameters<typeof play>): Figures {
  return figuresOf(play(...of));
}

/** Statuses of the payments that began within a time after the fault did. */
function within({ served, faultAtMs }: Simulated, fromSeconds: number, toSeconds: number) {
  const own = served.filter(({ atMs }) => atMs >= faultAtMs + fromSeconds * 1_000 && atMs < faultAtMs + toSeconds * 1_000);
  return { payments: own.length, failed: own.filter(({ status }) => status === 'FAILED').length };
}

const seedsUpTo = (count: number): readonly number[] => Array.from({ length: count }, (_, before) => before + 1);

/**
 * Every fault, on a virtual clock: the effects on customers, lost payments, the number of state changes, and the time to recover. An
 * hour of the fault, or minutes of it at higher rates.
 */
export function describeFaults({ rates, lateRates, seeds }: Extent): void {
  test('the same plan gives the same result', () => {
    const plan = { fault: 'both-flaky', perSecond: 5, calmSeconds: 60, faultSeconds: 120, recoverySeconds: 60, seed: 3 } as const;
    expect(figuresOf(simulate(plan))).toEqual(figuresOf(simulate(plan)));
  });

  test('without a fault no customer is affected and nothing changes', () => {
    for (const perSecond of rates) {
      const calm = figures('down', perSecond, { calmSeconds: 600, faultSeconds: 0, recoverySeconds: 60 });
      expect(calm).toMatchObject({ hit: 0, failed: 0, changes: 0 });
    }
  });

  describe.each(['hang', 'checkouts-time-out', 'slow'] as const)('a gateway that answers too late: %s', (fault) => {
    test.each(rates)('affects few customers, none of them for long, at %d/s', (perSecond) => {
      const { hit, longestAddedMs, failed, payments } = figures(fault, perSecond);
      expect(longestAddedMs).toBeLessThanOrEqual(3_000);
      expect(failed).toBe(0);
      expect(hit / payments).toBeLessThanOrEqual(0.02);
    });

    test.each(rates)('is taken out of routing once and stays out while the fault lasts, at %d/s', (perSecond) => {
      const { turns, changesPerHour, recoveryMs } = figures(fault, perSecond);
      expect(turns).toBe(2);
      expect(changesPerHour).toBeLessThanOrEqual(CHANGES_PER_HOUR_MAX);
      expect(recoveryMs).toBeLessThanOrEqual((RECOVERY_SECONDS[perSecond] - STEADY_SECONDS) * 1_000);
    });
  });

  describe('a gateway that hangs, and usually answers in under a second', () => {
    const worst = (perSecond: Rate, of: (figures: Figures) => number) =>
      Math.max(...seedsUpTo(8).map((seed) => of(figures('hang', perSecond, { faultSeconds: 25, recoverySeconds: 1, seed }))));

    const HITS_MAX = [
      [1, 9],
      [5, 12],
      [50, 60],
    ] as const;

    test.each(HITS_MAX.filter(([perSecond]) => rates.includes(perSecond)))(
      'hits no more customers at %d/s than %d before it is left',
      (perSecond, max) => {
        expect(worst(perSecond, ({ hit }) => hit)).toBeLessThanOrEqual(max);
        expect(worst(perSecond, ({ longestAddedMs }) => longestAddedMs)).toBeLessThanOrEqual(3_000);
      },
    );
  });

  describe('a gateway that refuses connections', () => {
    test.each(rates)('affects few customers and loses no payment, at %d/s', (perSecond) => {
      const { hit, failed, turns, changesPerHour, longestAddedMs } = figures('down', perSecond);
      expect(hit).toBeLessThanOrEqual(perSecond === 50 ? 60 : 30);
      expect(failed).toBe(0);
      expect(longestAddedMs).toBeLessThanOrEqual(1_500);
      expect(turns).toBe(2);
      expect(changesPerHour).toBeLessThanOrEqual(CHANGES_PER_HOUR_MAX);
    });

    test.each(rates)('is back within 100 seconds of a short outage, at %d/s', (perSecond) => {
      const { recoveryMs, changes } = figures('down', perSecond, { faultSeconds: 20, recoverySeconds: 300 });
      expect(recoveryMs).toBeLessThanOrEqual(100_000);
      expect(changes).toBe(3);
    });
  });

  describe('an outage of 20 seconds while the fallback answers 30 % with errors', () => {
    test.each(rates)('loses only payments that both gateways failed, at %d/s', (perSecond) => {
      const outage = play('outage-flaky', perSecond, { faultSeconds: 240 });
      const during = within(outage, 0, 20);
      expect(during.failed).toBeLessThanOrEqual(0.3 * during.payments + 3 * Math.sqrt(0.21 * during.payments) + 1);
      expect(within(outage, 20, 240).failed).toBe(0);
    });

    test.each(rates)('ends for the leading gateway within 100 seconds, at %d/s', (perSecond) => {
      const { changes, faultAtMs } = play('outage-flaky', perSecond, { faultSeconds: 240 });
      const own = changes.filter(({ gateway }) => gateway === 'paystack');
      expect(own.map(({ to }) => to)).toEqual(['down', 'probing', 'healthy']);
      expect((own.at(-1)?.atMs ?? 0) - faultAtMs - 20_000).toBeLessThanOrEqual(100_000);
    });
  });

  describe('an outage of two and a half minutes, with a merchant who only verifies', () => {
    const DRAINS = [
      ['with a drain after 30 s', { drainAfterSeconds: 30 }],
      ['with a drain after 100 s', { drainAfterSeconds: 100 }],
      ['without a drain', {}],
    ] as const;

    describe.each(DRAINS)('%s', (_, drain) => {
      test.each([0.3, 2, 10] as const)('is one incident, which ends when the gateway is well, at %d/s', (perSecond) => {
        for (const seed of seedsUpTo(seeds + 2)) {
          const durations = { calmSeconds: 120, faultSeconds: 150, recoverySeconds: 900 };
          const { incidents, repairedAtMs } = play('down', perSecond, { ...durations, ...drain, hasIdleMerchant: true, seed });
          expect(incidents).toHaveLength(1);
          expect((incidents[0]?.toMs ?? Number.POSITIVE_INFINITY) - repairedAtMs).toBeLessThanOrEqual(INCIDENT_ENDS_MS);
        }
      });
    });
  });

  describe('two gateways that each fail one call in five', () => {
    test.each(rates)('lose the one payment in 25 that both fail, at %d/s', (perSecond) => {
      const both = within(play('both-flaky', perSecond), 0, SECONDS[perSecond]);
      const lost = both.failed / both.payments;
      const spread = 3 * Math.sqrt((0.04 * 0.96) / both.payments);
      expect(lost).toBeGreaterThanOrEqual(0.04 - spread);
      expect(lost).toBeLessThanOrEqual(0.04 + spread);
    });

    test.each(rates)('change their states no more often than others, at %d/s', (perSecond) => {
      expect(figures('both-flaky', perSecond).changesPerHour).toBeLessThanOrEqual(CHANGES_PER_HOUR_MAX);
    });
  });

  describe('lookups that fail while checkouts open', () => {
    test.each(rates)('never change an account’s state, at %d/s', (perSecond) => {
      expect(figures('lookup-errors', perSecond)).toMatchObject({ changes: 0, hit: 0, failed: 0 });
    });
  });

  describe('checkouts that time out while lookups work', () => {
    test.each(rates)('never restore the account before checkouts open again, at %d/s', (perSecond) => {
      const { changes, repairedAtMs } = play('checkouts-time-out', perSecond);
      const healthy = changes.filter(({ to }) => to === 'healthy');
      expect(healthy.length).toBeGreaterThan(0);
      expect(healthy.every(({ atMs }) => atMs >= repairedAtMs)).toBe(true);
    });
  });

  describe('a gateway that answers later than usual, and before its time-out', () => {
    test.each(lateRates)('is not held to be down, at %d/s', (perSecond) => {
      expect(figures('late', perSecond)).toMatchObject({ failed: 0, changes: 0 });
    });
  });

  describe('our own process', () => {
    const BUSY_MS = 10;

    describe.each([
      ['stalls', 'stall'],
      ['waits for the database, and then calls gateways for all at once', 'hold'],
    ] as const)('%s', (_, kind) => {
      describe.each([1, 5, 20])('for %d s', (seconds) => {
        test.each(lateRates)('changes no state, at %d/s', (perSecond) => {
          for (const seed of seedsUpTo(seeds)) {
            const own = { kind, seconds, busyMs: perSecond === 50 ? BUSY_MS / 2 : BUSY_MS };
            const { changes, served } = play(null, perSecond, { own, seed, faultSeconds: 60, recoverySeconds: 30 });
            expect(changes.map(({ gateway, to, why }) => [gateway, to, describeHealthReason(why, UTC_CLOCK)])).toEqual([]);
            expect(served.filter(({ failedTries }) => failedTries > 0)).toEqual([]);
          }
        });
      });
    });

    describe.each(['stall', 'hold'] as const)('by %s, while gateways answer in 1.5 s', (kind) => {
      test.each([0.3, 1, 5, 50] as const)('finds no gateway down, at %d/s', (perSecond) => {
        for (const seconds of [5, 20])
          for (const seed of seedsUpTo(seeds)) {
            const own = { kind, seconds, busyMs: perSecond === 50 ? BUSY_MS / 2 : BUSY_MS };
            const { changes, served } = play('sluggish', perSecond, { own, seed, faultSeconds: 60, recoverySeconds: 30 });
            expect(changes.filter(({ to }) => to === 'down')).toEqual([]);
            expect(changes.filter(({ why }) => why === null || why.code === 'faults')).toEqual([]);
            // One answer in a thousand takes longer than the time-out of two seconds.
            const timedOut = served.filter(({ failedTries }) => failedTries > 0).length;
            expect(timedOut).toBeLessThanOrEqual(1 + served.length / 500);
          }
      });
    });

    test('that stalls while a gateway hangs still finds that out', () => {
      const own = { kind: 'stall', seconds: 5, busyMs: BUSY_MS } as const;
      for (const perSecond of lateRates) {
        const { changes, faultAtMs } = play('hang', perSecond, { own, faultSeconds: 120 });
        expect(changes[0]).toMatchObject({ gateway: 'paystack', to: 'down' });
        expect((changes[0]?.atMs ?? 0) - faultAtMs).toBeLessThanOrEqual(5_000 + 20_000 / Math.min(perSecond, 1));
      }
    });
  });

  describe('a refused key', () => {
    test.each(rates)('does not affect the health of the gateway, at %d/s', (perSecond) => {
      expect(figures('refused-key', perSecond)).toMatchObject({ changes: 0, failed: 0 });
    });
  });

  describe('a gateway that comes and goes', () => {
    test.each(rates)('is used less and less, and loses no payment, at %d/s', (perSecond) => {
      const { failed, changesPerHour } = figures('flapping', perSecond);
      expect(failed).toBe(0);
      expect(changesPerHour).toBeLessThanOrEqual(CHANGES_PER_HOUR_MAX);
    });
  });

  test('sentences name the failures of customers, in the evaluated window', () => {
    const firstOf = (fault: SimulatedFault) => describeHealthReason(play(fault, 5).changes[0]?.why ?? null, UTC_CLOCK);
    expect(firstOf('down')).toMatch(
      /^Down since 14:0\d UTC: (\d+) of \1 checkouts could not connect in \d s \(Paystack, card\)\.$/,
    );
    expect(firstOf('slow')).toMatch(/^Down since 14:0\d UTC: (\d+) of \1 checkouts timed out in \d+ s \(Paystack, card\)\.$/);
  });
}

/** The effects of a fault on customers. Times are milliseconds. */
interface Figures {
  /** From the start of the fault. */
  readonly payments: number;
  /** Customers whose payment failed by a gateway, or who waited much longer than usual. */
  readonly hit: number;
  /** Longest wait above the usual. */
  readonly longestAddedMs: number;
  /** Mean wait above the usual, of all payments under the fault. */
  readonly meanAddedMs: number;
  readonly failed: number;
  readonly changes: number;
  /** Most changes within an hour, of one account. */
  readonly changesPerHour: number;
  /** How often the leading account lost or regained its position. */
  readonly turns: number;
  /** From the repair until the leading account stays healthy; null when it was not at the end. */
  readonly recoveryMs: number | null;
}

/** A customer notices a longer wait from this much on. */
const NOTICED_MS = 1_000;
const HOUR_MS = 3_600_000;

function figuresOf({ served, changes, faultAtMs, repairedAtMs }: Simulated): Figures {
  const usualMs = quantile(
    served.filter(({ atMs }) => atMs < faultAtMs).map(({ waitedMs }) => waitedMs),
    0.5,
  );
  const after = served.filter(({ atMs }) => atMs >= faultAtMs);
  const added = after.filter(({ atMs }) => atMs < repairedAtMs).map(({ waitedMs }) => Math.max(0, waitedMs - usualMs));
  const isHit = ({ failedTries, waitedMs }: (typeof after)[number]) => failedTries > 0 || waitedMs - usualMs > NOTICED_MS;
  const own = changes.filter(({ atMs }) => atMs >= faultAtMs);
  return {
    payments: after.length,
    hit: after.filter(isHit).length,
    longestAddedMs: added.reduce((longest, ms) => Math.max(longest, ms), 0),
    meanAddedMs: added.reduce((sum, ms) => sum + ms, 0) / Math.max(1, added.length),
    failed: after.filter(({ status }) => status === 'FAILED').length,
    changes: own.length,
    changesPerHour: Math.max(0, ...own.map(({ gateway, atMs }) => countWithin(own, gateway, atMs))),
    turns: own.filter(({ gateway, from, to }) => gateway === GATEWAYS[0] && (from === 'healthy' || to === 'healthy')).length,
    recoveryMs: recoveryOf(changes, repairedAtMs),
  };
}

function countWithin(changes: Simulated['changes'], gateway: string, from: number): number {
  return changes.filter((one) => one.gateway === gateway && one.atMs >= from && one.atMs < from + HOUR_MS).length;
}

function recoveryOf(changes: Simulated['changes'], repairedAtMs: number): number | null {
  const last = changes.findLast(({ gateway }) => gateway === GATEWAYS[0]);
  if (last === undefined) return 0;
  return last.to === 'healthy' ? Math.max(0, last.atMs - repairedAtMs) : null;
}

/** The value that this share of all values does not exceed; 0 when there are none. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0;
}
