import { describe, expect, test } from 'vitest';
import { describeNotTried, describePlace } from './conditions.ts';

const healthy = [{ condition: 'health', outcome: 'holds' }] as const;
const down = [{ condition: 'health', outcome: 'attention' }] as const;
const refused = [{ condition: 'configured', outcome: 'fails', detail: 'The gateway refused its credentials' }] as const;
const off = [{ condition: 'enabled', outcome: 'fails' }] as const;

describe('an account that was not tried', () => {
  test.each([
    ['Fallback, not needed', true, null, healthy],
    ['Fallback, not healthy: not needed', true, null, down],
    ['Skipped: disabled', false, 'disabled', off],
    ['Skipped: the gateway refused its credentials', false, 'not_configured', refused],
    ['Skipped: no credentials', false, 'not_configured', off],
    ['Skipped', false, null, off],
  ])('%s', (words, eligible, ineligibleReason, conditions) => {
    expect(describeNotTried({ eligible, ineligibleReason, conditions })).toBe(words);
  });
});

describe('the place of an account', () => {
  const first = { place: 0, conditions: healthy };
  test('is its number, with the reason where its health put it behind the others', () => {
    const second = { place: 1, conditions: healthy };
    const last = { place: 2, conditions: down };
    const all = [first, second, last, { place: null, conditions: off }];
    expect(all.map((one) => describePlace(one, all))).toEqual(['1', '2', '3, after the healthy ones', 'Not tried']);
  });

  test('is the number alone where a probing account is tried before a healthy one, or none is healthy', () => {
    const probing = { place: 1, conditions: down };
    expect(describePlace(probing, [first, probing, { place: 2, conditions: healthy }])).toBe('2');
    expect(describePlace(probing, [{ place: 0, conditions: down }, probing])).toBe('2');
  });
});
