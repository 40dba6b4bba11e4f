import { createServer, type Server } from 'node:http';
import superjson from 'superjson';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { reportingListener } from '../reporting/reporting.ts';
import { Browser, createStaffWithGrants, createTestMerchant, openTestSwitchyard } from '../testing/switchyard.ts';
import { handleTrpc } from './trpc.ts';

let switchyard: Switchyard;
let reporting: Server;
let url: string;
let close: () => Promise<void>;
let browser: Browser;
let of: { readonly merchantId: string; readonly accountId: string };
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  reporting = createServer(reportingListener(switchyard, (request) => handleTrpc(switchyard, request)));
  await new Promise<void>((listening) => reporting.listen(0, '127.0.0.1', listening));
  const address = reporting.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const [account] = switchyard.resources.configuration.merchant(merchantId)?.accounts ?? [];
  of = { merchantId, accountId: account?.id ?? '' };
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(async () => {
  reporting.closeAllConnections();
  await new Promise((closed) => reporting.close(closed));
  await close();
});

const none = { transactionId: null, kind: null, fee: null, net: null, currency: null, occurredAt: null, description: null };
const MAPPING = {
  columns: { ...none, settlement: 'Payout', settledOn: 'Day', reference: 'Reference', amount: 'Amount' },
  kinds: {},
  currency: 'NGN',
  unit: 'main',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
};

/** Ten megabytes in 2,000 rows: a column that is not mapped is long. */
const LARGE = Buffer.from(
  [
    'Payout,Day,Reference,Amount,Note',
    ...Array.from({ length: 2_000 }, (_, at) => `S-1,25/11/2026,ref-${at},10,${'x'.repeat(5_000)}`),
  ].join('\n'),
);

function send(procedure: string, input: object, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const headers = browser.headers({ 'content-type': 'application/json', ...more });
  const body = JSON.stringify({ 0: superjson.serialize(input) });
  return fetch(`${url}/api/trpc/${procedure}?batch=1`, { method: 'POST', headers, body });
}

const previewed = z.array(
  z.object({ result: z.object({ data: z.object({ json: z.object({ hash: z.string(), rows: z.int() }) }) }) }),
);

test('a file of more than any other request is previewed, and says over the same response how far it is taken in', async () => {
  const file = {
    ...of,
    name: 'payouts.csv',
    content: LARGE.toString('base64'),
    mapping: MAPPING,
    entered: { reference: null, settledOn: null },
  };
  const [shown] = previewed.parse(await (await send('settlements.files.preview', file)).json());
  expect(shown?.result.data.json.rows).toBe(2_000);
  const hash = shown?.result.data.json.hash ?? '';
  const response = await send('settlements.files.take', { ...file, hash }, { 'trpc-accept': 'application/jsonl' });
  const said = await response.text();
  expect(said).toContain('"stage":"reading"');
  expect(said.indexOf('"kind":"progress"')).toBeLessThan(said.indexOf('"kind":"done"'));
  expect(said).toContain('"kind":"taken"');
  expect(await switchyard.resources.database.prisma.settlementLine.count({ where: { merchantId: of.merchantId } })).toBe(2_000);
});
