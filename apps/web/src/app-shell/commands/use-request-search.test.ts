import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/render-hook.ts';
import { openServer, type TestServer } from '#/testing/server.tsx';
import { openWindow } from '#/testing/window.ts';
import type { Command } from './commands.ts';
import { useRequestSearch } from './use-request-search.ts';

openWindow();
afterAll(() => vi.unstubAllGlobals());

const SCOPE = { mode: 'test', merchantId: null } as const;
const REQUEST_ID = '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let server: TestServer;
let menu: RenderedHook<Command[], string>;

beforeEach(async () => {
  server = openServer('?mode=test');
  server.on('me', () => ({ access: [{ merchantId: null, permissions: ['key:read'] }] }));
  server.on('requests.list', () => ({
    items: [{ apiRequestId: 'r-1', method: 'POST', path: '/v1/payments/initiate', status: 400 }],
    next: null,
  }));
  menu = await renderHook((text) => useRequestSearch(text, SCOPE), { props: '', wrapper: server.wrapper });
});
afterEach(async () => {
  await menu.unmount();
  server.close();
});

test('a request id finds its requests, and the command opens one; other text asks for none', async () => {
  await menu.rerender('order-1');
  await menu.rerender(` ${REQUEST_ID.toUpperCase()} `);
  await vi.waitFor(() => expect(menu.result.current).toHaveLength(1));
  expect(server.calls('requests.list')).toMatchObject([{ mode: 'test', merchantIds: [], requestId: REQUEST_ID }]);
  const [command] = menu.result.current;
  expect(command?.label).toBe('POST /v1/payments/initiate, HTTP 400');
  const go = vi.fn();
  const nothing = () => undefined;
  command?.run({ scope: SCOPE, go, toggleScheme: nothing, showShortcuts: nothing, signOut: nothing });
  expect(go).toHaveBeenCalledWith('/developers/requests', { q: REQUEST_ID, request: 'r-1' });
});
