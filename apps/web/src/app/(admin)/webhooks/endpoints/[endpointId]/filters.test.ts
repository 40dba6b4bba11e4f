import { expect, test } from 'vitest';
import { toDeliveriesInput } from './filters.ts';

const ANY = { state: null, q: '', since: '', until: '' };
const KEY = { merchantId: 'm-1', endpointId: 'e-1' };

test('without filters every delivery of the endpoint is listed', () => {
  expect(toDeliveriesInput(KEY, { ...ANY, q: '  ' }, '')).toMatchObject({ ...KEY, states: [], about: null });
});

test('a search is trimmed and cut to what the server accepts', () => {
  expect(toDeliveriesInput(KEY, { ...ANY, state: 'FAILED', q: ` ${'x'.repeat(120)} ` }, '')).toMatchObject({
    states: ['FAILED'],
    about: 'x'.repeat(100),
  });
});

test('a period is days of the zone, both included', () => {
  const { createdFrom, createdTo } = toDeliveriesInput(KEY, { ...ANY, since: '2026-11-20', until: '2026-11-21' }, '');
  expect([createdFrom?.toISOString(), createdTo?.toISOString()]).toEqual([
    '2026-11-19T23:00:00.000Z',
    '2026-11-21T23:00:00.000Z',
  ]);
});

test('the list is sorted by a column it has, and else newest first', () => {
  const sortOf = (sort: string) => toDeliveriesInput(KEY, ANY, sort).sort;
  expect(sortOf('')).toEqual({ by: 'created', descending: true });
  expect(sortOf('created')).toEqual({ by: 'created', descending: false });
  expect(sortOf('-attempts')).toEqual({ by: 'attempts', descending: true });
  expect(sortOf('next')).toEqual({ by: 'next', descending: false });
  expect(sortOf('-answer')).toEqual({ by: 'created', descending: true });
});
