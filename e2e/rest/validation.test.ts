import { randomUUID } from 'node:crypto';
import { gatewayNames } from '@switchyard/gateways';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, readFailure, readPayment } from '../harness/contract.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { MOUNTS } from '../harness/mounts.ts';
import { badAddresses, goodAddresses } from './redirect-addresses.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const customer = (changes: object) => ({ customer: { email: 'ada@example.com', ...changes } });
const nested = (levels: number): object => (levels === 1 ? {} : { inner: nested(levels - 1) });
/** A body with its amount written like this: the name is part of the match, because an order id may hold the digits too. */
const orderOfAmount = (text: string) => JSON.stringify(order()).replace('"amount":2500', `"amount":${text}`);
/** Metadata whose JSON is so many bytes. */
const metadataOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) });

const UNCLEAN = 'must not contain NUL or unpaired surrogates';
const METHODS = 'must be one of CARD, TRANSFER, USSD, BANK, QR, WALLET, MOBILE_MONEY, DIRECT_DEBIT, BANK_TRANSFER';
const ADDRESS = 'must be an absolute URL without user info, spaces, control characters or backslashes';

const misspelt = { amount: undefined, amuont: 2500 };
const unknownGateway = `requestedGateway must be one of ${gatewayNames.join(', ')}`;

/** A body, and every error it must be answered with. */
const refused: [string, object, string[]][] = [
  ['a misspelt amount', misspelt, ['amount is required', 'amuont is not known; did you mean amount?']],
  [
    'a misspelt redirectUrl',
    { redirectUrl: undefined, redirect_url: 'https://x' },
    ['redirect_url is not known; did you mean redirectUrl?'],
  ],
  ['no merchantOrderId', { merchantOrderId: undefined }, ['merchantOrderId is required']],
  ['an empty merchantOrderId', { merchantOrderId: '' }, ['merchantOrderId must not be empty']],
  ['a merchantOrderId of 129', { merchantOrderId: 'x'.repeat(129) }, ['merchantOrderId must be at most 128 characters long']],
  ['a merchantOrderId that is no text', { merchantOrderId: 12 }, ['merchantOrderId must be a string']],
  ['a merchantOrderId of null', { merchantOrderId: null }, ['merchantOrderId must be a string']],
  ['NUL in merchantOrderId', { merchantOrderId: 'a\0b' }, [`merchantOrderId ${UNCLEAN}`]],
  ['half a pair in merchantOrderId', { merchantOrderId: 'a\ud83d' }, [`merchantOrderId ${UNCLEAN}`]],
  ['no amount', { amount: undefined }, ['amount is required']],
  ['an amount in quotes', { amount: '1000' }, ['amount must be an integer']],
  ['an amount with a fraction', { amount: 10.5 }, ['amount must be an integer']],
  ['an amount of null', { amount: null }, ['amount must be an integer']],
  ['an amount of true', { amount: true }, ['amount must be an integer']],
  ['an amount of nothing', { amount: 0 }, ['amount must be at least 1']],
  ['an amount below nothing', { amount: -1 }, ['amount must be at least 1']],
  ['an amount past the limit', { amount: 1_000_000_000_001 }, ['amount must be at most 1000000000000']],
  ['an amount no number holds exactly', { amount: 2 ** 60 }, ['amount must be at most 1000000000000']],
  ['no currency', { currency: undefined }, ['currency is required']],
  ['another currency', { currency: 'USD' }, ['currency must be NGN']],
  ['a currency in small letters', { currency: 'ngn' }, ['currency must be NGN']],
  ['no customer', { customer: undefined }, ['customer is required']],
  ['a customer that is text', { customer: 'ada@example.com' }, ['customer must be an object']],
  ['a customer that is a list', { customer: [] }, ['customer must be an object']],
  ['no e-mail', { customer: {} }, ['customer.email is required']],
  ['a wrong e-mail', customer({ email: 'ada@' }), ['customer.email must be a valid e-mail address']],
  ['an e-mail with NUL', customer({ email: 'ada\0@example.com' }), ['customer.email must be a valid e-mail address']],
  ['an e-mail that is a number', customer({ email: 5 }), ['customer.email must be a string']],
  [
    'an e-mail of 255',
    customer({ email: `ada@${'x'.repeat(61)}.${'y'.repeat(61)}.${'z'.repeat(61)}.${'w'.repeat(62)}.ng` }),
    ['customer.email must be at most 254 characters long'],
  ],
  ['an empty customer id', customer({ id: '' }), ['customer.id must not be empty']],
  ['a customer id of 129', customer({ id: 'x'.repeat(129) }), ['customer.id must be at most 128 characters long']],
  ['a phone of 33', customer({ phone: '1'.repeat(33) }), ['customer.phone must be at most 32 characters long']],
  ['a phone that is a number', customer({ phone: 234 }), ['customer.phone must be a string']],
  ['half a pair in phone', customer({ phone: '\udc00' }), [`customer.phone ${UNCLEAN}`]],
  ['metadata that is text', { metadata: 'cart' }, ['metadata must be an object']],
  ['metadata that is a list', { metadata: [1] }, ['metadata must be an object']],
  ['metadata of 6 levels', { metadata: nested(6) }, ['metadata must be at most 5 levels deep']],
  ['metadata over 16 KiB', { metadata: metadataOf(16_385) }, ['metadata must be at most 16384 bytes']],
  ['NUL in metadata', { metadata: { cart: ['a', 'b\0'] } }, [`metadata ${UNCLEAN}`]],
  ['NUL in a name in metadata', { metadata: { 'cart\0': 1 } }, [`metadata ${UNCLEAN}`]],
  ['half a pair in metadata', { metadata: { cart: { id: '\ud800' } } }, [`metadata ${UNCLEAN}`]],
  ['a redirectUrl that is a number', { redirectUrl: 5 }, ['redirectUrl must be a string']],
  [
    'a redirectUrl of 2049',
    { redirectUrl: `https://shop.example/${'x'.repeat(2_028)}` },
    ['redirectUrl must be at most 2048 characters long'],
  ],
  ['an unknown paymentMethod', { paymentMethod: 'cash' }, [`paymentMethod ${METHODS}`]],
  ['an empty paymentMethod', { paymentMethod: '' }, [`paymentMethod ${METHODS}`]],
  ['a paymentMethod that is a number', { paymentMethod: 1 }, ['paymentMethod must be a string']],
  ['a country of three letters', { customerCountry: 'NGA' }, ['customerCountry must be an ISO 3166-1 alpha-2 country code']],
  ['a country there is not', { customerCountry: 'XX' }, ['customerCountry must be an ISO 3166-1 alpha-2 country code']],
  ['an unknown requestedGateway', { requestedGateway: 'piggybank' }, [unknownGateway]],
  ['a requestedGateway of the object prototype', { requestedGateway: 'constructor' }, [unknownGateway]],
];

