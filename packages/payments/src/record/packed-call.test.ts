import { createHash } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DICTIONARY_1, packCall, readCall } from './packed-call.ts';

const unpackCall = (packedCall: Uint8Array) => readCall({ packedCall });
/** As a part of a call: `fast-check` gives any value. */
const wrap = (answer: unknown) => ({ answer });

/** A call as Paystack's connector records it. */
function paystackCall(paymentId: string, accountId: string) {
  const reference = `sy${paymentId.replaceAll('-', '')}00`;
  const callback = `https://pay.merchant.ng/checkout/${paymentId}/${accountId}/return`;
  const request = {
    email: 'chidi.okafor@mail.ng',
    amount: '250000',
    currency: 'NGN',
    reference,
    callback_url: callback,
    channels: ['card'],
    metadata: {
      payment_id: paymentId,
      cancel_action: `${callback}?reference=${reference}&status=cancelled`,
      custom_fields: [{ display_name: 'Payment', variable_name: 'payment_id', value: paymentId }],
    },
  };
  const data = { authorization_url: 'https://checkout.paystack.com/nkdks46nymizns7', access_code: 'nkdks46nymizns7', reference };
  return {
    method: 'POST',
    httpStatus: 200,
    latencyMs: 312.4,
    unsentMs: 0.3,
    url: 'https://api.paystack.co/transaction/initialize',
    request: JSON.stringify(request),
    answer: JSON.stringify({ status: true, message: 'Authorization URL created', data }),
    retryAfterMs: null,
  };
}

describe('a packed call', () => {
  test('is read as it was, whatever it holds', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(unpackCall(packCall(wrap(value))))).toBe(JSON.stringify(wrap(value)));
      }),
    );
  });

  test('takes less than a fifth of its JSON', () => {
    const call = paystackCall('0198c0de-4111-7111-8111-3a1f0c77d2e9', '0198c0de-2f45-75dc-a619-86885163e162');
    expect(JSON.stringify(call).length / packCall(call).length).toBeGreaterThan(5);
  });

  test('that is stored is read: a dictionary never changes', () => {
    const stored = Buffer.from('AavGtFvJCre7lXSg/oV6Fy0D1AIA', 'base64');
    const call = { authorization_url: 'Authorization URL created', status: true, method: 'POST' };
    expect(unpackCall(stored)).toEqual(call);
    // It is read with the dictionary alone.
    expect(stored.length).toBeLessThan(deflateRawSync(JSON.stringify(call)).length / 2);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      'ed37bf8ecad1177faad457359c62be0dd8d06ca8335f0d20bad488c2f5d40526',
    );
    expect(packCall({})[0]).toBe(1);
  });

  test('of an unknown dictionary, or cut off, is an error and not another call', () => {
    const packed = packCall(paystackCall('one', 'other'));
    expect(() => unpackCall(Buffer.concat([Buffer.of(9), packed.subarray(1)]))).toThrow('dictionary 9');
    expect(() => unpackCall(packed.subarray(0, packed.length - 4))).toThrow();
    expect(() => unpackCall(Buffer.of())).toThrow('dictionary undefined');
  });
});

test('an attempt without a call has none', () => {
  expect(readCall({ packedCall: null })).toBeNull();
});
