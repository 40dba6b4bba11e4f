import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { operateServer } from '@switchyard/api/server-process';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { formatTimestamp } from '../format/moments.ts';
import { viewerZone } from '../format/zone.ts';
import { createWebServer, inZoneOf, type PageHandler, zoneInCookie } from './start-web.ts';

describe('web server', () => {
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
    const payment = await fetch(`${url}/v1/payments/initiate`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_1' },
    });
    expect(await payment.json()).toMatchObject({ success: false, message: expect.any(String) });
    pages.resolve(async (request, response) => void response.end(`the page ${request.url}`));
    expect(await (await page).text()).toBe('the page /payments');
    expect(await (await fetch(`${url}/refunds`)).text()).toBe('the page /refunds');
  });

  test('a file that a person sends is read by the reporting process, and never here', async () => {
    const reporting = createServer((request, response) => {
      request.resume().once('end', () => response.end(`read of ${request.url}`));
    });
    await new Promise<void>((listening) => reporting.listen(0, '127.0.0.1', listening));
    const { port }: AddressInfo = JSON.parse(JSON.stringify(reporting.address()));
    vi.stubEnv('SWITCHYARD_REPORTING_URL', `http://127.0.0.1:${port}`);
    try {
      pages.resolve(async (_request, response) => void response.end('read here'));
      const file = { method: 'POST', body: JSON.stringify({ content: 'A'.repeat(1_000_000) }) };
      for (const path of ['settlements.files.preview', 'session.read,settlements%2Ebank.take', 'refunds.bulk.preview']) {
        const answer = await fetch(`${url}/api/trpc/${path}?batch=1`, file);
        expect(await answer.text()).toBe(`read of /api/trpc/${path}?batch=1`);
      }
      expect(await (await fetch(`${url}/api/trpc/session.read`)).text()).toBe('read here');
    } finally {
      vi.unstubAllEnvs();
      reporting.closeAllConnections();
      await new Promise((closed) => reporting.close(closed));
    }
  });
});

const asking = (cookie?: string) => ({ headers: cookie === undefined ? {} : { cookie } });
const moment = new Date('2026-11-23T23:30:00.000Z');

test('pages rendered at the same time are each in the zone of their own request', async () => {
  const render = async () => {
    await new Promise((done) => setTimeout(done, 1));
    return [viewerZone(), formatTimestamp(moment)];
  };
  expect(
    await Promise.all([
      inZoneOf(asking('a=1; zone=Asia%2FKolkata'), render),
      inZoneOf(asking('zone=America%2FNew_York'), render),
      inZoneOf(asking(), render),
    ]),
  ).toEqual([
    ['Asia/Kolkata', 'Tue, 24 Nov 2026, 05:00:00.000 GMT+5:30'],
    ['America/New_York', 'Mon, 23 Nov 2026, 18:30:00.000 GMT-5'],
    ['Africa/Lagos', 'Tue, 24 Nov 2026, 00:30:00.000 GMT+1'],
  ]);
});

test.each(['', 'zone=', 'zone=Moon%2FBase', 'zone=%', 'zones=Asia%2FKolkata'])('%j names no zone', (header) => {
  expect(zoneInCookie(header)).toBeNull();
});
