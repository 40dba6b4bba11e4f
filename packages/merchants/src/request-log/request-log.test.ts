import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { type FinishedRequest, openRequestLog, type RequestFate, redactPath, redactRequestBody } from './request-log.ts';

describe('request log', () => {
  let context: TestContext;

  beforeAll(async () => {
    context = await openTestContext();
  });
  afterAll(() => context.close());

  function openCounted(database = context.database) {
    const counts: Record<RequestFate, number> = { written: 0, full: 0, failed: 0 };
    const log = openRequestLog(database, (fate, requests) => {
      counts[fate] += requests;
    });
    return { counts, log };
  }

  function requestOf(merchantId: string, more: Partial<FinishedRequest> = {}): FinishedRequest {
    const ids = { merchantId, keyId: context.newId(), requestId: context.newId(), paymentId: null };
    const answered = { method: 'POST', path: '/v1/payments/initiate', status: 200, durationMs: 12, refused: null };
    return { ...ids, mode: 'test', ...answered, ...more };
  }

  test('requests of several merchants are written as they ended, with the bodies of refused ones redacted', async () => {
    const [one, other] = [await testMerchant(context), await testMerchant(context)];
    const { log, counts } = openCounted();
    const request = Buffer.from('{"amount":0,"customer":{"email":"ada@example.com"}}');
    const refused = requestOf(one, { status: 400, refused: { request, response: '{"code":"bad_request"}' } });
    log.record(requestOf(one, { mode: 'live', paymentId: context.newId() }));
    log.record(refused);
    log.record(requestOf(other, { status: null }));
    await log.flush();
    expect(counts).toEqual({ written: 3, full: 0, failed: 0 });
    const rows = await context.database.prisma.apiRequest.findMany({ where: { merchantId: one }, orderBy: { id: 'asc' } });
    expect(rows).toMatchObject([
      { mode: 'live', status: 200, requestBody: null, responseBody: null, paymentId: expect.any(String) },
      { mode: 'test', requestId: refused.requestId, keyId: refused.keyId, status: 400, durationMs: 12 },
    ]);
    expect(rows[1]).toMatchObject({
      requestBody: '{"amount":0,"customer":{"email":"[redacted]"}}',
      responseBody: '{"code":"bad_request"}',
    });
    expect(await context.database.prisma.apiRequest.findMany({ where: { merchantId: other } })).toMatchObject([{ status: null }]);
  });

  test('what a process cannot write in time is dropped and counted, and the rest is one statement', async () => {
    const merchantId = await testMerchant(context);
    const statements: unknown[] = [];
    const { batches } = context.database;
    const query = (...asked: Parameters<typeof batches.query>) => {
      statements.push(asked[0]);
      return Reflect.apply(batches.query, batches, asked);
    };
    const { log, counts } = openCounted({ ...context.database, batches: Object.create(batches, { query: { value: query } }) });
    for (let request = 0; request < 1_200; request++) log.record(requestOf(merchantId));
    await log.flush();
    expect(counts).toEqual({ written: 1_000, full: 200, failed: 0 });
    expect(statements).toHaveLength(1);
    expect(await context.database.prisma.apiRequest.count({ where: { merchantId } })).toBe(1_000);
  });

  test('of a flood of refused requests a hundred keep their bodies', async () => {
    const merchantId = await testMerchant(context);
    const { log } = openCounted();
    const refused = { request: Buffer.from('{"amount":0}'), response: '{}' };
    for (let request = 0; request < 120; request++) log.record(requestOf(merchantId, { status: 400, refused }));
    await log.flush();
    log.record(requestOf(merchantId, { status: 400, refused }));
    await log.flush();
    const where = { merchantId, status: 400 };
    expect(await context.database.prisma.apiRequest.count({ where })).toBe(121);
    expect(await context.database.prisma.apiRequest.count({ where: { ...where, requestBody: null } })).toBe(20);
  });

  test('a database that takes none costs these requests and no later ones', async () => {
    const merchantId = await testMerchant(context);
    let isAway = true;
    const { batches } = context.database;
    function query(...asked: Parameters<typeof batches.query>) {
      return isAway ? Promise.reject(new Error('away')) : Reflect.apply(batches.query, batches, asked);
    }
    const { log, counts } = openCounted({ ...context.database, batches: Object.create(batches, { query: { value: query } }) });
    log.record(requestOf(merchantId));
    await log.flush();
    isAway = false;
    log.record(requestOf(merchantId));
    await log.flush();
    expect(counts).toEqual({ written: 1, full: 0, failed: 1 });
    expect(await context.database.prisma.apiRequest.count({ where: { merchantId } })).toBe(1);
  });

  test('closing the database writes what still waits', async () => {
    const closing = await openTestContext();
    const finishers: (() => Promise<void>)[] = [];
    const { log, counts } = openCounted({ ...closing.database, beforeClose: (finish) => void finishers.push(finish) });
    log.record(requestOf(closing.newId()));
    for (const finish of finishers) await finish();
    expect(counts.written).toBe(1);
    expect(await closing.database.prisma.apiRequest.count()).toBe(1);
    await closing.close();
  });
});

