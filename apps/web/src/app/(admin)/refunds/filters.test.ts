import { expect, test } from 'vitest';
import { isFiltered, loadMoneyPage, onlySearch, toChargesInput, toRefundsInput, toReviewsInput } from './filters.ts';

const SCOPE = { mode: 'test', merchantId: 'm-1' } as const;
const PAYMENT = 'a1d0f7a2-0000-7000-8000-000000000001';

test('days are those of Lagos, both inclusive', async () => {
  const { createdFrom, createdTo } = toRefundsInput(SCOPE, await loadMoneyPage({ from: '2026-11-20', to: '2026-11-21' }), '');
  expect([createdFrom, createdTo]).toEqual([new Date('2026-11-19T23:00:00Z'), new Date('2026-11-21T23:00:00Z')]);
});

test('a list takes the states it has, and ignores those of another list', async () => {
  const filters = await loadMoneyPage({ state: 'FAILED,OPEN' });
  expect(toRefundsInput(SCOPE, filters, '').states).toEqual(['FAILED']);
  expect(toChargesInput(SCOPE, filters, '').states).toEqual(['OPEN']);
});

test('a payment is looked for by its id in every list', async () => {
  const filters = await loadMoneyPage({ payment: PAYMENT });
  expect(toRefundsInput(SCOPE, filters, '').paymentId).toBe(PAYMENT);
  expect(toReviewsInput(SCOPE, filters, '')).toMatchObject({ search: PAYMENT, mode: 'test', merchantIds: ['m-1'] });
});

test('a text is looked for in every list, and alone without the other filters', async () => {
  const filters = await loadMoneyPage({ q: ' order-7 ', from: '2026-11-20', state: 'FAILED' });
  for (const input of [toRefundsInput, toChargesInput, toReviewsInput]) {
    expect(input(SCOPE, filters, '')).toMatchObject({ search: 'order-7' });
  }
  expect(toRefundsInput(SCOPE, onlySearch(filters), '')).toMatchObject({ search: 'order-7', states: [], createdFrom: null });
});

test('what cannot be read filters nothing, and is a filter that can be cleared', async () => {
  const filters = await loadMoneyPage({ payment: 'order-7', from: 'soon', to: '2026-02-30' });
  expect(toRefundsInput(SCOPE, filters, '')).toMatchObject({ paymentId: null, createdFrom: null, createdTo: null });
  expect(isFiltered(filters)).toBe(true);
  expect(isFiltered(await loadMoneyPage({ tab: 'reviews' }))).toBe(false);
});
