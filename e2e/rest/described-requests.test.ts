import { randomUUID } from 'node:crypto';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { order, readFailure } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { badAddresses, goodAddresses } from './redirect-addresses.ts';

/*
 * The OpenAPI document describes the requests that the API takes: one that is accepted is valid by the published schema, and one that is
 * refused is invalid by it, or breaks one of the few rules that JSON Schema cannot express.
 */

/** Rules that the document has in words alone. */
const IN_WORDS_ALONE: readonly RegExp[] = [
  / must not contain NUL or unpaired surrogates$/,
  /^metadata must be at most (?:5 levels deep|16384 bytes)$/,
  /^customer\.email must be a valid e-mail address$/,
  /^redirectUrl must be an absolute URL without user info, spaces, control characters or backslashes$/,
  /^customerCountry must be an ISO 3166-1 alpha-2 country code$/,
  / is not known; did you mean /,
];

let harness: Harness;
let ajv: Ajv2020;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(z.looseObject({}).parse((await harness.send('node', 'GET', '/v1/openapi.json')).json), 'openapi');
});
afterAll(() => harness.close());

const isDescribed = (pointer: string, value: unknown) => ajv.validate({ $ref: `openapi#${pointer}` }, value);

const customer = (changes: object) => ({ customer: { email: 'ada@example.com', ...changes } });
const METHODS = ['card', 'transfer', 'ussd', 'bank', 'qr', 'wallet', 'mobile_money', 'direct_debit', 'bank_transfer'];
const capitalised = (text: string) => text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
const ODD = [null, true, 0, 1.5, '', ' ', [], {}, ['card'], '\u0000', '👩🏾‍🚀'.repeat(40)];

const bodies: readonly object[] = [
  ...METHODS.flatMap((method) => [method, method.toUpperCase(), capitalised(method)]).map((paymentMethod) => ({ paymentMethod })),
  // Letters that become those of a method when they are written large.
  ...['qr ', ' qr', 'mobıle_money', 'uſsd', 'mobile-money', 'mobile money', 'banktransfer', 'CÀRD', 'cash'].map(
    (paymentMethod) => ({
      paymentMethod,
    }),
  ),
  ...[...badAddresses, ...goodAddresses.map(([address]) => address)].map((redirectUrl) => ({ redirectUrl })),
  ...[
    'https://müller.example/',
    'https://shop.example/{id}',
    'https://shop.example/"<>|^`',
    'HtTpS://shop.example',
    'http://x',
  ].map((redirectUrl) => ({ redirectUrl })),
  ...['a@b.co', "o'brien@example.com", 'a+b@example.com', 'ada@shop-.ng', 'ada@-shop.ng', 'ada@shop..ng', 'a..b@example.com'].map(
    (email) => customer({ email }),
  ),
  ...['ada@bücher.example', '"ada"@example.com', 'ada@127.0.0.1', 'ada@localhost', `${'a'.repeat(250)}@b.co`].map((email) =>
    customer({ email }),
  ),
  ...['', '+234', '💬'.repeat(32), '💬'.repeat(33), '1'.repeat(32), '1'.repeat(33)].map((phone) => customer({ phone })),
  ...['1', '💬'.repeat(128), '💬'.repeat(129), 'x'.repeat(129)].map((id) => customer({ id })),
  ...[1, 1e12, 1e12 + 1, -1, 0, 2500.5, '2500', 1e300].map((amount) => ({ amount })),
  ...['NGN', 'ngn', 'USD'].map((currency) => ({ currency })),
  ...['NG', 'ng', 'NGA', 'XX'].map((customerCountry) => ({ customerCountry })),
  ...['paystack', 'Paystack', 'piggybank'].map((requestedGateway) => ({ requestedGateway })),
  ...[{}, { a: { b: { c: { d: {} } } } }, { a: { b: { c: { d: { e: {} } } } } }].map((metadata) => ({ metadata })),
  ...['merchantOrderId', 'amount', 'currency', 'customer', 'metadata', 'redirectUrl', 'paymentMethod'].flatMap((field) =>
    [undefined, ...ODD].map((value) => ({ [field]: value })),
  ),
  ...['customerCountry', 'requestedGateway', 'somethingElse'].flatMap((field) => ODD.map((value) => ({ [field]: value }))),
  ...['email', 'id', 'phone', 'vip'].flatMap((field) => ODD.map((value) => customer({ [field]: value }))),
];

