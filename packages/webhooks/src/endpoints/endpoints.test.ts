import { hostname } from 'node:os';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { resendDelivery } from '../deliveries/resend-range.ts';
import { webhooksOf } from '../testing/webhooks.ts';
import { createEndpoint, ENDPOINTS_MAX } from './create-endpoint.ts';
import { endPreviousSecret, rotateEndpointSecret } from './endpoint-secrets.ts';
import { listEndpoints } from './list-endpoints.ts';
import { sendTestEvent } from './send-test-event.ts';
import { disableEndpoint, enableEndpoint, removeEndpoint, updateEndpoint } from './update-endpoint.ts';

const actor = 'staff:ada';
const url = 'https://shop.example/hooks';

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
});

const create = (mode: 'test' | 'live', address: string) =>
  createEndpoint(context, { merchantId, mode, url: address, description: '', types: [], actor });

const everywhere = ['https://shop.example/hooks?a=1', 'https://shop.example:8443/', 'https://8.8.8.8/'];
const inTestOnly = [
  'http://shop.example/',
  'http://localhost:4000/hooks',
  'https://127.0.0.1/',
  'http://10.0.0.7:8080/',
  'https://box.internal/',
];
const nowhere = [
  ...[
    '',
    'shop.example',
    'ftp://shop.example/',
    'javascript:alert(1)',
    'https://ada:secret@shop.example/',
    'https://shop.example/#a',
  ],
  ...[
    'https://shop.example/ a',
    'https:\\\\shop.example',
    'http://169.254.169.254/latest',
    'http://metadata.google.internal/',
    'http://[fd00:ec2::254]/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
  ],
  `https://shop.example/${'a'.repeat(2_000)}`,
];
const notLive = [
  ...inTestOnly,
  'https://shop.example:9999/',
  'https://2130706433/',
  'https://[::1]/',
  'https://shop/',
  'https://a.localhost./',
];

describe('an address', () => {
  test.each(everywhere)('is accepted in both modes: %s', async (address) => {
    expect(await create('test', address)).toMatchObject({ kind: 'created' });
    expect(await create('live', address)).toMatchObject({ kind: 'created' });
  });

  test.each(inTestOnly)('is accepted in test mode: %s', async (address) => {
    expect(await create('test', address)).toMatchObject({ kind: 'created' });
  });

  test.each([...inTestOnly, `https://${hostname()}.`].filter((address) => !address.includes('shop.example')))(
    'is refused in test mode where private addresses are not allowed: %s',
    async (address) => {
      vi.stubEnv('SWITCHYARD_PRIVATE_ADDRESSES', '');
      const problems = [{ field: 'url', message: 'must be a public address, not one of this machine or of a private network' }];
      expect(await create('test', address)).toEqual({ kind: 'invalid', problems });
      vi.unstubAllEnvs();
      expect(await create('test', address)).toMatchObject({ kind: 'created' });
    },
  );

  test.each([...notLive, ...nowhere])('is refused in live mode: %s', async (address) => {
    expect(await create('live', address)).toMatchObject({ kind: 'invalid', problems: [{ field: 'url' }] });
  });

  test.each(nowhere)('is refused in test mode too: %s', async (address) => {
    expect(await create('test', address)).toMatchObject({ kind: 'invalid', problems: [{ field: 'url' }] });
  });

  test('is validated by the endpoint’s mode when it is changed', async () => {
    const { endpointId } = await webhooksOf(context, merchantId, 'live').endpoint(url);
    const change = (address: string) => updateEndpoint(context, { merchantId, endpointId, changes: { url: address }, actor });
    for (const address of ['http://localhost/', 'http://other.example/']) {
      expect(await change(address)).toMatchObject({ kind: 'invalid', problems: [{ field: 'url' }] });
    }
    expect(await change('https://other.example/')).toMatchObject({
      kind: 'updated',
      endpoint: { url: 'https://other.example/' },
    });
  });
});

test('no response and no table contains a signing secret, except the response that creates it', async () => {
  const { endpointId, secret } = await webhooksOf(context, merchantId).endpoint(url);
  expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
  const rotated = await rotateEndpointSecret(context, {
    merchantId,
    endpointId,
    oldSignsUntil: new Date(Date.now() + 60_000),
    actor,
  });
  if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
  await disableEndpoint(context, { merchantId, endpointId, reason: 'staff', actor });
  const shown = JSON.stringify([await listEndpoints(context, { merchantIds: [merchantId], mode: 'test' }), rotated.endpoint]);
  const { rows: tables } = await context.database.pool.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const one of [secret, rotated.secret].map((text) => text.slice(6, 40))) {
    expect(shown).not.toContain(one);
    for (const { name } of tables) {
      const { rows } = await context.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      expect(rows.filter(({ row }) => row.includes(one))).toEqual([]);
    }
  }
});

