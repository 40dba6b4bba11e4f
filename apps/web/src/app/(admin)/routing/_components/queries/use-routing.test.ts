import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useLive, useMerchantName, usePeople, useRoutingScope } from './use-routing.ts';

const page = openHookPage('?mode=live&merchant=m-1');

test('the scope keeps its identity while the address stays, so that effects on it do not run again', async () => {
  const { result, rerender } = await page.render(useRoutingScope);
  const before = result.current;
  await rerender(undefined);
  expect(before).toEqual({ merchantId: 'm-1', mode: 'live' });
  expect(result.current).toBe(before);
});

test('the configuration in force is read again every 15 seconds', async () => {
  page.server().on('routing.live', () => ({ rules: [] }));
  await page.render(useLive);
  expect(page.server().calls('routing.live')).toEqual([{ merchantId: 'm-1', mode: 'live' }]);
  await page.wait(15_000);
  expect(page.server().calls('routing.live')).toHaveLength(2);
});

test.each([
  ['staff:ada', 'Ada Obi'],
  ['staff:left', 'a former colleague'],
  ['system:schedule', 'the schedule'],
  ['system:canary', 'its customers'],
  ['system:migration', 'Switchyard'],
  [null, 'an unknown person'],
])('the author of rules has a name: %s', async (actor, name) => {
  page.server().on('routing.access', () => ({
    people: [{ staffId: 'ada', name: 'Ada Obi' }],
    needsApproval: true,
    approvers: [{ staffId: 'ada', name: 'Ada Obi' }],
  }));
  const { result } = await page.render(usePeople);
  expect(result.current.nameOf(actor)).toBe(name);
  expect(result.current).toMatchObject({ needsApproval: true, approvers: [{ staffId: 'ada' }] });
});

test('titles have a text before the merchant’s name is loaded, and the name afterwards', async () => {
  page
    .server()
    .on('merchants.list', () => new Promise((resolve) => setTimeout(resolve, 50, [{ merchantId: 'm-1', name: 'Yaba' }])));
  const { result } = await page.render(useMerchantName);
  expect(result.current).toBe('this merchant');
  await page.wait(50);
  await page.wait();
  expect(result.current).toBe('Yaba');
});
