import { expect, test, vi } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useLastWeek, useTraffic } from './use-routing.ts';

const page = openHookPage('?mode=test&merchant=m-1');

test('the last week ends with the present hour, and stays the same while the page is open', async () => {
  vi.setSystemTime(new Date('2026-11-21T14:20:00Z'));
  const { result, rerender } = await page.render(useLastWeek);
  const week = { from: new Date('2026-11-14T15:00:00Z'), to: new Date('2026-11-21T15:00:00Z') };
  expect(result.current).toEqual(week);
  vi.setSystemTime(new Date('2026-11-21T18:00:00Z'));
  await rerender(undefined);
  expect(result.current).toEqual(week);
});

test('a rule without payments counts 0, and none has a count before the counts are loaded', async () => {
  page.server().on(
    'routing.takeovers',
    () =>
      new Promise((resolve) =>
        setTimeout(resolve, 50, {
          kind: 'compared',
          payments: 12,
          decided: [
            { ruleId: 'r-1', payments: 7 },
            { ruleId: null, payments: 5 },
          ],
        }),
      ),
  );
  const { result } = await page.render(() => useTraffic(7));
  expect([result.current.payments, result.current.countOf('r-1')]).toEqual([0, null]);
  await page.wait(50);
  await page.wait();
  const { payments, countOf, decidedBy } = result.current;
  expect(decidedBy).toBe('version 7');
  expect([payments, countOf('r-1'), countOf(null), countOf('r-2')]).toEqual([12, 7, 5, 0]);
});