describe('redact body', () => {
  const CARD = '4084084084084081';

  describe('a kept body', () => {
    test('shows what was sent of a payment, and not whom it is of', () => {
      const body = JSON.stringify({
        merchantOrderId: 'order-1',
        amount: 0,
        currency: 'NGN',
        customer: { email: 'ada@example.com', phone: '', id: 'C-7', name: { first: 'Ada' } },
        metadata: { note: 'for Ada Obi', size: 4, tags: ['Ada'] },
      });
      expect(JSON.parse(redactRequestBody(body) ?? '')).toEqual({
        merchantOrderId: 'order-1',
        amount: 0,
        currency: 'NGN',
        customer: { email: '[redacted]', phone: '', id: '[redacted]', name: { first: '[redacted]' } },
        metadata: { note: '[redacted]', size: '[redacted]', tags: '[redacted]' },
      });
    });

    test('of a dialect hides a customer beside the payment, and metadata that is text', () => {
      const body = JSON.stringify({
        amount: '250000',
        email: 'ada@example.com',
        first_name: 'Ada',
        lastName: 'Obi',
        phonenumber: 8_035_550_199,
        metadata: '{"cart":"Ada"}',
        meta: { consumer: 'Ada' },
        reference: 'r-1',
        callback_url: 'https://shop.example/thanks?mail=ada%40example.com',
      });
      expect(JSON.parse(redactRequestBody(body) ?? '')).toEqual({
        amount: '250000',
        email: '[redacted]',
        first_name: '[redacted]',
        lastName: '[redacted]',
        phonenumber: '[redacted]',
        metadata: '[redacted]',
        meta: { consumer: '[redacted]' },
        reference: 'r-1',
        callback_url: 'https://shop.example/thanks',
      });
    });

    test('of a form is read as its fields', () => {
      const body = 'amount=5000&email=ada%40example.com&metadata%5Bname%5D=Ada&customer[first]=Ada&reference=r-1';
      expect(JSON.parse(redactRequestBody(body) ?? '')).toEqual({
        amount: '5000',
        email: '[redacted]',
        'metadata[name]': '[redacted]',
        'customer[first]': '[redacted]',
        reference: 'r-1',
      });
    });

    test.each([
      [`{"reason":"paid with ${CARD}"}`, CARD],
      [`{"amount":${CARD}}`, CARD],
      ['{"apiKey":"sk_live_0123456789"}', 'sk_live'],
      ['{"note":"Bearer sk_live_0123456789"}', 'sk_live'],
      ['{"merchantOrderId":"order of ada@example.com"}', 'ada@'],
      ['{"reason":"call +2348035550199"}', '8035550199'],
      ['{"reason":"call 08035550199 now"}', '8035550199'],
      ['{"reason":"call 0803 555 0199 now"}', '555'],
      ['{"reason":"call +234-803-555-0199"}', '555'],
    ])('%s does not hold %s', (body, secret) => {
      expect(redactRequestBody(body)).not.toContain(secret);
    });

    test('hides objects and lists under names of what is about a person', () => {
      const body = JSON.stringify({
        address: { line1: '12 Bode Thomas' },
        name: ['Ada', 'Obi'],
        fullName: { first: 'Ada' },
        emails: ['ada at example'],
        customerDetails: { first: 'Ada' },
        card: { securityCode: '408', cvv_code: '123', expiry: '01/30', holder: 'Ada Obi' },
        payer: 'Ada',
        buyerInfo: { first: 'Ada', middle: '' },
        billing_contact: 'Ada',
        shipping: { street: 4 },
        'payment[customer][first]': 'Ada',
        customerCountry: 'NG',
        customer_country: 'NG',
        countries: ['NG'],
      });
      expect(JSON.parse(redactRequestBody(body) ?? '')).toEqual({
        address: { line1: '[redacted]' },
        name: '[redacted]',
        fullName: { first: '[redacted]' },
        emails: '[redacted]',
        customerDetails: { first: '[redacted]' },
        card: { securityCode: '[redacted]', cvv_code: '[redacted]', expiry: '[redacted]', holder: '[redacted]' },
        payer: '[redacted]',
        buyerInfo: { first: '[redacted]', middle: '' },
        billing_contact: '[redacted]',
        shipping: { street: '[redacted]' },
        'payment[customer][first]': '[redacted]',
        customerCountry: 'NG',
        customer_country: 'NG',
        countries: ['NG'],
      });
    });

    test('hides queries of addresses, keys, and persons in JSON within a text', () => {
      const inner = { note: 'Bearer 0123456789', customer: { first: 'Ada' }, amount: 5 };
      const body = {
        redirectUrl: ' https://shop.example/thanks?token=t0ken-1&name=Ada Obi#Ada',
        reason: 'sent to https://shop.example/a?name=Ada twice',
        header: 'Authorization: Bearer abcdefghijkl',
        squad: 'sandbox_sk_0123456789',
        monnify: 'is MK_PROD_0123456789',
        payload: JSON.stringify(inner),
        list: JSON.stringify([{ name: 'Ada' }]),
      };
      const shown = {
        redirectUrl: ' https://shop.example/thanks',
        reason: 'sent to https://shop.example/a twice',
        header: 'Authorization: Bearer [redacted]',
        squad: '[redacted]',
        monnify: 'is [redacted]',
        payload: JSON.stringify({ note: 'Bearer [redacted]', customer: { first: '[redacted]' }, amount: 5 }),
        list: JSON.stringify([{ name: '[redacted]' }]),
      };
      expect(JSON.parse(redactRequestBody(JSON.stringify(body)) ?? '')).toEqual(shown);
      expect(JSON.parse(redactRequestBody(new URLSearchParams(body).toString()) ?? '')).toEqual(shown);
    });

    test('has a text in place of a number that is one of a person, and names of fields without them', () => {
      expect(redactRequestBody('{"merchantOrderId":2348035550199,"amount":2500}')).toBe(
        '{"merchantOrderId":"[redacted]","amount":2500}',
      );
      expect(redactRequestBody('{"ada@example.com":1,"customer":{"sk_live_0123456789":2}}')).toBe(
        '{"[redacted]":1,"customer":{"[redacted]":"[redacted]"}}',
      );
    });

    test('is JSON unless it was cut', () => {
      const personal = fc.constantFrom<unknown>(
        2_348_035_550_199,
        '+234 803 555 0199',
        'ada@example.com',
        'sk_live_0123456789',
        CARD,
      );
      const addresses = fc.webUrl({ withQueryParameters: true, withFragments: true });
      fc.assert(
        fc.property(fc.object({ values: [personal, fc.json(), fc.string(), fc.double(), addresses] }), (value) => {
          const kept = redactRequestBody(JSON.stringify(value)) ?? '';
          if (kept.length < 4_096 && !/^\[\d+ characters\]$/.test(kept)) expect(() => JSON.parse(kept)).not.toThrow();
        }),
      );
    });

    test('is the length alone where its content is unknown', () => {
      expect(redactRequestBody('{"customer":{"email":"ada@example.com"},}')).toBe(
        '[41 characters that are neither JSON nor a form]',
      );
      expect(redactRequestBody(`"${'a'.repeat(20_000)}"`)).toBe('[20002 characters]');
      expect(redactRequestBody('')).toBeNull();
    });

    test('is bounded, and free of what a database refuses', () => {
      const long = redactRequestBody(JSON.stringify({ note: 'x'.repeat(9_000) }));
      expect(long).toHaveLength(4_096);
      expect(redactRequestBody('{"note":"a\\u0000b"}')).not.toContain('\\u0000');
    });

    test('never holds a value of a customer or of metadata, whatever its form', () => {
      const text = fc.stringMatching(/^[a-z]{12,30}$/);
      fc.assert(
        fc.property(
          text,
          fc.object({ values: [text], maxDepth: 4 }),
          fc.constantFrom('customer', 'metadata', 'meta'),
          (canary, around, name) => {
            const body = JSON.stringify({ payment: { ...around, [name]: { deep: [{ canary }], canary } } });
            const kept = redactRequestBody(body) ?? '';
            expect(kept.replaceAll('"canary"', '')).not.toContain(canary);
          },
        ),
      );
    });
  });

  test('a kept path holds no address of a person', () => {
    expect(redactPath('/v1/payments/ada@example.com')).toBe('/v1/payments/[redacted]');
    expect(redactPath('/compat/paystack/transaction/verify/ada%40example.com')).not.toContain('example.com');
    expect(redactPath(`/v1/payments/${CARD}`)).not.toContain(CARD);
    expect(redactPath('/v1/payments/0803%20555%200199')).toBe('/v1/payments/[redacted]');
    expect(redactPath('/v1/payments/call%20%2B234%20803%20555%200199')).toBe('/v1/payments/call%20[redacted]');
    const payment = '/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10/verify';
    expect(redactPath(payment)).toBe(payment);
    expect(redactPath(`/${'a'.repeat(900)}`)).toHaveLength(300);
  });

  test('a kept path holds no part of a key, wherever it is cut', () => {
    for (const key of ['sk_live_abcdefghijklmn', 'sandbox_sk_abcdefghijklmn', 'MK_TEST_abcdefghijklmn']) {
      expect(redactPath(`/v1/payments/Bearer%20${key}`)).toBe('/v1/payments/Bearer%20[redacted]');
      for (let length = 270; length < 300; length++) {
        expect(redactPath(`/${'a'.repeat(length)}/${key}`)).not.toMatch(/[sk]k_|MK_/i);
      }
    }
    const mail = `/${'a'.repeat(285)}/ada@example.com`;
    expect(redactPath(mail)).not.toContain('/ada');
  });

  test('a kept path has its ids', () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        expect(redactPath(`/v1/payments/${id}/verify`)).toBe(`/v1/payments/${id}/verify`);
      }),
    );
  });
});
