import { expect, test } from 'vitest';
import { toDeliveriesInput } from './filters.ts';

const KEY = { merchantId: 'm-1', endpointId: 'e-1' };

test('without filters every delivery of the endpoint is listed', () => {
  expect(toDeliveriesInput(KEY, { state: null, q: '  ' })).toMatchObject({ ...KEY, states: [], about: null });
});

test('a search is trimmed and cut to what the server accepts', () => {
  expect(toDeliveriesInput(KEY, { state: 'FAILED', q: ` ${'x'.repeat(120)} ` })).toMatchObject({
    states: ['FAILED'],
    about: 'x'.repeat(100),
  });
});
