import { expect, test } from 'vitest';
import { timeTicks } from './time-axis.tsx';

const to = new Date('2026-11-21T13:10:00Z');
const before = (minutes: number) => new Date(to.getTime() - minutes * 60_000);

test.each([
  [90, ['13:00', '13:30']],
  [1_440, ['18:00', '21 Nov', '06:00']],
  [10_080, ['16 Nov', '18 Nov', '20 Nov']],
])('%i minutes are named at round moments of the page, none of them at an end', (minutes, labels) => {
  expect(timeTicks(before(minutes), to).map(({ label }) => label)).toEqual(labels);
});

test('ticks lie in order within the axis', () => {
  for (const minutes of [90, 1_440, 10_080, 43_200]) {
    const places = timeTicks(before(minutes), to).map(({ place }) => place);
    expect(places.length).toBeGreaterThanOrEqual(2);
    expect(places.length).toBeLessThanOrEqual(4);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    for (const place of places) expect(place > 0 && place < 1).toBe(true);
  }
});

test('a short period that ends now says where its last minutes begin, and no label meets that', () => {
  expect(timeTicks(before(90), to, true).map(({ label, place }) => [label, place.toFixed(2)])).toEqual([
    ['13:00', '0.13'],
    ['13:30', '0.33'],
    ['15 min ago', '0.50'],
  ]);
});
