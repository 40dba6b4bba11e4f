import { expect, test } from 'vitest';
import { openHookPage } from '../testing/hook-page.ts';
import { useCan, useCanAnywhere, useCanHere } from './use-can.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const access = [
  { merchantId: 'm-1', permissions: ['payment:read', 'payment:refund'] },
  { merchantId: 'm-2', permissions: ['key:issue'] },
];

test('nothing is permitted before the permissions are loaded', async () => {
  page.server().on('me', () => new Promise(() => undefined));
  const may = await page.render(useCan);
  expect(may.result.current('payment:read', 'm-1')).toBe(false);
});

test('of a row, a permission counts that is granted for its merchant, whatever page it is on', async () => {
  page.server().on('me', () => ({ access }));
  const { result } = await page.render(useCan);
  expect([result.current('key:issue', 'm-1'), result.current('payment:refund', 'm-1')]).toEqual([false, true]);
  expect([result.current('key:issue', 'm-2'), result.current('payment:refund', 'm-2')]).toEqual([true, false]);
});

test('the workspace takes a permission for all merchants, which counts for each', async () => {
  page.server().on('me', () => ({ access: [...access, { merchantId: null, permissions: ['health:read'] }] }));
  const { result } = await page.render(useCan);
  expect([result.current('key:issue', null), result.current('health:read', null)]).toEqual([false, true]);
  expect([result.current('health:read', 'm-1'), result.current('health:read', 'm-9')]).toEqual([true, true]);
});

test('on a page, a permission counts for its merchant, and where all are shown for any', async () => {
  page.server().on('me', () => ({ access }));
  const ofOne = await page.render(useCanHere);
  expect([ofOne.result.current('payment:refund'), ofOne.result.current('key:issue')]).toEqual([true, false]);
  page.goTo('?mode=test');
  page.server().on('me', () => ({ access }));
  const ofAll = await page.render(useCanHere);
  expect([ofAll.result.current('key:issue'), ofAll.result.current('routing:publish')]).toEqual([true, false]);
});

test('a permission for test mode alone counts on pages of test mode', async () => {
  const developer = [{ merchantId: 'm-1', permissions: ['key:issue'], inTestMode: ['payment:refund'] }];
  page.server().on('me', () => ({ access: developer }));
  const inTest = await page.render(useCan);
  expect(inTest.result.current('payment:refund', 'm-1')).toBe(true);
  page.goTo('?mode=live&merchant=m-1');
  page.server().on('me', () => ({ access: developer }));
  const inLive = await page.render(useCan);
  expect([inLive.result.current('payment:refund', 'm-1'), inLive.result.current('key:issue', 'm-1')]).toEqual([false, true]);
});

test('what leads to a page takes a permission at any merchant', async () => {
  page.server().on('me', () => ({ access }));
  const { result } = await page.render(useCanAnywhere);
  expect([result.current('key:issue'), result.current('routing:publish')]).toEqual([true, false]);
});
