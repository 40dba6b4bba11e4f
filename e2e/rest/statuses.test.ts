import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, readFailure, readPayment, readRecord } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { expectOurHeaders } from '../harness/web-process.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';
const BODY_MAX_BYTES = 64 * 1024;
describe.each(MOUNTS)('through the %s mount', (mount) => {
  const send = (method: string, path: string, request = {}) => harness.send(mount, method, path, request);
  const initiate = async (body: unknown = order()) => send('POST', INITIATE, { key: harness.first.testKey, body });

  describe('200', () => {
    test('initiate, get and verify answer in the success envelope', async () => {
      const key = harness.first.testKey;
      const initiated = await initiate();
      const path = `/v1/payments/${readPayment(initiated).paymentId}`;
      const replies = [initiated, await send('GET', path, { key }), await send('POST', `${path}/verify`, { key })];
      for (const reply of replies) {
        expect(reply.status).toBe(200);
        expect(reply.json).toMatchObject({ status: true, statusCode: 200, message: expect.stringMatching(/\S/) });
        expectOurHeaders(reply);
      }
    });

    test('HEAD is answered as GET, without the body', async () => {
      const key = harness.first.testKey;
      const { paymentId } = readPayment(await initiate());
      for (const path of [
        `/v1/payments/${paymentId}`,
        '/v1/payments?limit=1',
        '/v1/events/stream',
        `/v1/payments/${randomUUID()}`,
      ]) {
        const headers = { accept: path === '/v1/events/stream' ? 'text/event-stream' : '*/*' };
        const { status, text, headers: answered } = await send('HEAD', path, { key, headers });
        expect([path, status, text]).toEqual([
          path,
          path.includes(paymentId) || path.includes('?') || headers.accept !== '*/*' ? 200 : 404,
          '',
        ]);
        expect(answered['content-type']).toMatch(/^(application\/json|text\/event-stream); charset=utf-8$/);
      }
      const got = await send('GET', `/v1/payments/${paymentId}`, { key });
      const asked = await send('HEAD', `/v1/payments/${paymentId}`, { key });
      expect(asked.headers['content-length']).toBe(got.headers['content-length']);
    });

    test('an answer to a key names its limit and what is left of it', async () => {
      const reply = await initiate();
      expect(reply.headers['ratelimit-policy']).toBe('"default";q=100000;w=1');
      expect(reply.headers.ratelimit).toMatch(/^"default";r=\d{1,5};t=1$/);
    });

    test('a POST without a body needs no Content-Type', async () => {
      const { paymentId } = readPayment(await initiate());
      readRecord(await send('POST', `/v1/payments/${paymentId}/verify`, { key: harness.first.testKey }));
    });
  });

  describe('400', () => {
    test.each([
      ['broken JSON', '{"merchantOrderId": ', 'body must be valid JSON', 'invalid_format'],
      ['an empty body', '', 'body must be a JSON object', 'invalid_type'],
      ['a list', [], 'body must be a JSON object', 'invalid_type'],
      ['null', 'null', 'body must be a JSON object', 'invalid_type'],
      ['text', '"order"', 'body must be a JSON object', 'invalid_type'],
      [
        'broken UTF-8',
        Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
        'body must be valid JSON',
        'invalid_format',
      ],
    ])('%s is refused with the rule it breaks', async (_what, body, rule, code) => {
      const reply = await initiate(body);
      expect(reply.status).toBe(400);
      const data = { errors: [rule], details: [{ field: 'body', code }] };
      expect(readFailure(reply)).toEqual({ success: false, statusCode: 400, message: 'Bad request', code: 'bad_request', data });
      expectOurHeaders(reply);
    });

    test.each([
      ['merchantOrderId', { merchantOrderId: undefined }, 'required'],
      ['merchantOrderId', { merchantOrderId: '' }, 'too_short'],
      ['merchantOrderId', { merchantOrderId: 'x'.repeat(129) }, 'too_long'],
      ['merchantOrderId', { merchantOrderId: 7 }, 'invalid_type'],
      ['amount', { amount: 0 }, 'too_small'],
      ['amount', { amount: 2 ** 50 }, 'too_large'],
      ['amount', { amount: 1.5 }, 'invalid_type'],
      ['currency', { currency: 'USD' }, 'invalid_value'],
      ['currency', { currency: undefined }, 'required'],
      ['customer.email', { customer: { email: 'nobody' } }, 'invalid_format'],
      ['redirectUrl', { redirectUrl: `https://shop.example/${'x'.repeat(2_048)}` }, 'too_long'],
      ['metadata', { metadata: 'none' }, 'invalid_value'],
      ['amuont', { amount: undefined, amuont: 5 }, 'unknown_field'],
    ])('%s given as %j breaks a rule that has the code %s', async (field, fields, code) => {
      const reply = await initiate(order(fields));
      expect(readFailure(reply).data?.details).toContainEqual({ field, code });
    });

    test('a parameter that is given twice, or is not known, breaks a rule that has a code', async () => {
      const reply = await send('GET', '/v1/payments?status=PENDING&status=FAILED&limits=3', { key: harness.first.testKey });
      expect(readFailure(reply).data?.details).toEqual([
        { field: 'status', code: 'repeated' },
        { field: 'limits', code: 'unknown_field' },
      ]);
    });
  });

  describe('401', () => {
    const wrongKeys = (): [string, Record<string, string>][] => {
      const { testKey } = harness.first;
      const lastBut = testKey.slice(0, -1);
      const last = testKey.slice(-1);
      return [
        ['no header', {}],
        ['an empty header', { authorization: '' }],
        ['another scheme', { authorization: `Basic ${Buffer.from(`${testKey}:`).toString('base64')}` }],
        ['no key', { authorization: 'Bearer ' }],
        ['a key with a typo', { authorization: `Bearer ${lastBut}${last === 'x' ? 'y' : 'x'}` }],
        ['two keys', { authorization: `Bearer ${testKey} ${testKey}` }],
        ['a key of the other mode', { authorization: `Bearer ${testKey.replace('sk_test_', 'sk_live_')}` }],
        ['a gigantic key', { authorization: `Bearer ${'a'.repeat(8_000)}` }],
      ];
    };

    test('a missing or invalid key is answered alike, and before anything else is checked', async () => {
      const paths: [string, string, unknown][] = [
        ['POST', INITIATE, order()],
        ['POST', INITIATE, '{ broken'],
        ['POST', INITIATE, 'x'.repeat(BODY_MAX_BYTES + 1)],
        ['GET', `/v1/payments/${randomUUID()}`, undefined],
        ['POST', `/v1/payments/${randomUUID()}/verify`, undefined],
        ['DELETE', '/v1/payments/initiate', undefined],
        ['GET', '/v1/no/such/path', undefined],
      ];
      const bodies = new Set<string>();
      for (const [, headers] of wrongKeys()) {
        for (const [method, path, body] of paths) {
          const reply = await send(method, path, { headers, body });
          expect(reply.status, `${method} ${path}`).toBe(401);
          bodies.add(reply.text);
          expectOurHeaders(reply);
          expect(reply.headers['www-authenticate']).toBe('Bearer');
        }
      }
      expect([...bodies]).toEqual([
        JSON.stringify({ success: false, statusCode: 401, message: 'Invalid API key', code: 'invalid_api_key', data: null }),
      ]);
    });

    test('the scheme is read in any case', async () => {
      const headers = { authorization: `bEaReR ${harness.first.testKey}` };
      expect((await send('GET', `/v1/payments/${randomUUID()}`, { headers })).status).toBe(404);
    });
  });

  describe('404', () => {
    test("unknown, malformed, another merchant's and the other mode's payments get the same answer", async () => {
      const { paymentId } = readPayment(await initiate());
      const { testKey, liveKey } = harness.first;
      const asked: [string, string][] = [
        [testKey, randomUUID()],
        [testKey, 'no-such-payment'],
        [testKey, `${paymentId}0`],
        [testKey, '%00'],
        [testKey, '%F0%9F%92%B8'],
        [testKey, "'%20OR%201=1--"],
        [harness.second.testKey, paymentId],
        [liveKey, paymentId],
      ];
      const bodies = new Set<string>();
      for (const [key, id] of asked) {
        for (const [method, path] of [['GET', `/v1/payments/${id}`] as const, ['POST', `/v1/payments/${id}/verify`] as const]) {
          const reply = await send(method, path, { key });
          expect(reply.status, `${method} ${path}`).toBe(404);
          bodies.add(reply.text);
          expectOurHeaders(reply);
        }
      }
      expect([...bodies]).toEqual([
        JSON.stringify({ success: false, statusCode: 404, message: 'Payment not found', code: 'payment_not_found', data: null }),
      ]);
    });

    test('an id is found however its letters are written', async () => {
      const { paymentId } = readPayment(await initiate());
      const reply = await send('GET', `/v1/payments/${paymentId.toUpperCase()}`, { key: harness.first.testKey });
      expect(readPayment(reply).paymentId).toBe(paymentId);
    });

    test.each(['/v1/nothing', '/v1/payment', '/v1/payments/', '/v1/payments/a/b', '/v1/payments/initiate/', '/v1/refunds'])(
      '%s, which is no path of ours, is answered in the envelope',
      async (path) => {
        const reply = await send('GET', path, { key: harness.first.testKey });
        expect(reply.status).toBe(404);
        expect(readFailure(reply).data).toBeNull();
        expectOurHeaders(reply);
      },
    );
  });

  describe('405', () => {
    test.each([
      ['GET', INITIATE, 'POST'],
      ['HEAD', INITIATE, 'POST'],
      ['PUT', INITIATE, 'POST'],
      ['DELETE', `/v1/payments/${randomUUID()}/refunds`, 'GET, HEAD, POST'],
      ['OPTIONS', INITIATE, 'POST'],
      ['POST', `/v1/payments/${randomUUID()}`, 'GET, HEAD'],
      ['DELETE', `/v1/payments/${randomUUID()}`, 'GET, HEAD'],
      ['GET', `/v1/payments/${randomUUID()}/verify`, 'POST'],
      ['PATCH', `/v1/payments/${randomUUID()}/verify`, 'POST'],
      ['POST', '/v1/openapi.json', 'GET, HEAD'],
    ])('%s %s names what is allowed', async (method, path, allow) => {
      const reply = await send(method, path, { key: harness.first.testKey });
      expect([reply.status, reply.headers.allow]).toEqual([405, allow]);
      if (method !== 'HEAD') expect(readFailure(reply)).toMatchObject({ code: 'method_not_allowed', data: null });
      expectOurHeaders(reply);
    });
  });

  describe('409', () => {
    test('a repeated merchantOrderId is answered with the first payment, whatever else the body contains', async () => {
      const body = order();
      const { paymentId } = readPayment(await initiate(body));
      const reply = await initiate({ ...body, amount: 1, customer: { email: 'other@example.com' } });
      expect(reply.status).toBe(409);
      expect(readFailure(reply).data).toEqual({
        errors: ['merchantOrderId must be unique for every payment request'],
        details: [{ field: 'merchantOrderId', code: 'not_unique' }],
        paymentId,
      });
      expectOurHeaders(reply);
    });

    test("another merchant's order id, and the other mode's, is free", async () => {
      const body = order();
      const keys = [harness.first.testKey, harness.first.liveKey, harness.second.testKey];
      const payments = await Promise.all(keys.map(async (key) => readPayment(await send('POST', INITIATE, { key, body }))));
      expect(new Set(payments.map(({ paymentId }) => paymentId)).size).toBe(3);
    });
  });

  describe('413', () => {
    test('a body of 64 KiB is read, one byte more is not', async () => {
      const fits = await initiate(JSON.stringify(order({ padding: '' })).padEnd(BODY_MAX_BYTES, ' '));
      expect(fits.status).toBe(200);
      const tooLarge = await initiate('x'.repeat(BODY_MAX_BYTES + 1));
      expect(tooLarge.status).toBe(413);
      expect(readFailure(tooLarge).data).toEqual({
        errors: [`body must not exceed ${BODY_MAX_BYTES} bytes`],
        details: [{ field: 'body', code: 'too_long' }],
      });
      expectOurHeaders(tooLarge);
    });

    test('the answer arrives although most of the body was never read', async () => {
      for (let round = 0; round < 5; round++) expect((await initiate('x'.repeat(2_000_000))).status).toBe(413);
    });

    test('verify has the same limit', async () => {
      const path = `/v1/payments/${randomUUID()}/verify`;
      const reply = await send('POST', path, { key: harness.first.testKey, body: 'x'.repeat(BODY_MAX_BYTES + 1) });
      expect(reply.status).toBe(413);
    });
  });

  describe('415', () => {
    test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/jsonp', ''])(
      'a body sent as %j is refused',
      async (type) => {
        for (const path of [INITIATE, `/v1/payments/${randomUUID()}/verify`]) {
          const reply = await send('POST', path, {
            key: harness.first.testKey,
            body: order(),
            headers: { 'content-type': type },
          });
          expect(reply.status).toBe(415);
          expect(readFailure(reply).data).toMatchObject({ errors: ['Content-Type must be application/json'] });
          expectOurHeaders(reply);
        }
      },
    );

    test.each(['gzip', 'deflate', 'br', 'zstd', 'identity, gzip', 'x-unknown'])(
      'a body compressed by %s is refused',
      async (encoding) => {
        for (const path of [INITIATE, `/v1/payments/${randomUUID()}/verify`]) {
          const reply = await send('POST', path, {
            key: harness.first.testKey,
            body: gzipSync(JSON.stringify(order())).toString('latin1'),
            headers: { 'content-type': 'application/json', 'content-encoding': encoding },
          });
          expect(reply.status).toBe(415);
          const rule = 'Content-Encoding must be left out: send the body uncompressed';
          expect(readFailure(reply).data).toMatchObject({ errors: [rule] });
          expectOurHeaders(reply);
        }
      },
    );

    test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset=UTF-8'])(
      'a body sent as %j is read',
      async (type) => {
        const request = { key: harness.first.testKey, body: order(), headers: { 'content-type': type } };
        expect((await send('POST', INITIATE, request)).status).toBe(200);
      },
    );
  });

  describe('422', () => {
    test('an Idempotency-Key used before with another body is refused, and nothing is done', async () => {
      const headers = { 'idempotency-key': randomUUID() };
      const key = harness.first.testKey;
      readPayment(await send('POST', INITIATE, { key, headers, body: order() }));
      const other = order();
      const reply = await send('POST', INITIATE, { key, headers, body: other });
      expect(reply.status).toBe(422);
      expect(readFailure(reply).data).toMatchObject({ errors: ['Idempotency-Key must be used with one request only'] });
      expectOurHeaders(reply);
      const orderId = String(other.merchantOrderId);
      expect(await harness.database.prisma.payment.count({ where: { merchantOrderId: orderId } })).toBe(0);
    });
  });
});
