import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { createMerchant, findMerchant, listMerchants, updateMerchant } from './console.ts';

const actor = 'staff:ada';
let context: TestContext;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());

describe('a new merchant', () => {
  test('begins with an hour per session, no redirect address and an unused number', async () => {
    const first = await createMerchant(context, { name: '  Balogun Books ', actor });
    const second = await createMerchant(context, { name: 'Balogun Books', actor });
    expect(first).toMatchObject({
      kind: 'created',
      merchant: { name: 'Balogun Books', defaultRedirectUrl: null, sessionMinutes: 60, refundDuplicates: false },
    });
    if (first.kind !== 'created' || second.kind !== 'created') throw new Error('not created');
    expect(first.merchant.merchantNumber).toMatch(/^M-\d{8}$/);
    expect(second.merchant.merchantNumber).not.toBe(first.merchant.merchantNumber);
    expect(context.resources.configuration.merchant(first.merchant.id)?.revision).toBe(1);
    expect(await findMerchant(context, first.merchant.id)).toEqual(first.merchant);
  });

  test('is refused a number that is taken', async () => {
    const command = { name: 'Yaba Tyres', merchantNumber: 'M-700001', actor };
    expect(await createMerchant(context, command)).toMatchObject({ kind: 'created' });
    expect(await createMerchant(context, command)).toEqual({ kind: 'number_taken' });
  });

  test('is refused with every field that is wrong', async () => {
    const command = { name: '', merchantNumber: '7', defaultRedirectUrl: 'http://shop.example', sessionMinutes: 4, actor };
    const outcome = await createMerchant(context, command);
    expect(outcome.kind === 'invalid' && outcome.problems.map(({ field }) => field)).toEqual([
      'name',
      'merchantNumber',
      'defaultRedirectUrl',
      'sessionMinutes',
    ]);
  });
});

describe("a merchant's settings", () => {
  test.each([
    ['name', 'Ikeja Lights'],
    ['defaultRedirectUrl', 'https://shop.example/thanks?from=pay#done'],
    ['defaultRedirectUrl', null],
    ['sessionMinutes', 5],
    ['sessionMinutes', 1_440],
    ['refundDuplicates', true],
  ])('%s can be %j, and the others stay', async (field, value) => {
    const merchantId = await testMerchant(context);
    const before = await findMerchant(context, merchantId);
    const outcome = await updateMerchant(context, { merchantId, changes: { [field]: value }, actor });
    expect(outcome).toMatchObject({ kind: 'updated', merchant: { ...before, updatedAt: expect.any(Date), [field]: value } });
  });

  test.each([
    ['name', '', 'must not be empty'],
    ['name', 'a'.repeat(201), 'must have at most 200 characters'],
    ['name', 'a\u0000b', 'must not hold control characters'],
    ['name', 'a\ud800b', 'must not hold control characters'],
    ['defaultRedirectUrl', 'http://shop.example/', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'https://user@shop.example/', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'https://user:word@shop.example/', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'javascript:alert(1)', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', '//shop.example', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'https://', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'https://shop.example/a\nb', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', 'https:\\\\shop.example', 'must be an https:// address without a user name'],
    ['defaultRedirectUrl', `https://shop.example/${'a'.repeat(2_000)}`, 'must have at most 2000 characters'],
    ['sessionMinutes', 4, 'must be at least 5'],
    ['sessionMinutes', 1_441, 'must be at most 1440'],
    ['sessionMinutes', 5.5, 'must be a whole number'],
  ])('%s cannot be %j', async (field, value, message) => {
    const merchantId = await testMerchant(context);
    const before = await findMerchant(context, merchantId);
    const outcome = await updateMerchant(context, { merchantId, changes: { [field]: value }, actor });
    expect(outcome).toEqual({ kind: 'invalid', problems: [{ field, message }] });
    expect(await findMerchant(context, merchantId)).toEqual(before);
  });
});

describe('looking merchants up', () => {
  test('any text that is no id finds none', async () => {
    for (const text of ['', 'M-100001', "' OR 1=1 --", context.newId()]) expect(await findMerchant(context, text)).toBeNull();
  });

  test('pages go on where the one before ended, and a search takes its words literally', async () => {
    const ids = [];
    for (const name of ['Zaria 100% Cotton', 'Zaria 1000 Cotton', 'zaria_wool']) ids.push(await testMerchant(context, name));
    const idsOf = async (search: string, afterId?: string) =>
      (await listMerchants(context, { search, limit: 2, ...(afterId && { afterId }) })).map(({ id }) => id);
    const page = await idsOf('ZARIA');
    expect([...page, ...(await idsOf('ZARIA', page[1]))]).toEqual(ids);
    expect(await idsOf('100%')).toEqual(ids.slice(0, 1));
    expect(await idsOf('a_w')).toEqual(ids.slice(2));
    expect(await idsOf('\\')).toEqual([]);
  });
});
