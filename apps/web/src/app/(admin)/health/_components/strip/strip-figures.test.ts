import type { StoredHealthReason } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partial } from '#/testing/partial.ts';
import {
  countedSoFar,
  fillSteps,
  meanLatency,
  outagesIn,
  rollingShares,
  type StateSpan,
  shareOrCounts,
  shareText,
  spansUntilNow,
  stepsIn,
  sumLookups,
  unhealthyMs,
  worstWithin,
} from './strip-figures.ts';

const from = new Date('2026-11-21T13:00:00Z');
const at = (minute: number) => new Date(from.getTime() + minute * 60_000);
const strip = {
  steps: [1, 3],
  succeeded: [3, 1],
  faulted: [1, 0],
  latencyMs: [100, 500],
  lookupsAnswered: [4, 0],
  lookupsFailed: [1, 1],
};

describe('steps of time', () => {
  test('are all present, including those without observations', () => {
    const steps = fillSteps(strip, from, at(5), 60_000);
    expect(steps.map(({ succeeded, faulted }) => [succeeded, faulted])).toEqual([
      [0, 0],
      [3, 1],
      [0, 0],
      [1, 0],
      [0, 0],
    ]);
    expect(fillSteps(undefined, from, at(2), 60_000)).toHaveLength(2);
  });

  test('hold status checks apart from checkouts', () => {
    expect(sumLookups(strip)).toEqual({ answered: 4, failed: 2 });
    expect(sumLookups(undefined)).toEqual({ answered: 0, failed: 0 });
  });

  test('are never fewer checkouts than those of the last five minutes', () => {
    const steps = fillSteps(strip, from, at(5), 60_000);
    expect(countedSoFar(steps, { state: 'healthy', succeeded: 2, faulted: 0 })).toBe(5);
    expect(countedSoFar(steps, { state: 'healthy', succeeded: 6, faulted: 1 })).toBe(7);
    // The counts of an account that is down are those of its evidence, and may be of an earlier time.
    expect(countedSoFar(steps, { state: 'down', succeeded: 6, faulted: 9 })).toBe(5);
  });

  test('weigh latency by what was answered', () => {
    expect(meanLatency(fillSteps(strip, from, at(5), 60_000))).toBe(200);
    expect(meanLatency([])).toBeNull();
  });
});

describe('states within a time', () => {
  const spans = [
    { state: 'healthy', from, to: at(10) },
    { state: 'down', from: at(10), to: at(12) },
    { state: 'probing', from: at(12), to: null },
  ] as const;

  test('are called by their worst', () => {
    expect(worstWithin(spans, at(9).getTime(), at(11).getTime())).toBe('down');
    expect(worstWithin(spans, at(12).getTime(), at(13).getTime())).toBe('probing');
    expect(worstWithin([], 0, 1)).toBe('healthy');
  });

  test('count as trouble until healthy again', () => {
    expect(unhealthyMs(spans, at(0).getTime(), at(15).getTime())).toBe(5 * 60_000);
    expect(unhealthyMs(spans, at(0).getTime(), at(10).getTime())).toBe(0);
  });
});

test('fewer than twenty checkouts are counts, and join those before them for a percentage', () => {
  expect([0, 3, 20].map((succeeded) => shareOrCounts({ succeeded, faulted: 0 }))).toEqual(['–', '3 of 3', '100%']);
  expect(shareOrCounts({ succeeded: 18, faulted: 1 })).toBe('18 of 19');
  const step = (succeeded: number, faulted: number) => ({ at: from, succeeded, faulted, latencyMs: null });
  expect(rollingShares([step(10, 0), step(0, 0), step(5, 5), step(40, 0), step(0, 2)])).toEqual([
    null,
    null,
    { share: 0.75, steps: 3 },
    { share: 1, steps: 1 },
    { share: 40 / 42, steps: 2 },
  ]);
  const quiet = Array.from({ length: 30 }, () => step(1, 0));
  expect(rollingShares(quiet).every((share) => share === null)).toBe(true);
});

