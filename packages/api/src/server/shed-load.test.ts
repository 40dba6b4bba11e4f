import { describe, expect, test } from 'vitest';
import { IMPORTANCE } from '../http/request-kinds.ts';
import { createShedder, readSheddingLimits, SAMPLE_MS, type Shedder } from './shed-load.ts';

const limits = { inFlightMax: 1_000, ownMax: 200, waitMaxMs: 1_000 };

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

  test('for a moment, in a pause of the machine, sheds nothing', () => {
    const shedder = createShedder(limits);
    second(shedder, 64, 500);
    for (let n = 0; n < 250 / SAMPLE_MS; n++) shedder.observe({ own: 64, ended: 2 });
    expect(shedder.ownLimit).toBe(200);
    second(shedder, 64, 500);
    expect(shedder.ownLimit).toBe(200);
  });

  test('for a moment, of very many, sheds at once', () => {
    const shedder = createShedder({ ...limits, ownMax: 1_000 });
    for (let n = 0; n < 250 / SAMPLE_MS; n++) shedder.observe({ own: 300, ended: 2 });
    expect(shedder.ownLimit).toBe(240);
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
  expect(readSheddingLimits({})).toEqual({ inFlightMax: 4_000, ownMax: 1_000, waitMaxMs: 3_000 });
  expect(readSheddingLimits({ SHED_IN_FLIGHT_MAX: '0', SHED_OWN_MAX: '50', SHED_WAIT_MS: '0' })).toEqual({
    inFlightMax: null,
    ownMax: 50,
    waitMaxMs: null,
  });
  const off = createShedder({ inFlightMax: null, ownMax: null, waitMaxMs: null });
  expect(off.admits('reports', { all: 1e9, atGateways: 0 })).toBe(true);
});
