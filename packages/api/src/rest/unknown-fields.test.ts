import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ruleDraftRequest, rulesRequest, testEventRequest } from './developers.ts';
import { refundRequest } from './refunds.ts';
import { initiateRequest, verifyRequest } from './requests.ts';
import { findUnknownFields } from './unknown-fields.ts';

const order = {
  merchantOrderId: 'ORD-1',
  amount: 1,
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  redirectUrl: 'https://shop.example/',
};
const without = (name: keyof typeof order) => Object.fromEntries(Object.entries(order).filter(([key]) => key !== name));
const misspelt = (field: string, meant: string) => ({
  field,
  code: 'unknown_field',
  rule: `is not known; did you mean ${meant}?`,
});

describe('a field that no schema names', () => {
  it.each([
    ['merchantOrderID', 'merchantOrderId'],
    ['merchant_order_id', 'merchantOrderId'],
    ['merchantOrderid', 'merchantOrderId'],
    ['mercantOrderId', 'merchantOrderId'],
    ['Amount', 'amount'],
    ['amout', 'amount'],
    ['redirect_url', 'redirectUrl'],
    ['redirectURI', 'redirectUrl'],
  ] as const)('%s is taken for a misspelt %s', (given, meant) => {
    const found = findUnknownFields({ ...without(meant), [given]: 1 }, initiateRequest.test);
    expect(found).toEqual({ refused: [], misspelt: [misspelt(given, meant)], paths: [given] });
  });

  it('is found in objects that the schema describes', () => {
    expect(findUnknownFields({ ...order, customer: { emial: 'ada@example.com' } }, initiateRequest.live)).toEqual({
      refused: [],
      misspelt: [misspelt('customer.emial', 'customer.email')],
      paths: ['customer.emial'],
    });
  });

  it.each(['callback', 'customerName', 'orderId', 'metadata2', 'amount2', 'merchantOrderID'])(
    '%s is no misspelling of anything beside a whole order',
    (given) => {
      const all = { ...order, metadata: {}, paymentMethod: 'CARD', customerCountry: 'NG', requestedGateway: 'paystack' };
      expect(findUnknownFields({ ...all, [given]: 1 }, initiateRequest.test)).toEqual({
        refused: [],
        misspelt: [],
        paths: [given],
      });
    },
  );

  it.each([refundRequest, testEventRequest, rulesRequest, ruleDraftRequest])(
    'is refused in a body that is ours to define, be it near a field of ours or not',
    (schema) => {
      const [name = ''] = Object.keys(schema.shape);
      expect(findUnknownFields({ [`${name}x`]: 5, anything: 6 }, schema)).toEqual({
        refused: [misspelt(`${name}x`, name), { field: 'anything', code: 'unknown_field', rule: 'is not known' }],
        misspelt: [],
        paths: [],
      });
    },
  );

  it('is never one of ours, and what metadata holds is the merchant’s', () => {
    expect(findUnknownFields({ ...order, metadata: { amout: 1, customer: { emial: 2 } } }, initiateRequest.test).paths).toEqual(
      [],
    );
  });

  it('is found whatever the body is, up to twenty of them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (body) => {
        const { paths, misspelt } = findUnknownFields(body, initiateRequest.test);
        expect(paths.length).toBeLessThanOrEqual(20);
        expect(misspelt.length).toBeLessThanOrEqual(paths.length);
      }),
    );
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`extra${at}`, at]));
    expect(findUnknownFields(many, z.object({})).paths).toHaveLength(20);
  });

  it('may have the name of what every object inherits', () => {
    expect(findUnknownFields(JSON.parse('{"__proto__": 1, "constructor": 2}'), verifyRequest).paths).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});
