import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, readFailure, readPayment } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { BOTH_MOUNTS } from '../harness/mounts.ts';

/*
 * `send` throws on a 500, and on any answer under /v1 that the description does not allow. Here that is the whole assertion:
 * whatever comes in, what goes out is described.
 */

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';
const fields = [
  'merchantOrderId',
  'amount',
  'currency',
  'customer',
  'metadata',
  'redirectUrl',
  'paymentMethod',
  'customerCountry',
  'requestedGateway',
  '__proto__',
  'constructor',
] as const;

/** Text with everything in it that texts can hold, halves of pairs and NUL included. */
const anyText = fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)), maxLength: 40 });
const anyJson = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, depthSize: 'small' },
    fc.constantFrom(null, true, false, '', 'NGN', 'card', 'https://shop.example/', -0, 2 ** 53, 1e308, 0.1, -1),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    anyText,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(anyText, fc.constantFrom(...fields, 'email', 'id', 'phone')), tie('value'), { maxKeys: 4 }),
  ),
})).value;
/** A valid order with some fields replaced. */
const mutatedOrder = fc
  .array(fc.tuple(fc.constantFrom(...fields, 'customer.email'), anyJson), { minLength: 1, maxLength: 3 })
  .map((changes) => {
    const body = order();
    for (const [field, value] of changes) {
      const [at, name] = field === 'customer.email' ? [body.customer, 'email'] : [body, field];
      if (typeof at === 'object' && at !== null) Object.defineProperty(at, name, { value, enumerable: true, configurable: true });
    }
    return JSON.stringify(body);
  });
/** JSON with something cut out of it, or put into it. */
const brokenOrder = fc.tuple(mutatedOrder, fc.nat(), fc.nat(30), fc.uint8Array({ maxLength: 8 })).map(([text, at, cut, put]) => {
  const bytes = Buffer.from(text);
  const start = at % bytes.length;
  return Buffer.concat([bytes.subarray(0, start), put, bytes.subarray(start + cut)]);
});
const segment = fc
  .string({ unit: fc.constantFrom(..."abcXYZ019-_~:@!$&'()*+,;=%."), maxLength: 12 })
  .filter((text) => !/^(\.|%2e)*$/i.test(text));

describe.each(BOTH_MOUNTS)('through the %s mount', (mount) => {
  const initiate = (body: unknown, headers = {}) =>
    harness.send(mount, 'POST', INITIATE, { key: harness.first.testKey, body, headers });

  test('orders with anything in any field are answered as described', async () => {
    await fc.assert(
      fc.asyncProperty(mutatedOrder, async (body) => {
        expect([200, 400, 409]).toContain((await initiate(body)).status);
      }),
      { numRuns: 300 },
    );
  });

  test('JSON that is broken somewhere is answered as described', async () => {
    await fc.assert(
      fc.asyncProperty(brokenOrder, async (body) => {
        expect([200, 400, 409]).toContain((await initiate(body)).status);
      }),
      { numRuns: 200 },
    );
  });

  test('bytes that are no JSON at all are 400', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), async (bytes) => {
        expect((await initiate(bytes)).status).toBe(400);
      }),
      { numRuns: 100 },
    );
  });

  test('any path, method and header are answered as described', async () => {
    const header = fc.string({ unit: fc.constantFrom(...'abc/;=*"+ 019-'), maxLength: 30 });
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD');
    const path = fc.array(segment, { maxLength: 5 }).map((segments) => segments.join('/'));
    await fc.assert(
      fc.asyncProperty(method, path, header, header, fc.boolean(), async (verb, rest, type, key, known) => {
        const reply = await harness.send(mount, verb, `/v1/${known ? 'payments/' : ''}${rest}`, {
          key: harness.first.testKey,
          headers: { 'content-type': type, 'idempotency-key': key },
        });
        expect(reply.status).toBeLessThan(500);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    ['objects, 9,000 deep', '{"a":'.repeat(9_000)],
    ['lists, 60,000 deep', '['.repeat(60_000)],
    ['lists, 30,000 deep and closed', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a closed nest in metadata', `{"metadata":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}`],
    ['a closed nest in an unknown field', `{"x":${'['.repeat(25_000)}${']'.repeat(25_000)}}`],
  ])('%s are refused in one sentence', async (_what, body) => {
    const reply = await initiate(body);
    expect(reply.status).toBe(400);
    expect(readFailure(reply).data?.errors).toHaveLength(1);
  });

  test('100,000 levels are more than the largest body', async () => {
    expect((await initiate('['.repeat(100_000))).status).toBe(413);
  });

  test('thousands of errors are reported up to a limit', async () => {
    const many = Object.fromEntries(Array.from({ length: 4_000 }, (_, at) => [`k${at}`, '\0']));
    expect(readFailure(await initiate(order({ metadata: many }))).data?.errors).toHaveLength(1);
  });

  test('of a name that is there twice the last counts', async () => {
    const payment = readPayment(await initiate(JSON.stringify(order()).replace('"amount":2500', '"amount":1,"amount":777')));
    expect(payment.amount).toBe(777);
  });

  test('names of the object prototype are names like others', async () => {
    const text = JSON.stringify(order()).replace('{', '{"__proto__":{"amount":1},"constructor":{"prototype":{}},"toString":1,');
    expect(readPayment(await initiate(text)).amount).toBe(2_500);
    const inherited = JSON.stringify(order({ amount: undefined })).replace('{', '{"__proto__":{"amount":1},');
    expect(readFailure(await initiate(inherited)).data?.errors).toEqual(['amount is required']);
  });

  test('the routes for gateways and customers withstand any input too', async () => {
    const { paymentId } = readPayment(await initiate(order()));
    const { paystack, flutterwave } = harness.first.accounts;
    const address = fc.constantFrom(
      `/webhooks/paystack/${paystack}`,
      `/webhooks/flutterwave/${flutterwave}`,
      `/webhooks/flutterwave/${paystack}`,
      `/webhooks/piggybank/${paystack}`,
      `/webhooks/paystack/${randomUUID()}`,
      '/webhooks/paystack/%00',
    );
    const signature = fc.string({ unit: fc.constantFrom(...'0123456789abcdef-'), maxLength: 130 });
    await fc.assert(
      fc.asyncProperty(address, signature, fc.oneof(anyJson, fc.uint8Array({ maxLength: 60 })), async (path, signed, body) => {
        const headers = { 'x-paystack-signature': signed, 'verif-hash': signed };
        expect([401, 404]).toContain((await harness.send(mount, 'POST', path, { headers, body })).status);
      }),
      { numRuns: 100 },
    );
    await fc.assert(
      fc.asyncProperty(segment, segment, segment, async (id, account, query) => {
        const known = `/checkout/${paymentId}/${paystack}/return?reference=${query}&${query}`;
        expect((await harness.send(mount, 'GET', known)).status).toBe(303);
        for (const path of [`/checkout/${id}/${account}/return`, `/checkout/${paymentId}/${account}/return`]) {
          expect((await harness.send(mount, 'GET', path)).status).toBe(404);
        }
      }),
      { numRuns: 20 },
    );
    const payment = readPayment(await harness.send(mount, 'GET', `/v1/payments/${paymentId}`, { key: harness.first.testKey }));
    expect(payment.status).toBe('PENDING');
  });
});
