import { useQuery } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { openHookPage } from '#/testing/hook-page.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useHealth, useNames } from './use-health.ts';

const page = openHookPage('?mode=live&merchant=m-1');

function overview(state: string, count: number, planned: readonly object[] = []): object {
  const health = [{ method: null, state, probesLeft: 0, judgedBy: 'own', count }];
  return { accounts: [{ accountId: 'a-1', label: 'kora-main', health, overrides: [], planned }] };
}

/** How often data was read that lies beside the feed in the cache. */
let feedReads: number;

async function open() {
  feedReads = 0;
  page.server().on('health.overview', () => overview('healthy', 1));
  return page.render(() => {
    const trpc = useTRPC();
    useQuery({
      queryKey: [...trpc.health.feed.pathKey(), 'test'],
      queryFn: () => ++feedReads,
      staleTime: Number.POSITIVE_INFINITY,
    });
    return useHealth();
  });
}

test('what the server sends replaces what is shown, without another request', async () => {
  const { result } = await open();
  expect([result.current.connection, result.current.data]).toEqual(['live', overview('healthy', 1)]);
  await page.server().emit('health.live', overview('down', 2));
  await page.wait();
  expect(result.current.data).toEqual(overview('down', 2));
  expect(page.server().calls('health.overview')).toHaveLength(1);
});

test('health is read again at an interval too: a stream that brings nothing may be broken', async () => {
  const { result } = await open();
  page.server().on('health.overview', () => overview('down', 7));
  await page.wait(10_000);
  expect(result.current.data).toEqual(overview('down', 7));
});

test('the feed is read again when a state changes, and not when only a count does', async () => {
  await open();
  const before = feedReads;
  await page.server().emit('health.live', overview('healthy', 99));
  await page.wait();
  expect(feedReads).toBe(before);
  await page.server().emit('health.live', overview('down', 99));
  await page.wait();
  expect(feedReads).toBe(before + 1);
});

test('the feed is read again when an override is planned or cancelled', async () => {
  await open();
  const before = feedReads;
  await page.server().emit('health.live', overview('healthy', 1, [{ overrideId: 'o-1' }]));
  await page.wait();
  expect(feedReads).toBe(before + 1);
});

test('a lost connection is shown, with the last data and when it came', async () => {
  const { result } = await open();
  await page.server().emit('health.live', overview('down', 2));
  const cameAt = Date.now();
  page.server().on('health.overview', () => {
    throw new Error('No network.');
  });
  await page.wait(30_000);
  await page.server().failSubscriptions('health.live', 'No network.');
  expect(result.current).toMatchObject({ connection: 'lost', data: overview('down', 2), updatedAt: cameAt });
});

test('people are asked for once each, and only staff', async () => {
  page.server().on('health.people', () => new Map([['ada', 'Ada Obi']]));
  const { result } = await page.render(() => useNames(['staff:bola', 'staff:ada', 'staff:ada', 'system:probe', null]));
  expect(page.server().calls('health.people')).toEqual([{ staffIds: ['ada', 'bola'] }]);
  expect(result.current.get('ada')).toBe('Ada Obi');
});

test('without staff among the actors nothing is asked', async () => {
  const { result } = await page.render(() => useNames(['system:probe', null]));
  expect([page.server().calls('health.people'), result.current.size]).toEqual([[], 0]);
});