test('at most two secrets sign at once, the older one until its end', async () => {
  const { endpointId } = await webhooksOf(context, merchantId).endpoint(url);
  const rotate = (oldSignsUntil: Date) => rotateEndpointSecret(context, { merchantId, endpointId, oldSignsUntil, actor });
  const stored = async () => (await webhooksOf(context, merchantId).row(endpointId)).secrets;
  const [first] = await stored();
  const tomorrow = new Date(Date.now() + 86_400_000);
  await rotate(tomorrow);
  const [second, ...rest] = await stored();
  expect(rest).toEqual([first]);
  await rotate(tomorrow);
  expect((await stored()).slice(1)).toEqual([second]);
  expect(await endPreviousSecret(context, { merchantId, endpointId, actor })).toMatchObject({ kind: 'ended' });
  expect(await stored()).toHaveLength(1);
  expect(await endPreviousSecret(context, { merchantId, endpointId, actor })).toMatchObject({ kind: 'unchanged' });
  expect(await rotate(new Date(Date.now() + 31 * 86_400_000))).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'oldSignsUntil' }],
  });
});

test('creation stops at the maximum of one mode; removed ones do not count', async () => {
  const made = [];
  for (let one = 0; one < ENDPOINTS_MAX; one++) made.push(await webhooksOf(context, merchantId).endpoint(`${url}/${one}`));
  expect(await create('test', url)).toEqual({ kind: 'too_many_endpoints', limit: ENDPOINTS_MAX });
  expect(await create('live', url)).toMatchObject({ kind: 'created' });
  const [first] = made;
  await removeEndpoint(context, { merchantId, endpointId: first?.endpointId ?? '', actor });
  expect(await create('test', url)).toMatchObject({ kind: 'created' });
});

test('disabling gives up pending deliveries and sends nothing more; enabling starts with later events', async () => {
  const webhooks = webhooksOf(context, merchantId);
  const { endpointId } = await webhooks.endpoint(url);
  const key = { merchantId, endpointId, actor };
  await webhooks.announce(context.newId(), 1);
  expect(await disableEndpoint(context, { ...key, reason: 'staff' })).toMatchObject({ kind: 'changed', givenUp: 1 });
  await webhooks.announce(context.newId(), 1);
  const [given, ...more] = await webhooks.deliveries(endpointId);
  expect(given).toMatchObject({ state: 'FAILED', nextAttemptAt: null });
  expect(more).toEqual([]);
  expect(await sendTestEvent(context, key)).toEqual({ kind: 'switched_off' });
  expect(await resendDelivery(context, { merchantId, deliveryId: given?.id ?? '', actor })).toEqual({ kind: 'switched_off' });
  expect(await enableEndpoint(context, key)).toMatchObject({ kind: 'changed' });
  expect(await enableEndpoint(context, key)).toMatchObject({ kind: 'unchanged' });
  await webhooks.announce(context.newId(), 1);
  expect(await webhooks.deliveries(endpointId)).toHaveLength(2);
});

test('every change of an endpoint has an audit row, and none without one', async () => {
  const { endpointId } = await webhooksOf(context, merchantId).endpoint(url);
  const key = { merchantId, endpointId, actor };
  await updateEndpoint(context, { ...key, changes: { description: 'Orders' } });
  await rotateEndpointSecret(context, { ...key, oldSignsUntil: new Date(Date.now() + 60_000) });
  await endPreviousSecret(context, key);
  await sendTestEvent(context, key);
  await disableEndpoint(context, { ...key, reason: 'staff' });
  await disableEndpoint(context, { ...key, reason: 'staff' });
  await enableEndpoint(context, key);
  await removeEndpoint(context, key);
  const rows = await context.database.prisma.auditEntry.findMany({
    where: { objectId: endpointId },
    orderBy: { position: 'asc' },
  });
  expect(rows.map(({ action }) => action.replace('webhook_endpoint.', ''))).toEqual([
    ...['created', 'updated', 'secret_rotated', 'previous_secret_ended', 'test_event_sent', 'disabled', 'enabled', 'removed'],
  ]);
  expect(new Set(rows.map((row) => row.actor))).toEqual(new Set([actor]));
});

test('another merchant’s endpoint is not found', async () => {
  const { endpointId } = await webhooksOf(context, merchantId).endpoint(url);
  const stranger = await testMerchant(context);
  const key = { merchantId: stranger, endpointId, actor };
  const absent = { kind: 'not_found' };
  expect(await updateEndpoint(context, { ...key, changes: {} })).toEqual(absent);
  expect(await disableEndpoint(context, { ...key, reason: 'staff' })).toEqual(absent);
  expect(await removeEndpoint(context, key)).toEqual(absent);
  expect(await sendTestEvent(context, key)).toEqual(absent);
});
