import { createHash } from 'node:crypto';
import { packDecision } from '@switchyard/rule-sets/store-inputs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DICTIONARY_1, knownOf, packSession, StoredDocuments, unpackSession } from './payment-documents.ts';

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

  test('that is stored is read: neither the dictionary nor the known ids change', () => {
    const { session, fallbackGateways } = unpackSession(KEY, Buffer.from('AYsmtsEBquexxj5KXCFHADGeQItDYlyMPdRrawE=', 'base64'));
    expect(JSON.parse(session)).toEqual({ gateway: 'paystack', metadata: { ...KEY, referencePrefix: '' } });
    expect(fallbackGateways).toBe('[{"name":"kora","reason":"plan-fallback"}]');
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      '545d130e3b4d939045ebcf7d6442cb84795affd818dbcc6c8d3d9d596b9edf6f',
    );
    expect(packSession(KEY, {}, [])[0]).toBe(1);
  });

  test('is packed with the ids of its payment, always written alike', () => {
    expect(knownOf(KEY)).toBe(
      '0198c0de-2f45-75dc-a619-86885163e162sy0198c0de4111711181113a1f0c77d2e90198c0de-4111-7111-8111-3a1f0c77d2e9',
    );
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

test('the documents of a payment unpack its session once', () => {
  const packedSession = packSession(KEY, { gateway: 'kora' }, [{ name: 'paystack', reason: 'plan-fallback' }]);
  const documents = new StoredDocuments({ ...KEY, packedDecision: packDecision({ version: 1 }, {}), packedSession });
  expect(documents.session).toEqual({ gateway: 'kora' });
  // No dictionary has this number: what is unpacked again throws.
  packedSession.fill(0);
  expect(documents.session).toEqual({ gateway: 'kora' });
  expect(documents.fallbackGateways).toEqual([{ name: 'paystack', reason: 'plan-fallback' }]);
});
