import { describe, expect, test } from 'vitest';
import { type Bounds, GROUPS, readThreshold, type ThresholdField, writeThreshold } from './threshold-fields.ts';

const wide = { min: 0, max: 1_000_000 };
const bounds: Bounds = {
  minSamples: { min: 2, max: 1_000 },
  downShare: { min: 0.05, max: 1 },
  degradedShare: wide,
  healthyShare: wide,
  hardFaults: wide,
  slowTimes: { min: 1.5, max: 100 },
  slowMs: wide,
  fastMs: wide,
  healthyHoldMs: wide,
  restMs: { min: 5_000, max: 600_000 },
  restMaxMs: wide,
  probePayments: wide,
  probeForMs: wide,
  probeEveryMs: wide,
  openingTimeoutMinMs: wide,
  openingTarget: { min: 0.9, max: 0.9999 },
  openingTimeoutMaxMs: wide,
};

function field(name: ThresholdField['name']): ThresholdField {
  const found = GROUPS.flatMap(({ fields }) => fields).find((one) => one.name === name);
  if (found === undefined) throw new Error(`${name} is not asked for`);
  return found;
}

describe('a threshold in the form', () => {
  test.each([
    ['downShare', '50', 0.5],
    ['downShare', '7,5', 0.075],
    ['restMs', '30', 30_000],
    ['restMs', ' 12.5 ', 12_500],
    ['minSamples', '10', 10],
    ['slowTimes', '2.5', 2.5],
    ['learnFromOthers', 'yes', true],
    ['learnFromOthers', 'no', false],
  ] as const)('%s written %j is %j', (name, text, value) => {
    expect(readThreshold(text, field(name), bounds)).toEqual({ value });
  });

  test.each([
    ['downShare', '150', 'must lie between 5 and 100'],
    ['restMs', '1', 'must lie between 5 and 600'],
    ['minSamples', '2.5', 'must be a whole number'],
    ['minSamples', '', 'must be a number'],
    ['slowTimes', '1', 'must lie between 1.5 and 100'],
  ] as const)('%s written %j is refused in its own unit', (name, text, problem) => {
    expect(readThreshold(text, field(name), bounds)).toEqual({ problem });
  });

  test('reads back what it writes', () => {
    expect(writeThreshold(0.075, 'share')).toBe('7.5');
    expect(writeThreshold(2_500, 'seconds')).toBe('2.5');
    expect(writeThreshold(4, 'times')).toBe('4');
    expect([writeThreshold(true, 'switch'), writeThreshold(false, 'switch')]).toEqual(['yes', 'no']);
  });
});
