import { expect, test } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useEnableEndpoint } from './endpoint-page.tsx';

const page = openHookPage('?mode=live&merchant=m-1');
const ENDPOINT = { merchantId: 'm-1', endpointId: 'e-1', disabledAt: new Date('2026-11-20T14:02:00Z') };

test('sending what was missed leads to the endpoint, from whichever page the message is used on', async () => {
  page.server().on('webhooks.enable', () => ({ kind: 'changed' }));
  const { result, act, unmount } = await page.render(() => useEnableEndpoint(ENDPOINT, () => undefined));
  await act(() => result.current.enable());
  await unmount();
  shownToasts().at(-1)?.action?.run();
  expect(page.navigations()).toEqual([
    {
      how: 'push',
      href: '/webhooks/endpoints/e-1?mode=live&merchant=m-1&do=resend&from=2026-11-20T14%3A02%3A00.000Z',
    },
  ]);
});

test('why an endpoint could not be switched on is shown', async () => {
  page.server().on('webhooks.enable', () => {
    throw new Error('The database is unavailable.');
  });
  const { result, act } = await page.render(() => useEnableEndpoint(ENDPOINT, () => undefined));
  await act(() => result.current.enable());
  expect(shownToasts().at(-1)).toMatchObject({ text: 'The database is unavailable.', tone: 'bad' });
});
