import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { handleAuth } from '../auth/handle.ts';
import type { Switchyard } from '../process.ts';
import { sendGraphql } from '../testing/served.ts';
import { Browser, createStaffWithGrants, ORIGIN, openTestSwitchyard } from '../testing/switchyard.ts';
import { handleTrpc } from '../trpc/trpc.ts';
import { readBody } from './bodies.ts';

const CHUNK = 65_536;

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: null, role: 'owner' }]));
});
afterAll(() => close());

/** An endless body without a length, and how much of it was read. */
function endless(): { readonly body: ReadableStream<Uint8Array>; taken(): number } {
  let taken = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += CHUNK;
      controller.enqueue(new Uint8Array(CHUNK).fill(' '.charCodeAt(0)));
    },
  });
  return { body, taken: () => taken };
}

test.each([
  ['sign-in', 8_192, (request: Request) => handleAuth(switchyard, request), '/api/auth/sign-in/email'],
  ['the dashboard', 9_437_184, (request: Request) => handleTrpc(switchyard, request), '/api/trpc/session.read'],
  ['imported files', 35_651_584, (request: Request) => handleTrpc(switchyard, request), '/api/trpc/settlements.files.take'],
  ['reports', 65_536, (request: Request) => sendGraphql(switchyard, request), '/api/graphql'],
])('the endpoint of %s reads no more of a body than its limit, whatever the declared length', async (_, limit, handle, path) => {
  const { body, taken } = endless();
  const headers = browser.headers({ 'content-type': 'application/json' });
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  expect((await handle(new Request(`${ORIGIN}${path}`, init))).status).toBe(413);
  expect(taken()).toBeLessThanOrEqual(limit + 3 * CHUNK);
});

test('without a session no file is read', async () => {
  const { body, taken } = endless();
  const headers = new Browser(switchyard).headers({ 'content-type': 'application/json' });
  const init = { method: 'POST', headers, body, duplex: 'half' } as const;
  expect((await handleTrpc(switchyard, new Request(`${ORIGIN}/api/trpc/settlements.files.take`, init))).status).toBe(413);
  expect(taken()).toBeLessThanOrEqual(9_437_184 + 3 * CHUNK);
});

describe('a body', () => {
  test('of exactly the maximum length is read whole, and a missing one is empty', async () => {
    const text = 'é'.repeat(500);
    expect((await readBody(new Response(text).body, 1_000))?.toString()).toBe(text);
    expect(await readBody(new Response(text).body, 999)).toBeNull();
    expect((await readBody(null, 0))?.length).toBe(0);
  });
});
