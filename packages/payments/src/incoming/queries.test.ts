import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DICTIONARY_1, packBody, readBody } from './queries.ts';

describe('a packed webhook body', () => {
  test('is read as it was, byte for byte, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), (body) => {
        expect(readBody({ packedBody: packBody(body) })).toBe(body);
      }),
    );
  });

  test('that is stored is read: a dictionary never changes', () => {
    const body = '{"event":"charge.success","data":{"id":302961,"domain":"test","status":"success"}}';
    expect(readBody({ packedBody: Buffer.from('ASOyojA2MLI0MySiuqitBQA=', 'base64') })).toBe(body);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      '809b62fe8d94a435d0aca6d00986aeb146fbea0a358c217b1c04ed6c284df2cb',
    );
    expect(packBody('')[0]).toBe(1);
  });

  test('takes a fraction of what a gateway sends', () => {
    const customer = { id: 2519863, name: 'Ada Obi', phone_number: '+2348012345678', email: 'ada@example.com' };
    const about = { id: 4099260516, tx_ref: 'sy0198c0de411171118111111111111111', flw_ref: 'FLW-29a2a6f2c1', amount: 1000 };
    const money = {
      currency: 'NGN',
      charged_amount: 1000,
      app_fee: 14,
      merchant_fee: 0,
      status: 'successful',
      payment_type: 'card',
    };
    const body = JSON.stringify({
      event: 'charge.completed',
      data: { ...about, ...money, customer },
      'event.type': 'CARD_TRANSACTION',
    });
    expect(body.length / packBody(body).length).toBeGreaterThan(2);
  });
});

test('a webhook that is stored without its body has an empty one', () => {
  expect(readBody({ packedBody: null })).toBe('');
});