test('an outage has no share, and none looks back into it', () => {
  const step = (succeeded: number, faulted: number) => ({ at: from, succeeded, faulted, latencyMs: null });
  const steps = [step(40, 0), step(0, 30), step(10, 0), step(15, 0)];
  expect(rollingShares(steps, (index) => index === 1)).toEqual([{ share: 1, steps: 1 }, null, null, { share: 1, steps: 2 }]);
});

test('outages are the times down within the steps, to the end while they last', () => {
  const span = (state: StateSpan['state'], begin: number, end: number | null) => ({
    state,
    from: at(begin),
    to: end === null ? null : at(end),
  });
  const spans = [span('down', -5, 1), span('degraded', 1, 2), span('down', 2.25, 3), span('down', 7, 9), span('down', 4, null)];
  const outages = outagesIn(spans, from, 6, 60_000);
  expect(outages).toEqual([
    { from: 0, to: 1 },
    { from: 2.25, to: 3 },
    { from: 4, to: 6 },
  ]);
  expect([0, 1, 2, 3, 4, 5].filter(stepsIn(outages))).toEqual([0, 2, 4, 5]);
});

test('a share is never 100% while anything failed', () => {
  expect([shareText(1), shareText(0.99999), shareText(0), shareText(0.0001), shareText(null)]).toEqual([
    '100%',
    '99.9%',
    '0%',
    '0.1%',
    '–',
  ]);
});

describe('recorded states and the present one', () => {
  const why = {
    code: 'fails_for_others',
    state: 'down',
    since: '2026-11-21T13:20:00Z',
    faulted: 9,
    samples: 9,
    gateway: 'Paystack',
    method: null,
  };
  const down = { state: 'down', why: partial<NonNullable<StoredHealthReason>>(why), since: at(20) } as const;
  const healthy: StateSpan = { state: 'healthy', from, to: null };

  test('agree where nothing is recorded, or not yet', () => {
    const shown = [
      { state: 'healthy', from, to: at(20) },
      { state: 'down', why: down.why, from: at(20), to: null },
    ];
    expect(spansUntilNow(null, down, from)).toEqual(shown);
    expect(spansUntilNow([healthy], down, from)).toEqual(shown);
    expect(spansUntilNow(shown as StateSpan[], down, from)).toEqual(shown);
  });

  test('agree once an account has recovered', () => {
    const spans: StateSpan[] = [
      { ...healthy, to: at(10) },
      { state: 'down', from: at(10), to: null },
    ];
    expect(spansUntilNow(spans, { state: 'healthy', why: null, since: at(30) }, from)).toEqual([
      { state: 'healthy', from, to: at(10) },
      { state: 'down', from: at(10), to: at(30) },
      { state: 'healthy', why: null, from: at(30), to: null },
    ]);
  });

  test('agree whether the evidence is the account’s own', () => {
    const spans: StateSpan[] = [{ state: 'down', why: null, from, to: null }];
    expect(spansUntilNow(spans, down, from).at(-1)).toMatchObject({ state: 'down', why: down.why, from: at(20) });
  });

  test('end in the present state without gaps, whatever was recorded', () => {
    const state = fc.constantFrom('healthy', 'degraded', 'down', 'probing');
    fc.assert(
      fc.property(
        fc.array(state, { maxLength: 6 }),
        state,
        fc.option(fc.integer({ min: -30, max: 90 })),
        (states, now, since) => {
          const recorded = states.map((one, index) => ({
            state: one,
            from: at(index * 10),
            to: index + 1 < states.length ? at(index * 10 + 10) : null,
          }));
          const spans = spansUntilNow(recorded, { state: now, why: null, since: since === null ? null : at(since) }, from);
          expect(spans.at(-1)).toMatchObject(recorded.length === 0 ? {} : { state: now, to: null });
          for (const [index, span] of spans.entries()) {
            const next = spans[index + 1];
            if (next !== undefined) expect(span.to).toEqual(next.from);
          }
        },
      ),
    );
  });
});
