import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { newRule } from '../rules/edit.ts';
import { useMapScope } from './coverage-map.tsx';

const page = openHookPage('?currency=KES&country=KE');
const rule = (currency: string, countries: readonly string[] | null) =>
  newRule({ ruleId: currency, currency, methods: ['CARD'], from: 0, to: null, countries, accounts: [] }, currency);
const DOCUMENT = { rules: [rule('NGN', ['NG']), rule('KES', ['KE', 'UG'])], defaultOrder: [] };
const open = () => page.render(() => useMapScope(DOCUMENT, []));

test('the map is drawn for the currency and country of the address', async () => {
  const { result } = await open();
  expect(result.current).toMatchObject({ currency: 'KES', country: 'KE', countries: ['KE', 'UG'] });
});

test.each(['?currency=XXX&country=KE', '?country=US', ''])('values the rules do not have count as none: %s', async (search) => {
  page.goTo(search);
  const { result } = await open();
  expect(result.current.currencies).toContain(result.current.currency);
  expect([null, ...result.current.countries]).toContain(result.current.country);
});

test('without rules and accounts it is NGN, for customers of any country', async () => {
  const { result } = await page.render(() => useMapScope({ rules: [], defaultOrder: [] }, []));
  expect(result.current).toMatchObject({ currency: 'NGN', country: null });
});

test('a choice is kept in the address', async () => {
  const { result, act } = await open();
  await act(() => void result.current.setAsked({ currency: 'NGN', country: null }));
  await page.wait(100);
  expect(result.current).toMatchObject({ currency: 'NGN', country: null, countries: ['NG'] });
});
