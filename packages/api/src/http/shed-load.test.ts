import { describe, expect, test } from 'vitest';
import { IMPORTANCE, type Importance } from './request-kinds.ts';
import { createShedder, readSheddingLimits, SAMPLE_MS, type Shedder } from './shed-load.ts';

const limits = { eventLoopDelayMs: 100, inFlightMax: 1_000, ownMax: 200, waitMaxMs: 1_000 };

function sampleFor(shedder: Shedder, delayMs: number, milliseconds: number): void {
  for (let at = 0; at < milliseconds; at += SAMPLE_MS) shedder.sample(delayMs);
}

/** The share of a hundred requests that is admitted. */
function admitted(shedder: Shedder, importance: Importance): number {
  return Array.from({ length: 100 }, () => shedder.admits(importance, { all: 0, atGateways: 0 })).filter(Boolean).length / 100;
}

describe('the delay of the event loop', () => {
  test('below its limit sheds nothing', () => {
    const shedder = createShedder(limits);
    sampleFor(shedder, 99, 60_000);
    expect(IMPORTANCE.map((importance) => admitted(shedder, importance))).toEqual([1, 1, 1, 1, 1, 1]);
  });

  test('of a single pause sheds nothing, however long', () => {
    const shedder = createShedder(limits);
    sampleFor(shedder, 0, 1_000);
    shedder.sample(3_000);
    shedder.sample(0);
    expect(shedder.pressure).toBe(0);
  });

  test('above its limit sheds the least important class first, and the others only when that is not enough', () => {
    const shedder = createShedder(limits);
    let before = 0;
    for (let at = 0; at < 3_000; at += SAMPLE_MS) {
      shedder.sample(200);
      const shares = IMPORTANCE.map((importance) => admitted(shedder, importance));
      expect([...shares].sort((a, b) => a - b)).toEqual(shares);
      expect(shedder.pressure).toBeGreaterThanOrEqual(before);
      before = shedder.pressure;
    }
    expect(shedder.pressure).toBe(IMPORTANCE.length);
  });

  test('reaches the least important class within a quarter of a second, and initiates within two', () => {
    const shedder = createShedder(limits);
    sampleFor(shedder, 500, 250);
    expect(admitted(shedder, 'reports')).toBeLessThan(1);
    expect(admitted(shedder, 'initiate')).toBe(1);
    sampleFor(shedder, 500, 1_000);
    expect(admitted(shedder, 'initiate')).toBeLessThan(1);
  });

  test('sheds the exact share of a class that is shed in part', () => {
    const shedder = createShedder(limits);
    sampleFor(shedder, 150, 3 * SAMPLE_MS);
    expect(shedder.pressure).toBeCloseTo(0.125);
    expect(admitted(shedder, 'reports')).toBeCloseTo(0.88, 1);
    expect(admitted(shedder, 'dashboard')).toBe(1);
  });

  test('that is over lets everything in again', () => {
    const shedder = createShedder(limits);
    sampleFor(shedder, 500, 10_000);
    sampleFor(shedder, 0, 7_000);
    expect(shedder.pressure).toBe(0);
  });
});

describe('requests in flight', () => {
  const admittedOf = (all: number, atGateways: number) =>
    IMPORTANCE.map((importance) => createShedder(limits).admits(importance, { all, atGateways }));

  test('are limited by class', () => {
    expect(admittedOf(850, 850)).toEqual([false, false, false, false, true, true]);
    expect(admittedOf(1_001, 1_001)).toEqual(new Array(6).fill(false));
  });

  test('that wait for this process or its database are limited by class too, and lower', () => {
    expect(admittedOf(100, 0)).toEqual(new Array(6).fill(true));
    expect(admittedOf(170, 0)).toEqual([false, false, false, false, true, true]);
    expect(admittedOf(201, 0)).toEqual(new Array(6).fill(false));
  });

  test('at a slow gateway are none of our own work', () => {
    expect(admittedOf(400, 350)).toEqual(new Array(6).fill(true));
  });
});

describe('what our own requests wait', () => {
  /** Observes a second in which so many are in flight and so many end. */
  const second = (shedder: Shedder, own: number, ended: number) => {
    for (let n = 0; n < 1_000 / SAMPLE_MS; n++) shedder.observe({ own, ended: (ended * SAMPLE_MS) / 1_000 });
  };

  test('is kept to half a second by admitting fewer, whatever the pace of the machine', () => {
    for (const perSecond of [100, 400, 1_000]) {
      const shedder = createShedder({ ...limits, ownMax: 1_000 });
      let own = 1_000;
      for (let n = 0; n < 20; n++) {
        second(shedder, own, perSecond);
        own = Math.min(1_000, shedder.ownLimit ?? 0);
      }
      expect(own).toBeGreaterThanOrEqual(0.2 * perSecond);
      expect(own).toBeLessThanOrEqual(perSecond);
    }
  });

  test('sheds nothing of a few, however slow, nor while nothing ends because the database is away', () => {
    const shedder = createShedder(limits);
    for (let n = 0; n < 10; n++) second(shedder, 24, 1);
    for (let n = 0; n < 10; n++) second(shedder, 150, 0);
    expect(shedder.ownLimit).toBe(200);
  });

  test('that is over admits as many as before', () => {
    const shedder = createShedder(limits);
    for (let n = 0; n < 10; n++) second(shedder, 200, 50);
    expect(shedder.ownLimit).toBeLessThan(60);
    for (let n = 0; n < 5; n++) second(shedder, 5, 50);
    expect(shedder.ownLimit).toBe(200);
  });
});

test('the limits are settings, and 0 switches one off', () => {
  expect(readSheddingLimits({})).toEqual({ eventLoopDelayMs: null, inFlightMax: 4_000, ownMax: 1_000, waitMaxMs: 3_000 });
  expect(
    readSheddingLimits({ SHED_EVENT_LOOP_DELAY_MS: '200', SHED_IN_FLIGHT_MAX: '0', SHED_OWN_MAX: '50', SHED_WAIT_MS: '0' }),
  ).toEqual({
    eventLoopDelayMs: 200,
    inFlightMax: null,
    ownMax: 50,
    waitMaxMs: null,
  });
  const off = createShedder({ eventLoopDelayMs: null, inFlightMax: null, ownMax: null, waitMaxMs: null });
  sampleFor(off, 10_000, 10_000);
  expect(off.admits('reports', { all: 1e9, atGateways: 0 })).toBe(true);
});
