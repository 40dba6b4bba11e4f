import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packSession, unpackSession } from './payment-documents.ts';

const KEY = { merchantId: '0198c0de-2f45-75dc-a619-86885163e162', paymentId: '0198c0de-4111-7111-8111-3a1f0c77d2e9' };

describe('a packed session', () => {
  test('is read as it was, byte for byte', () => {
    const json = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue());
    fc.assert(
      fc.property(json, fc.array(json), fc.uuid(), (session, fallbackGateways, paymentId) => {
        const key = { ...KEY, paymentId };
        expect(unpackSession(key, packSession(key, session, fallbackGateways))).toEqual({
          session: JSON.stringify(session),
          fallbackGateways: JSON.stringify(fallbackGateways),
        });
      }),
    );
  });

  test('that was packed by an earlier version is read by this one: neither the dictionary nor the known ids change', () => {
    const { session, fallbackGateways } = unpackSession(KEY, Buffer.from('AYsmNuOC0ibW2EeJK+QIIMYTaHFIjIuxh3ptLQA=', 'base64'));
    expect(JSON.parse(session)).toEqual({ gateway: 'paystack', metadata: { ...KEY, referencePrefix: '' } });
    expect(fallbackGateways).toBe('[{"name":"kora","reason":"plan-fallback"}]');
  });

  test('takes a fifth of its JSON', () => {
    const reference = `sy${KEY.paymentId.replaceAll('-', '')}00`;
    const checkout = 'https://checkout.paystack.com/nkdks46nymizns7';
    const address = `https://pay.merchant.ng/checkout/${KEY.paymentId}/0198c0de-5111-7111-8111-3a1f0c77d2e9`;
    const data = { authorization_url: checkout, access_code: 'nkdks46nymizns7', reference };
    const session = {
      raw: { status: true, message: 'Authorization URL created', data },
      gateway: 'paystack',
      reference,
      accessCode: 'nkdks46nymizns7',
      redirectUrl: checkout,
      metadata: { mode: 'live', ...KEY, callbackUrl: `${address}/return`, redirectUrl: address, merchantOrderId: 'order-1' },
    };
    expect(JSON.stringify(session).length / packSession(KEY, session, []).length).toBeGreaterThan(5);
  });
});
