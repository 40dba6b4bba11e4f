import { expect, test } from 'vitest';
import { isFiltered, type RequestFilters, toRequestsInput } from './filters.ts';

const SCOPE = { mode: 'test', merchantId: null } as const;
const NONE: RequestFilters = { outcome: [], method: [], key: [], q: '', payment: '', from: '', to: '' };
const ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

test('text that is an id searches by request id, any other by path, and an id that is none is left out', () => {
  expect(toRequestsInput(SCOPE, { ...NONE, q: ` ${ID} ` })).toMatchObject({ requestId: ID, path: null });
  expect(toRequestsInput(SCOPE, { ...NONE, q: '/v1/payments' })).toMatchObject({ requestId: null, path: '/v1/payments' });
  expect(toRequestsInput(SCOPE, NONE)).toMatchObject({ requestId: null, path: null, paymentId: null, keyIds: [] });
  expect(toRequestsInput(SCOPE, { ...NONE, key: ['x', ID], payment: 'x' })).toMatchObject({ keyIds: [ID], paymentId: null });
});

test('days of the viewer bound the list, both inclusive', () => {
  const { endedFrom, endedTo } = toRequestsInput(SCOPE, { ...NONE, from: '2026-11-21', to: '2026-11-21' });
  expect((endedTo?.getTime() ?? 0) - (endedFrom?.getTime() ?? 0)).toBe(86_400_000);
});

test('any one filter counts as filtered', () => {
  expect(isFiltered(NONE)).toBe(false);
  for (const one of [
    { outcome: ['failed'] as const },
    { method: ['GET'] },
    { key: [ID] },
    { q: 'a' },
    { payment: ID },
    { to: 'today' },
  ]) {
    expect(isFiltered({ ...NONE, ...one } as RequestFilters)).toBe(true);
  }
});
