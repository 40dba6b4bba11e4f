import { expect, test } from 'vitest';
import { openHookPage } from '../testing/hook-page.ts';
import { useCan } from './use-can.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const access = [
  { merchantId: 'm-1', permissions: ['payment:read', 'payment:refund'] },
  { merchantId: 'm-2', permissions: ['key:issue'] },
];

test('nothing is permitted before the permissions are loaded', async () => {
  page.server().on('me', () => new Promise(() => undefined));
  const may = await page.render(useCan);
  expect(may.result.current('payment:read')).toBe(false);
});

test('a permission counts for the merchant it is granted for, by default the one of the page', async () => {
  page.server().on('me', () => ({ access }));
  const { result } = await page.render(useCan);
  expect([result.current('payment:refund'), result.current('key:issue')]).toEqual([true, false]);
  expect([result.current('key:issue', 'm-2'), result.current('payment:refund', 'm-2')]).toEqual([true, false]);
});

test('where every merchant is shown, a permission for any is enough', async () => {
  page.server().on('me', () => ({ access }));
  const { result } = await page.render(useCan);
  expect([result.current('key:issue', null), result.current('routing:publish', null)]).toEqual([true, false]);
});

test('a grant for the workspace counts for every merchant', async () => {
  page.server().on('me', () => ({ access: [{ merchantId: null, permissions: ['key:issue'] }] }));
  const { result } = await page.render(useCan);
  expect([result.current('key:issue'), result.current('key:issue', 'm-9')]).toEqual([true, true]);
});