describe.each(MOUNTS)('through the %s mount', (mount) => {
  const initiate = (body: unknown, headers = {}, key = harness.first.testKey) =>
    harness.send(mount, 'POST', '/v1/payments/initiate', { key, body, headers });
  const errorsOf = async (body: unknown, headers = {}) => {
    const reply = await initiate(body, headers);
    expect(reply.status, reply.text).toBe(400);
    return readFailure(reply).data?.errors;
  };

  describe('initiate refuses', () => {
    test.each(refused)('%s', async (_what, changes, errors) => {
      expect(await errorsOf(order({ ...changes }))).toEqual(errors);
    });

    test.each([
      ['1e999', 'must be an integer'],
      ['-1e999', 'must be an integer'],
      ['1e300', 'must be at most 1000000000000'],
      ['-1e300', 'must be at least 1'],
      ['1000000000001.0', 'must be at most 1000000000000'],
      ['1000.0000000000000001', 'must be an integer'],
      ['0.99999999999999999999', 'must be an integer'],
      ['1.00000000000000001e3', 'must be an integer'],
      ['12345678901234567890', 'must be at most 1000000000000'],
    ])('an amount written %s', async (text, rule) => {
      expect(await errorsOf(orderOfAmount(text))).toEqual([`amount ${rule}`]);
    });

    test.each([
      ['{"cart":9007199254740993}', 'cart'],
      ['{"cart":{"ids":[1,20261128155846121]}}', 'cart.ids.1'],
      ['{"rate":1000.0000000000000001}', 'rate'],
      ['{"huge":1e400}', 'huge'],
    ])('metadata with a number that would change: %s', async (metadata, field) => {
      const body = JSON.stringify(order()).replace(/}$/, `,"metadata":${metadata}}`);
      expect(await errorsOf(body)).toEqual([
        `metadata must not contain a number that a double does not hold exactly (${field}): send it as text`,
      ]);
    });

    test.each(badAddresses)('the redirectUrl %j', async (redirectUrl) => {
      expect(await errorsOf(order({ redirectUrl }))).toEqual([`redirectUrl ${ADDRESS}`]);
    });

    test('http addresses under a live key', async () => {
      const reply = await initiate(order({ redirectUrl: 'http://shop.example/' }), {}, harness.first.liveKey);
      expect(readFailure(reply).data?.errors).toEqual(['redirectUrl must be an https URL']);
    });

    test.each([
      ['an empty one', ''],
      ['one of 256', 'k'.repeat(256)],
      ['one with a space', 'a b'],
      ['one that is not ASCII', 'clé'],
      ['one with a control character', 'a\tb'],
    ])('an Idempotency-Key: %s', async (_what, key) => {
      expect(await errorsOf(order(), { 'idempotency-key': key })).toEqual([
        'Idempotency-Key must be 1 to 255 visible ASCII characters',
      ]);
    });

    test('everything that is wrong at once', async () => {
      const body = {
        amount: '1000',
        currency: 'USD',
        customer: { email: 'nobody', id: '', phone: 5 },
        metadata: [1],
        redirectUrl: 'javascript:alert(1)',
        paymentMethod: 'cash',
        customerCountry: 'Nigeria',
        requestedGateway: 'piggybank',
      };
      expect(await errorsOf(body)).toEqual([
        'merchantOrderId is required',
        'amount must be an integer',
        'currency must be NGN',
        'customer.email must be a valid e-mail address',
        'customer.id must not be empty',
        'customer.phone must be a string',
        'metadata must be an object',
        `redirectUrl ${ADDRESS}`,
        `paymentMethod ${METHODS}`,
        'customerCountry must be an ISO 3166-1 alpha-2 country code',
        unknownGateway,
      ]);
    });
  });

  describe('initiate takes', () => {
    const accepted: [string, object][] = [
      ['only what is required', { paymentMethod: undefined }],
      ['a merchantOrderId of 1', { merchantOrderId: randomUUID().slice(0, 1) }],
      [
        'text of every kind',
        { ...customer({ id: '\u202e客户 👩🏾‍🚀 ', phone: '+234 (0) 80' }), metadata: { ключ: '\u0001\u007f🧵' } },
      ],
      ['an empty phone', customer({ phone: '' })],
      ['empty metadata', { metadata: {} }],
      ['metadata of 5 levels', { metadata: nested(5) }],
      ['metadata of 16 KiB', { metadata: metadataOf(16_384) }],
      ['a country', { customerCountry: 'NG' }],
      ['unknown fields', { customerName: 'Ada', callback: 'https://x', customer: { email: 'ada@example.com', vip: true } }],
    ];
    test.each(accepted)('%s', async (_what, changes) => {
      const merchant = await harness.merchant();
      readPayment(await initiate(order({ ...changes }), {}, merchant.testKey));
    });

    test('unknown fields, which the response names', async () => {
      const body = order({ callback: 'https://x', customer: { email: 'ada@example.com', größe: true } });
      const reply = await initiate(body, {}, (await harness.merchant()).testKey);
      readPayment(reply);
      expect(reply.headers['switchyard-ignored-fields']).toBe('customer.gr%C3%B6%C3%9Fe, callback');
    });

    test('in live mode also a field that is nearly one of ours, which the response names', async () => {
      const reply = await initiate(order({ redirect_url: 'https://shop.example/' }), {}, harness.first.liveKey);
      readPayment(reply);
      expect(reply.headers['switchyard-ignored-fields']).toBe('redirect_url');
    });

    test('a merchantOrderId of 128', async () => {
      const merchantOrderId = randomUUID().padEnd(128, 'x');
      expect(readPayment(await initiate(order({ merchantOrderId }))).merchantOrderId).toBe(merchantOrderId);
    });

    test.each([
      ['1000.0', 1_000],
      ['1e3', 1_000],
      ['1000000000000', 1_000_000_000_000],
      ['1', 1],
    ])('an amount written %s', async (text, amount) => {
      const payment = readPayment(await initiate(orderOfAmount(text)));
      expect(payment.amount).toBe(amount);
    });

    test.each([
      ['card', 'CARD'],
      ['CaRd', 'CARD'],
      ['transfer', 'TRANSFER'],
      ['bank_transfer', 'TRANSFER'],
      ['BANK_TRANSFER', 'TRANSFER'],
      ['ussd', 'USSD'],
      ['bank', 'BANK'],
      ['qr', 'QR'],
      ['wallet', 'WALLET'],
      ['mobile_money', 'MOBILE_MONEY'],
      ['direct_debit', 'DIRECT_DEBIT'],
    ])('the paymentMethod %s as %s', async (paymentMethod, canonical) => {
      const payment = readPayment(await initiate(order({ paymentMethod })));
      expect(payment.routing.contextKey.split('|')[1]).toBe(canonical);
    });

    test.each(goodAddresses)('the redirectUrl %s, which becomes %s', async (redirectUrl, expected) => {
      const { paymentId, recommendedGateway } = readPayment(await initiate(order({ redirectUrl })));
      expect(recommendedGateway.session?.metadata.redirectUrl).toBe(expected.replace('ID', paymentId));
    });

    test('an Idempotency-Key of 255 visible characters', async () => {
      const key = `!~"${randomUUID()}`.padEnd(255, '#');
      expect((await initiate(order(), { 'idempotency-key': key })).status).toBe(200);
    });
  });

  test('a redirectUrl left out is the one from the dashboard; without one there, our result page', async () => {
    const merchant = await harness.merchant({ defaultRedirectUrl: 'https://adaeze.example/orders?shop=1' });
    const own = readPayment(await initiate(order(), {}, merchant.testKey));
    expect(own.recommendedGateway.session?.metadata.redirectUrl).toBe(
      `https://adaeze.example/orders?shop=1&paymentId=${own.paymentId}`,
    );
    const none = readPayment(await initiate(order()));
    expect(none.recommendedGateway.session?.metadata.redirectUrl).toBe(
      `${harness.publicUrl}/checkout/${none.paymentId}/${harness.first.accounts.paystack}`,
    );
  });

  test('free-form fields are stored as sent', async () => {
    const metadata = { cartId: 'c-1', ключ: ['🧵', null, true, 1.5, { deep: {} }], toString: 'x', constructor: { name: 'y' } };
    const text = JSON.stringify(order({ metadata })).replace('"cartId"', '"__proto__":{"polluted":true},"cartId"');
    const { paymentId } = readPayment(await initiate(text));
    const { rows } = await harness.database.pool.query<{ metadata: string }>(
      'SELECT metadata::text AS metadata FROM payment WHERE id = $1',
      [paymentId],
    );
    const sent: unknown = JSON.parse(text);
    expect(JSON.parse(rows[0]?.metadata ?? '')).toEqual(Object.getOwnPropertyDescriptor(sent, 'metadata')?.value);
    expect(rows[0]?.metadata).toContain('"__proto__"');
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
  });

  describe('verify refuses', () => {
    test.each([
      ['an empty transactionId', { transactionId: '' }, 'transactionId must not be empty'],
      ['a transactionId that is a number', { transactionId: 5 }, 'transactionId must be a string'],
      ['a transactionId of 129', { transactionId: '1'.repeat(129) }, 'transactionId must be at most 128 characters long'],
      ['NUL in transactionId', { transactionId: '1\0' }, `transactionId ${UNCLEAN}`],
      ['a list', [], 'body must be a JSON object'],
      ['broken JSON', '{', 'body must be valid JSON'],
    ])('%s', async (_what, body, error) => {
      const { paymentId } = readPayment(await initiate(order()));
      const reply = await harness.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key: harness.first.testKey, body });
      expect(reply.status).toBe(400);
      expect(readFailure(reply).data?.errors).toEqual([error]);
    });
  });
});
