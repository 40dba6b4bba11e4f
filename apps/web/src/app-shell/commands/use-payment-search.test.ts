import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/render-hook.ts';
import { openServer, type TestServer } from '#/testing/server.tsx';
import { openWindow } from '#/testing/window.ts';
import { usePaymentSearch } from './use-payment-search.ts';

openWindow();
afterAll(() => vi.unstubAllGlobals());

const PAUSE_MS = 250;
const SCOPE = { mode: 'test', merchantId: null } as const;
const found = (merchantOrderId: string) => ({
  items: [
    {
      paymentId: `id of ${merchantOrderId}`,
      merchantOrderId,
      amount: 12_500,
      currency: 'NGN',
      displayStatus: 'SUCCESS',
      matched: 'order_id',
    },
  ],
  next: null,
});

let server: TestServer;
let menu: RenderedHook<ReturnType<typeof usePaymentSearch>, string>;
const wait = (ms: number) => menu.act(() => vi.advanceTimersByTimeAsync(ms));
const labels = () => menu.result.current.commands.map(({ label }) => label);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  server = openServer('?mode=test');
  server.on('payments.list', (input) => found(Object(input).search));
  menu = await renderHook((text) => usePaymentSearch(text, SCOPE), { props: '', wrapper: server.wrapper });
});

afterEach(async () => {
  await menu.unmount();
  server.close();
  vi.useRealTimers();
});

test('payments are searched for once typing pauses, in the scope of the page', async () => {
  for (const text of ['ord', 'orde', 'order-1']) {
    await menu.rerender(text);
    await wait(PAUSE_MS - 1);
  }
  expect(server.calls('payments.list')).toEqual([]);
  expect(menu.result.current.searching).toBe(true);
  await wait(1);
  await wait(0);
  expect(server.calls('payments.list')).toMatchObject([{ mode: 'test', merchantIds: [], search: 'order-1' }]);
  expect([labels(), menu.result.current.searching]).toEqual([['order-1, NGN 12,500.00, succeeded'], false]);
});

test('fewer than three letters are not searched for', async () => {
  await menu.rerender(' or ');
  await wait(PAUSE_MS);
  expect([server.calls('payments.list'), menu.result.current.searching]).toEqual([[], false]);
});

test('what another text found is not offered while typing goes on', async () => {
  await menu.rerender('order-1');
  await wait(PAUSE_MS);
  await wait(0);
  await menu.rerender('order-2');
  expect([labels(), menu.result.current.searching]).toEqual([[], true]);
});

test('a found payment opens its page', async () => {
  await menu.rerender('order-1');
  await wait(PAUSE_MS);
  await wait(0);
  const go = vi.fn<(path: string) => void>();
  menu.result.current.commands[0]?.run({ scope: SCOPE, go, toggleScheme: vi.fn(), showShortcuts: vi.fn(), signOut: vi.fn() });
  expect(go.mock.calls).toEqual([['/payments/id of order-1']]);
});
