import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSwitchyard } from './index.ts';

const NOW = Date.parse('2026-11-20T11:00:00.000Z');

beforeEach(() => {
  // A clock that goes from one timer to the next.
  vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] }).setTimerTickMode('nextTimerAsync');
});
afterEach(() => void vi.useRealTimers());

/** Initiates a payment that gets these answers, then one that is right: the tries, how long they took, and what was thrown. */
async function send(...answers: readonly Response[]) {
  let tries = 0;
  const keys = new Set<string | null>();
  const left = [...answers];
  const scripted: typeof fetch = async (_input, init) => {
    tries += 1;
    keys.add(new Headers(init?.headers).get('idempotency-key'));
    return left.shift() ?? Response.json({ status: true, statusCode: 200, message: '', data: {} });
  };
  const client = createSwitchyard({ baseUrl: 'https://pay.example', apiKey: 'sk_test_1', fetch: scripted });
  const order = { merchantOrderId: 'order-1', amount: 2_500, currency: 'NGN', customer: { email: 'ada@example.com' } } as const;
  const error: unknown = await client.payments.initiate(order).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, tries, keys: [...keys], waitedMs: Date.now() - NOW };
}

const refusal = (status: number, retryAfter: string) => new Response('', { status, headers: { 'retry-after': retryAfter } });

describe('a refusal that asks to come back', () => {
  test.each([
    ['in seconds', '1', 1_000],
    ['in the most seconds', '60', 60_000],
    ['at a date', 'Fri, 20 Nov 2026 11:00:30 GMT', 30_000],
    ['at the last date', 'Fri, 20 Nov 2026 11:01:00 GMT', 60_000],
  ])('%s is asked again then, under the same key', async (_, header, waitedMs) => {
    for (const status of [409, 429, 503]) {
      vi.setSystemTime(NOW);
      expect(await send(refusal(status, header))).toEqual({
        error: null,
        tries: 2,
        keys: [expect.stringMatching(/^[\w-]{36}$/)],
        waitedMs,
      });
    }
  });

  test.each([
    ['a date that is over', 'Fri, 20 Nov 2026 10:00:00 GMT'],
    ['no seconds', '0'],
    ['what cannot be read', 'soon'],
  ])('after %s is asked again after the wait of any', async (_, header) => {
    const { error, tries, waitedMs } = await send(refusal(503, header));
    expect([error, tries, waitedMs >= 125, waitedMs <= 250]).toEqual([null, 2, true, true]);
  });

  test.each([
    ['61', 61],
    ['Fri, 20 Nov 2026 11:01:01 GMT', 61],
    ['Fri, 20 Nov 2026 12:00:00 GMT', 3_600],
  ])('later than a minute is thrown, with the seconds: %s', async (header, retryAfterS) => {
    expect(await send(refusal(503, header))).toMatchObject({ tries: 1, waitedMs: 0, error: { retryAfterS } });
  });
});

test('a passing failure without a wait is asked again, and anything else is thrown at once', async () => {
  const proxy = await send(new Response('<h1>Bad gateway</h1>', { status: 502 }));
  expect([proxy.tries, proxy.waitedMs >= 125, proxy.waitedMs <= 250]).toEqual([2, true, true]);
  expect(await send(new Response('', { status: 409 }))).toMatchObject({
    tries: 1,
    error: { statusCode: 409, retryAfterS: null },
  });
  const moved = await send(new Response('', { status: 307, headers: { location: 'https://elsewhere.example' } }));
  expect(moved).toMatchObject({ tries: 1, error: { statusCode: 307 } });
  const page = await send(new Response('<h1>Hello</h1>'));
  expect(page).toMatchObject({ tries: 1, error: { statusCode: 200, message: 'Answered 200, and not by Switchyard' } });
});
