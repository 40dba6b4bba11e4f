import { authenticate } from '@switchyard/merchants/api-keys';
import { changeKey, issueKey } from '@switchyard/merchants/console/api-keys';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addressOf, watchClientAddresses } from '../client-address.ts';
import type { Switchyard } from '../process.ts';
import { serveOverHttp } from '../testing/served.ts';
import { createTestMerchant, openTestSwitchyard } from '../testing/switchyard.ts';
import { describeRest } from './openapi.ts';

/** Every documented endpoint, from the description of the service. */
const ENDPOINTS = Object.entries(describeRest('http://switchyard.test').paths ?? {}).flatMap(([path, operations]) =>
  Object.entries(operations ?? {}).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path: path.replace(/\{\w+\}/g, '0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11'),
    operationId: String(operation.operationId),
  })),
);

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let switchyard: Switchyard;
let merchantId: string;
let served: Awaited<ReturnType<typeof serveOverHttp>>;

beforeAll(async () => {
  watchClientAddresses({});
  opened = await openTestSwitchyard();
  switchyard = opened.switchyard;
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  served = await serveOverHttp(switchyard);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

async function issue(limits: { scopes?: readonly string[]; allowedAddresses?: string[] }) {
  const command = {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
    ...limits,
  } as const;
  const outcome = await issueKey(switchyard, command);
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return outcome;
}

function call({ method, path }: { method: string; path: string }, key: string, headers: Record<string, string> = {}) {
  const body = method === 'POST' ? { body: '{"amount":"none"}' } : {};
  const type = { 'content-type': 'application/json', authorization: `Bearer ${key}` };
  return fetch(`${served.url}${path}`, { method, headers: { ...type, ...headers }, ...body });
}

const READ = { method: 'GET', path: '/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11' };

describe('networks', () => {
  test('refuse every endpoint from elsewhere, with the address and before anything is looked up', async () => {
    const { secretKey } = await issue({ allowedAddresses: ['203.0.113.0/24'] });
    const message = 'This API key must not be used from 127.0.0.1';
    for (const endpoint of [...ENDPOINTS, { method: 'GET', path: '/v1/unknown' }]) {
      const response = await call(endpoint, secretKey);
      expect([response.status, await response.json()]).toEqual([
        403,
        { success: false, statusCode: 403, message, code: 'address_not_allowed', data: null },
      ]);
    }
  });

  test('cannot be talked past by a header', async () => {
    const { secretKey } = await issue({ allowedAddresses: ['203.0.113.0/24'] });
    const names = ['x-forwarded-for', 'x-switchyard-client-address', 'forwarded', 'x-real-ip', 'client-ip', 'true-client-ip'];
    for (const name of names) expect((await call(READ, secretKey, { [name]: '203.0.113.7' })).status, name).toBe(403);
  });

  test('take effect with a change, and a wrong key is still told nothing', async () => {
    const { secretKey, key } = await issue({ allowedAddresses: ['127.0.0.0/8'] });
    expect((await call(READ, secretKey)).status).toBe(404);
    const changes = { scopes: ['full_access'], allowedAddresses: ['10.0.0.0/8'] };
    await changeKey(switchyard, { merchantId, keyId: key.id, changes, actor: 'staff:ada' });
    expect((await call(READ, secretKey)).status).toBe(403);
    expect((await call(READ, `${secretKey.slice(0, -1)}_`)).status).toBe(401);
  });

  // The proxy appends the address it saw, so whatever the caller claims comes before it.
  const ALLOWED = '203.0.113.7';
  const CALLER = '198.51.100.9';
  test.each([
    [0, CALLER, undefined],
    [0, CALLER, ALLOWED],
    [1, '10.0.0.1', `${ALLOWED}, ${CALLER}`],
    [1, '10.0.0.1', `${ALLOWED}, ${ALLOWED}, ${CALLER}`],
    [2, '10.0.0.1', `${ALLOWED}, ${CALLER}, 10.0.0.2`],
    [2, '10.0.0.1', `${ALLOWED}, ${ALLOWED},, ${CALLER} , 10.0.0.2`],
  ])('behind %i trusted proxies, a caller from elsewhere stays so whatever it claims', async (proxies, remote, forwarded) => {
    const { secretKey } = await issue({ allowedAddresses: [ALLOWED] });
    const answer = await authenticate(switchyard, `Bearer ${secretKey}`);
    if (answer.kind !== 'authenticated') throw new Error('refused');
    expect(answer.guard.allowsAddress(ALLOWED)).toBe(true);
    expect(addressOf(remote, forwarded, proxies)).toBe(CALLER);
    expect(answer.guard.allowsAddress(addressOf(remote, forwarded, proxies))).toBe(false);
  });
});
