import { newId } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findDialect, findNumbered, numberOf } from './numbers.ts';

const NOW = new Date('2026-11-20T12:00:00Z');

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const payment = (merchantId: string) => ({ merchantId, kind: 'payment', objectId: newId() }) as const;

describe('the number of an object', () => {
  it('is one for all who ask at once, and leads back to it for its merchant and kind alone', async () => {
    const merchantId = newId();
    const object = payment(merchantId);
    const numbers = await Promise.all(Array.from({ length: 8 }, () => numberOf(database, object, null, NOW)));
    const [number = 0] = numbers;
    expect(new Set(numbers)).toEqual(new Set([number]));
    expect(await findNumbered(database, merchantId, 'payment', number)).toBe(object.objectId);
    expect(await findNumbered(database, merchantId, 'refund', number)).toBeNull();
    expect(await findNumbered(database, newId(), 'payment', number)).toBeNull();
  });

  it('belongs to no other object of the merchant, however many are made in one millisecond', async () => {
    const merchantId = newId();
    const made = await Promise.all(
      Array.from({ length: 150 }, () => numberOf(database, payment(merchantId), 'flutterwave', NOW)),
    );
    expect(new Set(made).size).toBe(150);
  });

  it('names the dialect that began the payment, also where it was asked for before', async () => {
    const object = payment(newId());
    const number = await numberOf(database, object, null, NOW);
    expect(await findDialect(database, object.merchantId, object.objectId)).toBeNull();
    expect(await numberOf(database, object, 'flutterwave', new Date())).toBe(number);
    expect(await numberOf(database, object, 'paystack', new Date())).toBe(number);
    expect(await findDialect(database, object.merchantId, object.objectId)).toEqual({ dialect: 'flutterwave', number });
  });
});
