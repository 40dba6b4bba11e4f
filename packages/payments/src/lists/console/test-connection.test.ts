import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openTestPayments, type TestPayments } from '../../testing/context.ts';
import { testConnection } from './test-connection.ts';

let context: TestPayments;
let server: Server | undefined;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** An account at a gateway with the given answer. */
async function accountAt(
  answer: RequestListener | null,
  { gateway = 'paystack-main', ...change }: { credentials?: null; gateway?: 'paystack-main' | 'flutterwave-main' } = {},
) {
  const merchant = await createTestMerchant(context, { [gateway]: {} });
  const { merchantId } = merchant;
  const id = merchant.accounts[gateway] ?? '';
  let baseUrl = 'http://127.0.0.1:1';
  if (answer !== null) {
    const opened = createServer(answer);
    await new Promise<void>((resolve) => opened.listen(0, '127.0.0.1', resolve));
    server = opened;
    const { port }: AddressInfo = JSON.parse(JSON.stringify(opened.address()));
    baseUrl = `http://127.0.0.1:${port}`;
  }
  await context.database.prisma.gatewayAccount.update({
    where: { merchantId_id: { merchantId, id } },
    data: { baseUrl, ...change },
  });
  await reloadConfiguration(context, merchantId);
  return { merchantIds: [merchantId], accountId: id, actor: 'staff:ada' };
}

function answering(status: number, body: object, heard: string[] = []): RequestListener {
  return (request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

test('a gateway that lists its payments has accepted the credentials, and receives no reference', async () => {
  const heard: string[] = [];
  const answer = answering(200, { status: true, data: [], meta: { page: 1, pageCount: 1 } }, heard);
  const account = await accountAt(answer);
  const tested = await testConnection(context, account);
  expect(tested).toMatchObject({ verdict: 'works' });
  const stored = await context.database.prisma.gatewayAccount.findFirstOrThrow({ where: { id: account.accountId } });
  expect(stored.connectionTestedAt).toEqual(context.now());
  expect(tested?.sentence).toMatch(/^Paystack answered in \d+ ms and accepts the credentials\.$/);
  expect(heard).toEqual([expect.stringMatching(/^GET \/transaction\?from=/)]);
});

test('refused credentials are a configuration error', async () => {
  const tested = await testConnection(context, await accountAt(answering(401, { status: false, message: 'Invalid key' })));
  expect(tested).toMatchObject({
    verdict: 'configuration',
    sentence: expect.stringMatching(/^The credentials are at fault: .*Invalid key/),
  });
});

test.each([
  ['a server error', answering(503, { message: 'down' })],
  ['no response', null],
])("%s is the gateway's fault, and does not affect health", async (_, answer) => {
  const account = await accountAt(answer);
  const tested = await testConnection(context, account);
  expect(tested).toMatchObject({ verdict: 'gateway', sentence: expect.stringMatching(/^Paystack is at fault/) });
  await context.health.tick();
  expect(context.health.snapshot(account.merchantIds[0] ?? '')).toEqual([]);
  expect(await context.database.prisma.healthBucket.count({ where: { accountId: account.accountId } })).toBe(0);
});

test('without credentials no gateway is called', async () => {
  expect(await testConnection(context, await accountAt(null, { credentials: null }))).toEqual({
    verdict: 'configuration',
    sentence: 'The account has no credentials: write them, then test again.',
    latencyMs: null,
    toCheck: [],
  });
});

test('a test names what only the gateway’s own dashboard shows', async () => {
  const account = await accountAt(
    answering(200, { status: 'success', data: [], meta: { page_info: { current_page: 1, total_pages: 1 } } }),
    { gateway: 'flutterwave-main' },
  );
  const tested = await testConnection(context, account);
  expect(tested).toMatchObject({ verdict: 'works' });
  expect(tested?.toCheck).toEqual([
    expect.stringContaining('Enable Dashboard Payment Options'),
    expect.stringContaining('refund webhooks'),
  ]);
});

test('another merchant’s account is not found', async () => {
  const { accountId } = await accountAt(null);
  expect(await testConnection(context, { merchantIds: [], accountId, actor: 'staff:ada' })).toBeNull();
});
