import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type StateChange, toOutages, toSpans } from './health-spans.ts';

const from = new Date('2026-11-20T14:00:00Z');
const at = (minute: number) => new Date(from.getTime() + minute * 60_000);
const evidenceOf = (minute: number) =>
  ({
    code: 'slow',
    gateway: 'Paystack',
    method: null,
    state: 'down',
    since: at(minute).toISOString(),
    again: false,
    latencyMs: 9_000,
    usualMs: null,
  }) as const;
const change = (minute: number, state: StateChange['state'], why: StateChange['why'] = evidenceOf(minute)): StateChange => ({
  state,
  why,
  at: at(minute),
});

describe('the states of an account', () => {
  test('begin with the one it was in before, and leave no gap', () => {
    const spans = toSpans([change(8, 'probing'), change(-30, 'down'), change(9, 'probing'), change(12, 'healthy')], from);
    expect(spans.map(({ state, from: begun, to }) => [state, begun, to])).toEqual([
      ['down', from, at(8)],
      ['probing', at(8), at(12)],
      ['healthy', at(12), null],
    ]);
  });

  test('are healthy where nothing ever changed', () => {
    expect(toSpans([], from)).toEqual([{ state: 'healthy', from, to: null, why: null }]);
  });

  test('follow on each other whatever the changes are', () => {
    const changes = fc.array(
      fc.record({
        minute: fc.integer({ min: -100, max: 100 }),
        state: fc.constantFrom('healthy', 'degraded', 'down', 'probing'),
      }),
    );
    fc.assert(
      fc.property(changes, (many) => {
        const spans = toSpans(
          many.map(({ minute, state }) => change(minute, state)),
          from,
        );
        expect(spans[0]?.from).toEqual(from);
        expect(spans.at(-1)?.to).toBeNull();
        for (const [index, span] of spans.entries()) {
          const next = spans[index + 1];
          if (next === undefined) continue;
          expect(span.to).toEqual(next.from);
          expect(span.state).not.toBe(next.state);
          expect(next.from.getTime()).toBeGreaterThan(span.from.getTime());
        }
      }),
    );
  });
});

describe('outages', () => {
  test('that only others saw are told from those of the account itself, whose reason says more', () => {
    const others = {
      code: 'fails_for_others',
      gateway: 'Paystack',
      method: null,
      state: 'down',
      since: '',
      faulted: 5,
      samples: 5,
    } as const;
    const byOthers = { state: 'down', why: others, at: at(2) } as const;
    const alone = toSpans([byOthers, change(5, 'healthy')], from);
    expect(toOutages(alone)).toEqual([{ worst: 'down', from: at(2), to: at(5), why: others }]);
    const proven = toSpans([byOthers, change(3, 'down'), change(5, 'healthy')], from);
    expect(proven.map(({ state, from: begun }) => [state, begun])).toEqual([
      ['healthy', from],
      ['down', at(2)],
      ['down', at(3)],
      ['healthy', at(5)],
    ]);
    expect(toOutages(proven)).toEqual([{ worst: 'down', from: at(2), to: at(5), why: evidenceOf(3) }]);
  });

  test('run from leaving healthy to being healthy again, and are called by their worst', () => {
    const spans = toSpans(
      [change(2, 'degraded'), change(5, 'down'), change(6, 'probing'), change(7, 'down'), change(20, 'healthy')],
      from,
    );
    expect(toOutages(spans)).toEqual([{ worst: 'down', from: at(2), to: at(20), why: evidenceOf(5) }]);
  });

  test('that last have no end, and come first', () => {
    const spans = toSpans([change(2, 'degraded'), change(5, 'healthy'), change(9, 'down')], from);
    expect(toOutages(spans).map(({ worst, to }) => [worst, to])).toEqual([
      ['down', null],
      ['degraded', at(5)],
    ]);
  });
});
