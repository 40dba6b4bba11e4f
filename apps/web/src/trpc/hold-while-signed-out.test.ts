// @vitest-environment happy-dom
import type { AppRouter } from '@switchyard/api/trpc';
import { renderHook } from '@testing-library/react';
import { createTRPCClient, TRPCClientError } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasSessionEnded, resumeSession } from '../auth/ended-session.ts';
import { useUnsaved } from '../leaving/unsaved.ts';
import { ASKS_FOR_SESSION, holdWhileSignedOut } from './hold-while-signed-out.ts';

const NO_SESSION = TRPCClientError.from({
  error: { code: -32_001, message: 'Sign in to continue.', data: { code: 'UNAUTHORIZED', httpStatus: 401 } },
});
const location = { pathname: '/refunds', search: '?mode=live', assign: vi.fn() };
let isSignedIn = false;
let calls: string[] = [];
const client = createTRPCClient<AppRouter>({
  links: [
    holdWhileSignedOut(),
    () =>
      ({ op: { path } }) =>
        observable((observer) => {
          calls.push(path);
          if (!isSignedIn) return observer.error(NO_SESSION);
          observer.next({ result: { type: 'data', data: {} } });
          observer.complete();
        }),
  ],
});

beforeEach(() => {
  isSignedIn = false;
  calls = [];
  location.assign.mockReset();
  vi.stubGlobal('location', location);
});
afterEach(() => vi.unstubAllGlobals());

test('a change whose session has ended is made once, after the person has signed in again', async () => {
  const change = client.account.setTimeZone.mutate({ timeZone: 'UTC' });
  await vi.waitFor(() => expect(hasSessionEnded()).toBe(true));
  isSignedIn = true;
  resumeSession();
  await change;
  expect(calls).toEqual(['account.setTimeZone', 'account.setTimeZone']);
  expect(hasSessionEnded()).toBe(false);
  expect(location.assign).not.toHaveBeenCalled();
});

test('a query of a page with nothing unsaved leaves for the sign-in page, and returns', async () => {
  await expect(client.merchants.list.query()).rejects.toThrow('Sign in to continue.');
  expect(location.assign).toHaveBeenCalledExactlyOnceWith(`/sign-in?next=${encodeURIComponent('/refunds?mode=live')}`);
  expect(hasSessionEnded()).toBe(false);
});

test('a query of a page with something unsaved waits', async () => {
  const { unmount } = renderHook(() => useUnsaved(true));
  const query = client.merchants.list.query();
  await vi.waitFor(() => expect(hasSessionEnded()).toBe(true));
  isSignedIn = true;
  resumeSession();
  await query;
  unmount();
  expect(location.assign).not.toHaveBeenCalled();
});

test('the call that asks for the session is answered', async () => {
  await expect(client.me.query(undefined, { context: ASKS_FOR_SESSION })).rejects.toThrow('Sign in to continue.');
  expect([hasSessionEnded(), location.assign.mock.calls]).toEqual([false, []]);
});

test('a call that is dropped while it waits is not made again', async () => {
  const drop = new AbortController();
  const change = client.account.setTimeZone.mutate({ timeZone: 'UTC' }, { signal: drop.signal });
  const dropped = expect(change).rejects.toThrow('Sign in to continue.');
  await vi.waitFor(() => expect(hasSessionEnded()).toBe(true));
  drop.abort();
  isSignedIn = true;
  resumeSession();
  await dropped;
  expect(calls).toEqual(['account.setTimeZone']);
});