test('initiate takes what its published schema describes, and nothing else', async () => {
  const merchant = await harness.merchant();
  const counts = { accepted: 0, refused: 0, inWordsAlone: 0 };
  for (const changes of bodies) {
    const body = order({ ...changes });
    const reply = await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body });
    const described = isDescribed('/components/schemas/InitiatePaymentRequest', JSON.parse(JSON.stringify(body)));
    const what = `${JSON.stringify(changes)} is answered ${reply.status} ${reply.text.slice(0, 300)}`;
    if (reply.status === 200 || reply.status === 409) {
      expect(described, what).toBe(true);
      counts.accepted += 1;
      continue;
    }
    expect(reply.status, what).toBe(400);
    const errors = readFailure(reply).data?.errors ?? [];
    const isInWordsAlone = errors.every((error) => IN_WORDS_ALONE.some((rule) => rule.test(String(error))));
    if (!isInWordsAlone) expect(described, what).toBe(false);
    counts[isInWordsAlone ? 'inWordsAlone' : 'refused'] += 1;
  }
  expect(counts.accepted).toBeGreaterThan(60);
  expect(counts.refused).toBeGreaterThan(60);
});

const ASKED_AMOUNTS = [undefined, null, 1, 100, 0, -1, 1.5, 1e13, '100', true, [], {}];
const refundBodies: readonly object[] = [
  ...ASKED_AMOUNTS.flatMap((amount) => [undefined, null, true, false, 'true', 1].map((full) => ({ amount, full }))),
  ...ODD.map((reason) => ({ amount: 1, reason })),
  ...['amt', 'Amount', 'params', 'currency', '__proto__'].map((field) => ({ full: true, [field]: 1 })),
  [],
];

test('a refund takes what its published schema describes, and nothing else', async () => {
  const merchant = await harness.merchant();
  // No payment has this id: a valid request is answered with 404, and nothing is refunded.
  const path = `/v1/payments/${randomUUID()}/refunds`;
  const counts = { accepted: 0, refused: 0 };
  for (const body of refundBodies) {
    const reply = await harness.send('node', 'POST', path, { key: merchant.testKey, body });
    const errors = reply.status === 404 ? [] : (readFailure(reply).data?.errors ?? []);
    const isInWordsAlone = errors.length > 0 && errors.every((error) => IN_WORDS_ALONE[0]?.test(String(error)) === true);
    const described = isDescribed('/components/schemas/RefundPaymentRequest', JSON.parse(JSON.stringify(body)));
    expect([JSON.stringify(body), reply.status]).toEqual([JSON.stringify(body), described && !isInWordsAlone ? 404 : 400]);
    counts[described ? 'accepted' : 'refused'] += 1;
  }
  expect(counts.accepted).toBeGreaterThan(8);
  expect(counts.refused).toBeGreaterThan(60);
});

test('no POST takes a query', async () => {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.object({ post: z.unknown().optional() })) })
    .parse((await harness.send('node', 'GET', '/v1/openapi.json')).json);
  const posted = Object.entries(paths).flatMap(([path, { post }]) => (post === undefined ? [] : [path]));
  expect(posted).toContain('/v1/payments/{paymentId}/refunds');
  const command = { merchantId: harness.first.merchantId, mode: 'test', expiresAt: null, actor: 'system:test' } as const;
  const scopes = ['payments:write', 'refunds:write', 'rules:read', 'rules:write'];
  const issued = await issueKey(harness.switchyard, { ...command, name: 'Everything that is posted', scopes });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  for (const path of posted) {
    const address = path.replace('{paymentId}', randomUUID());
    for (const query of ['amount=100', 'x', '/verify']) {
      const reply = await harness.send('node', 'POST', `${address}?${query}`, { key: issued.secretKey, body: { full: true } });
      expect([path, reply.status]).toEqual([path, 400]);
      expect(readFailure(reply).data?.errors).toContain('query must be empty: the fields of a POST belong into its JSON body');
    }
  }
});

/** A parameter as text, read as its schema has it: lists are separated by commas, numbers are numbers. */
const parameterSchema = z.object({
  name: z.string(),
  style: z.string().optional(),
  explode: z.boolean().optional(),
  schema: z.looseObject({ type: z.string() }),
});

const queries: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '20', '100', '0', '101', '-1', '1.5', 'ten', ''],
  status: ['SUCCESS', 'SUCCESS,PENDING', 'SUCCESS,SUCCESS', 'success', 'PAID', 'SUCCESS, PENDING', 'SUCCESS;PENDING', ''],
  createdFrom: [
    '2026-11-22T00:00:00Z',
    '2026-11-22T00:00:00.5Z',
    '2026-11-22T00:00:00+01:00',
    '2026-11-22T00:00Z',
    '2026-11-22',
    '2026-11-22T00:00:00',
    '2026-02-30T00:00:00Z',
    'yesterday',
  ],
};

