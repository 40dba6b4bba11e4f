import { createHash } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DICTIONARY_1, packedRow, readEventBody } from './packed-event.ts';

const AT = new Date('2026-11-20T12:00:00.000Z');
const ids = { id: '01a21dac-def9-77ea-9989-c31d13c3c30a', paymentId: '01a21dac-def9-77e7-aeb7-3d149d55bb96' };

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function pack(body: string, paymentId: string | null = ids.paymentId, packsTexts = true) {
  const about = { merchantId: 'm', eventId: ids.id, mode: 'test', paymentId, position: 2, type: 'payment.succeeded' } as const;
  return packedRow({ ...database, packsTexts: () => packsTexts }, { ...about, body }, AT);
}

function packedBody(body: string, paymentId: string | null = ids.paymentId): Buffer {
  const row = pack(body, paymentId);
  if (!('packed_body' in row)) throw new Error('it is packed');
  return Buffer.from(row.packed_body, 'base64');
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
        expect(readEventBody({ id: ids.id, paymentId, body: '', packedBody: packedBody(body, paymentId) })).toBe(body);
      }),
    );
  });

  test('that was packed by an earlier version is read by this one: a dictionary never changes', () => {
    expect(
      readEventBody({
        ...ids,
        body: '',
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
    expect(packedBody('')[0]).toBe(1);
  });

  test('takes a quarter of what is sent', () => {
    expect(record.length / packedBody(record).length).toBeGreaterThan(4);
  });
});

test('an event is stored as text where a process of before may read it, and read from it', () => {
  const row = pack(record, ids.paymentId, false);
  expect(row).toMatchObject({ body: record });
  expect(row).not.toHaveProperty('packed_body');
  expect(readEventBody({ ...ids, body: record, packedBody: null })).toBe(record);
});
