import { randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { operateServer } from '@switchyard/api/server-process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWebServer, type PageHandler } from './web-server.ts';

let switchyard: Switchyard;
let pages: PromiseWithResolvers<PageHandler>;
let url: string;
let close: () => Promise<void>;

beforeEach(async () => {
  const secret = randomBytes(32).toString('base64');
  const environment = {
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${secret}`,
    SWITCHYARD_KEY_PEPPER: secret,
  };
  switchyard = openSwitchyard(environment, { write: () => undefined });
  pages = Promise.withResolvers();
  const serverProcess = await operateServer(switchyard, 'web', environment);
  const server = createWebServer(serverProcess, pages.promise);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port }: AddressInfo = JSON.parse(JSON.stringify(server.address()));
  url = `http://127.0.0.1:${port}`;
  close = async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
    await switchyard.close().catch(() => undefined);
  };
});
afterEach(() => close());

test('payments are answered while pages are not prepared yet, and requests for pages wait for these', async () => {
  const page = fetch(`${url}/payments`);
  expect((await fetch(`${url}/v1/openapi.json`)).status).toBe(200);
  const payment = await fetch(`${url}/v1/payments/initiate`, { method: 'POST', headers: { authorization: 'Bearer sk_test_1' } });
  expect(await payment.json()).toMatchObject({ success: false, message: expect.any(String) });
  pages.resolve(async (request, response) => void response.end(`the page ${request.url}`));
  expect(await (await page).text()).toBe('the page /payments');
  expect(await (await fetch(`${url}/refunds`)).text()).toBe('the page /refunds');
});
