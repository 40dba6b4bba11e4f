// @vitest-environment happy-dom

import { useQuery } from '@tanstack/react-query';
import { act, screen } from '@testing-library/react';
import { TRPCClientError } from '@trpc/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { useScope } from '#/scope/use-scope.ts';
import { openDashboard, textOf } from '#/testing/dashboard.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { BlindBand } from './blind-band.tsx';

const page = openDashboard('?mode=live', '/overview');
const EVERY_MS = 10_000;
/** Two beats, the time of an answer, and the next look. */
const BLIND_MS = 2 * EVERY_MS + 2_000 + 1_000;

/** A page with one query that is read every ten seconds. */
function Polled() {
  const trpc = useTRPC();
  const { dataUpdatedAt, isFetching, refetch } = useQuery(
    trpc.payments.today.queryOptions(useScope(), { refetchInterval: EVERY_MS }),
  );
  return (
    <>
      <BlindBand />
      <Freshness updatedAt={dataUpdatedAt} fetching={isFetching} onRefresh={() => void refetch()} />
      <StateBadge state="healthy" />
    </>
  );
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  page.on('payments.today', () => ({}));
});
afterEach(() => {
  setOnline(true);
  vi.useRealTimers();
});

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const fail = (error: Error = new Error('No answer.')) =>
  page.on('payments.today', () => {
    throw error;
  });
const band = () => textOf(screen.getByRole('alert'));
function setOnline(isOnline: boolean): void {
  vi.stubGlobal(
    'navigator',
    new Proxy(navigator, { get: (target, name) => (name === 'onLine' ? isOnline : Reflect.get(target, name)) }),
  );
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

describe('a page whose server does not answer', () => {
  test('says so after two beats, with how old its data is, and nothing on it is healthy', async () => {
    page.show(<Polled />);
    await wait(1);
    fail();
    await wait(2 * EVERY_MS);
    expect([band(), document.documentElement.hasAttribute('data-blind')]).toEqual(['', false]);
    screen.getByText('Healthy');
    await wait(BLIND_MS - 2 * EVERY_MS);
    expect(band()).toMatch(/^Switchyard does not answer.*Last updated 2\d s ago\. What is shown may be out of date\.$/);
    expect(document.documentElement.hasAttribute('data-blind')).toBe(true);
    screen.getByText('Was healthy');
    screen.getByText(/^Not updated for 2\d s$/);
  });

  test('is live again with the first answer', async () => {
    page.show(<Polled />);
    await wait(1);
    fail();
    await wait(BLIND_MS);
    page.on('payments.today', () => ({}));
    await wait(EVERY_MS);
    expect([band(), document.documentElement.hasAttribute('data-blind')]).toEqual(['', false]);
    screen.getByText('Healthy');
  });

  test('keeps itself when a link is followed: the browser has nothing in its place', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    page.show(
      <>
        <Polled />
        <a href="/payments?mode=live">Payments</a>
      </>,
    );
    await wait(1);
    fail();
    await wait(BLIND_MS);
    const click = new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 });
    screen.getByRole('link', { name: 'Payments' }).dispatchEvent(click);
    await wait(1);
    expect(click.defaultPrevented).toBe(true);
    expect(page.navigations()).toEqual([]);
    expect(page.toasts()).toEqual(['Switchyard does not answer. The page is kept: try again later.']);
    vi.stubGlobal('fetch', () => Promise.resolve(new Response(null, { status: 200 })));
    screen
      .getByRole('link', { name: 'Payments' })
      .dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, button: 0 }));
    await wait(1);
    expect(page.navigations()).toEqual(['/payments?mode=live']);
  });
});

test.each(['NOT_FOUND', 'FORBIDDEN'])('an answer that is about the data, %s, is one', async (code) => {
  page.show(<Polled />);
  await wait(1);
  fail(TRPCClientError.from({ error: { message: 'No.', code: -32_004, data: { code } } }));
  await wait(BLIND_MS);
  expect(band()).toBe('');
});

test('a page that is offline says so at once', async () => {
  page.show(<Polled />);
  await wait(1);
  await act(async () => setOnline(false));
  expect(band()).toMatch(/^You are offline.*Last updated just now/);
  await act(async () => setOnline(true));
  expect(band()).toBe('');
});
