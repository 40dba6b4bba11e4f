import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { type OriginServer, openOriginServer } from '#/testing/http-server.ts';
import { openWindow } from '#/testing/window.ts';
import { type LinkState, useLink } from './link.tsx';

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

const ANSWERED_WITHIN_MS = 20_000;
let server: OriginServer;
let page: RenderedHook<LinkState, undefined>;

async function open(): Promise<LinkState> {
  window.location.hash = '#secret-of-the-link';
  page = await renderHook(() => useLink('invitation'), { props: undefined });
  expect(page.result.current).toEqual({ kind: 'loading' });
  const expectAnswer = async () => {
    await page.act(() => undefined);
    expect(page.result.current.kind).not.toBe('loading');
  };
  await vi.waitFor(expectAnswer, { timeout: ANSWERED_WITHIN_MS });
  return page.result.current;
}

beforeEach(async () => {
  server = await openOriginServer();
});

afterEach(async () => {
  await page.unmount();
  await server.close();
  openWindow();
});

test('an open link gives its secret and what it is about; the secret is sent in the body, never in an address', async () => {
  const about = { kind: 'invitation', email: 'ada@example.com' };
  server.answer = () => ({ status: 200, body: about });
  expect(await open()).toEqual({ kind: 'open', token: 'secret-of-the-link', about });
  expect(server.requests).toEqual([{ path: '/api/auth/link/look', body: { token: 'secret-of-the-link' } }]);
});

test('a link of the other kind is not accepted', async () => {
  server.answer = () => ({ status: 200, body: { kind: 'password_reset' } });
  expect(await open()).toEqual({ kind: 'invalid', message: 'This link does not work. Ask an owner for a new one.' });
});

test("a refused link shows the server's reason", async () => {
  server.answer = () => ({ status: 410, body: { code: 'LINK_GONE', message: 'This link was used.' } });
  expect(await open()).toEqual({ kind: 'invalid', message: 'This link was used.' });
});

test('without an answer the message names the connection', async () => {
  server.answer = () => null;
  expect(await open()).toMatchObject({ kind: 'invalid', message: expect.stringMatching(/does not answer/) });
});
