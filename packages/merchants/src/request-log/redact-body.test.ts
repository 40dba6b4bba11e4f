import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactPath, redactRequestBody } from './redact-body.ts';

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
      callback_url: 'https://shop.example/thanks?mail=[redacted]',
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
  ])('%s does not hold %s', (body, secret) => {
    expect(redactRequestBody(body)).not.toContain(secret);
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
  const payment = '/v1/payments/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10/verify';
  expect(redactPath(payment)).toBe(payment);
  expect(redactPath(`/${'a'.repeat(900)}`)).toHaveLength(300);
});
