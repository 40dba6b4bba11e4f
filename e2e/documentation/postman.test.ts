import { randomUUID } from 'node:crypto';
import { describePostman } from '@switchyard/api/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Harness, startHarness } from '../harness/harness.ts';

/*
 * The collection is sent as Postman does: variables and path parameters are filled in, and ids of an answer are kept for the calls after it.
 */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const idsSchema = z.object({ data: z.looseObject({ paymentId: z.uuid().optional(), refundId: z.uuid().optional() }) });

test('every call of the collection is one that the API takes, in its order, with nothing but the key filled in', async () => {
  const merchant = await harness.merchant();
  const { item: folders, variable, auth } = describePostman(harness.publicUrl);
  expect(auth.bearer).toEqual([{ key: 'token', value: '{{apiKey}}', type: 'string' }]);
  const values = new Map(variable.map(({ key, value }) => [key, value]));
  values.set('apiKey', merchant.testKey);
  const filled = (text: string) =>
    text.replaceAll(/\{\{(\$?\w+)\}\}/g, (_, name: string) => {
      const value = name === '$guid' ? randomUUID() : values.get(name);
      if (value === undefined) throw new Error(`no variable is named ${name}`);
      return value;
    });
  const statuses: [string, number][] = [];
  for (const { name, request } of folders.flatMap(({ item }) => item)) {
    // A stream does not end, and without disputes and settlements none can be read.
    if (request.url.raw.endsWith('/stream')) continue;
    const path = request.url.path
      .map((part) => request.url.variable.find(({ key }) => part === `:${key}`)?.value ?? part)
      .map(filled)
      .join('/');
    const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, filled(value)]));
    const reply = await harness.send('node', request.method, `/${path}`, {
      key: filled('{{apiKey}}'),
      headers,
      ...(request.body && { body: filled(request.body.raw) }),
    });
    statuses.push([name, reply.status]);
    const ids = idsSchema.safeParse(reply.json);
    for (const [key, id] of Object.entries(ids.success ? ids.data.data : {}))
      if (values.has(key) && typeof id === 'string') values.set(key, id);
  }
  const others = { 'Get a dispute': 404, 'Get a settlement': 404, 'List lines of a settlement': 404 } as const;
  expect(Object.fromEntries(statuses)).toMatchObject({
    'Initiate a payment': 200,
    'Get payment details': 200,
    'Verify a payment': 200,
    'List payments': 200,
    // Unpaid as it is.
    'Refund a payment': 409,
    'List refunds of a payment': 200,
    ...Object.fromEntries(statuses.filter(([name]) => name in others).map(([name]) => [name, 404])),
  });
  expect(statuses.filter(([, status]) => status === 405 || status === 415 || status >= 500)).toEqual([]);
  const described = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse((await harness.send('node', 'GET', '/v1/openapi.json')).json);
  const calls = Object.values(described.paths).flatMap((byMethod) => Object.keys(byMethod));
  expect(folders.flatMap(({ item }) => item)).toHaveLength(calls.length);
});

test('it is served without a key, with the recorded answers', async () => {
  const reply = await harness.send('node', 'GET', '/v1/postman.json');
  expect(reply.status).toBe(200);
  expect(reply.json).toEqual(JSON.parse(JSON.stringify(describePostman(harness.publicUrl))));
  expect(reply.text).toContain('"originalRequest"');
});
