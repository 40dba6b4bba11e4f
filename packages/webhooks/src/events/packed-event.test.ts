import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DICTIONARY_1, packEventBody, readEventBody } from './packed-event.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');
const ids = { id: '01a21dac-def9-77ea-9989-c31d13c3c30a', paymentId: '01a21dac-def9-77e7-aeb7-3d149d55bb96' };

function packed(body: string, paymentId: string | null = ids.paymentId): Buffer {
  return packEventBody({ id: ids.id, paymentId }, body);
}

const record = JSON.stringify({
  id: ids.id,
  type: 'payment.succeeded',
  createdAt: AT.toISOString(),
  merchantNumber: '100001',
  data: {
    paymentId: ids.paymentId,
    merchantOrderId: 'order-1',
    status: 'SUCCESS',
    executionStatus: 'succeeded',
    currency: 'NGN',
    amount: 2_500,
    gatewayReference: `sy${ids.paymentId.replaceAll('-', '')}00`,
  },
});

describe('a packed event', () => {
  test('is read as it was, byte for byte, whatever it holds', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 2_000 }), fc.constantFrom(ids.paymentId, null), (body, paymentId) => {
        expect(readEventBody({ id: ids.id, paymentId, packedBody: packed(body, paymentId) })).toBe(body);
      }),
    );
  });

  test('that is stored is read: a dictionary never changes', () => {
    expect(
      readEventBody({
        ...ids,
        packedBody: Buffer.from(
          'AYOGIjFWkhjShoa6RgYhhkZWBgZWBgZ6BgYGUdgC39DAwMDAEEcUEONLrNGUD2LpGlI1toxMDQwIxBjucFaqrQUA',
          'base64',
        ),
      }),
    ).toBe(record);
  });

  // Raw DEFLATE has no checksum: with another dictionary, stored rows are read as other texts, without an error.
  test('is read with the dictionary of its number, which never changes, and packed with the newest', () => {
    expect(createHash('sha256').update(DICTIONARY_1).digest('hex')).toBe(
      '646d22143448453863e1faa03b8d7b9333627375845e9d5fcb414689140c83e8',
    );
    expect(packed('')[0]).toBe(1);
  });

  test('takes a quarter of what is sent', () => {
    expect(record.length / packed(record).length).toBeGreaterThan(4);
  });
});