describe('a list of payments', () => {
  test.each(Object.entries(queries))(
    'takes of %s what its published schema describes, and nothing else',
    async (name, values) => {
      const document = z
        .object({ paths: z.object({ '/v1/payments': z.object({ get: z.object({ parameters: z.array(parameterSchema) }) }) }) })
        .parse((await harness.send('node', 'GET', '/v1/openapi.json')).json);
      const parameter = document.paths['/v1/payments'].get.parameters.find((known) => known.name === name);
      if (parameter === undefined) throw new Error(`${name} is not described`);
      const { type } = parameter.schema;
      if (type === 'array') expect(parameter).toMatchObject({ style: 'form', explode: false });
      const statuses: number[] = [];
      for (const text of values) {
        const value = type === 'array' ? text.split(',') : type === 'integer' && /^-?\d/.test(text) ? Number(text) : text;
        const reply = await harness.send('node', 'GET', `/v1/payments?${name}=${encodeURIComponent(text)}`, {
          key: harness.first.testKey,
        });
        expect([text, reply.status]).toEqual([text, ajv.validate(parameter.schema, value) ? 200 : 400]);
        statuses.push(reply.status);
      }
      expect(new Set(statuses)).toEqual(new Set([200, 400]));
    },
  );

  test.each([
    ['payments', 'status=SUCCESS&status=FAILED', 'status must be given once, its values separated by commas'],
    ['events', 'type=payment.failed&type=refund.failed', 'type must be given once, its values separated by commas'],
    ['payments', 'limit=1&limit=2', 'limit must be given once'],
    ['payments', 'cursor=&cursor=', 'cursor must be given once'],
    ['events', 'createdTo=2026-11-22T00:00:00Z&createdTo=2026-11-22T00:00:00Z', 'createdTo must be given once'],
  ])('refuses a parameter of %s that is given twice: %s', async (list, query, error) => {
    const reply = await harness.send('node', 'GET', `/v1/${list}?${query}`, { key: harness.first.testKey });
    expect(reply.status).toBe(400);
    expect(readFailure(reply).data?.errors).toContain(error);
  });

  test('says why an offset whose plus sign is not encoded is refused', async () => {
    const reply = await harness.send('node', 'GET', '/v1/payments?createdFrom=2026-11-22T00:00:00+01:00', {
      key: harness.first.testKey,
    });
    expect(reply.status).toBe(400);
    expect(readFailure(reply).data?.errors).toEqual([
      'createdFrom must be an ISO 8601 date and time with its offset, as 2026-11-22T00:00:00Z, of the years 1 to 9999; the + of an offset is written %2B in a query',
    ]);
  });

  test('describes the bounds and the default of every limit', async () => {
    const { json } = await harness.send('node', 'GET', '/v1/openapi.json');
    const limits = z
      .object({
        paths: z.record(z.string(), z.object({ get: z.object({ parameters: z.array(parameterSchema).optional() }).optional() })),
      })
      .parse(json);
    const described = Object.entries(limits.paths).flatMap(([path, { get }]) =>
      (get?.parameters ?? []).filter(({ name }) => name === 'limit').map(({ schema }) => [path, schema] as const),
    );
    expect(described.map(([path]) => path)).toEqual([
      '/v1/payments',
      '/v1/payments/{paymentId}/refunds',
      '/v1/disputes',
      '/v1/events',
      '/v1/settlements',
      '/v1/settlements/{settlementId}/lines',
    ]);
    for (const [, schema] of described) expect(schema).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
  });
});

test('the record in the stream of events is described, and so is its example', async () => {
  const stream = z
    .object({ content: z.object({ 'text/event-stream': z.object({ schema: z.looseObject({}), example: z.string() }) }) })
    .parse(
      z
        .object({
          paths: z.object({
            '/v1/events/stream': z.object({ get: z.object({ responses: z.object({ 200: z.unknown() }) }) }),
          }),
        })
        .parse((await harness.send('node', 'GET', '/v1/openapi.json')).json).paths['/v1/events/stream'].get.responses[200],
    ).content['text/event-stream'];
  expect(stream.schema).toMatchObject({
    type: 'string',
    contentMediaType: 'text/event-stream',
    contentSchema: { $ref: '#/components/schemas/WebhookEvent' },
  });
  const data = /^data: (.*)$/m.exec(stream.example)?.[1] ?? '';
  expect(isDescribed('/components/schemas/WebhookEvent', JSON.parse(data))).toBe(true);
  expect(isDescribed('/components/schemas/WebhookEvent', {})).toBe(false);
});
