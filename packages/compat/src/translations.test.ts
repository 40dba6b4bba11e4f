import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalToKobo, koboToNaira, nairaToKobo, readNaira } from './amounts.ts';
import { joinName, splitMetadata, splitName, withCustomerName } from './customer-name.ts';
import { readPayment } from './flutterwave/read.ts';
import { refuse as refuseAsFlutterwave } from './flutterwave/refuse.ts';
import { makeNumber, readNumber } from './numbers/make-number.ts';
import { readForm } from './paystack/form.ts';
import { readInitialize, readRefund } from './paystack/read.ts';
import { refuse as refuseAsPaystack } from './paystack/refuse.ts';
import type { Problem } from './problem.ts';

const AMOUNT_MAX = 1_000_000_000_000;
const naira = fc.integer({ min: 1, max: AMOUNT_MAX });

describe('an amount', () => {
  it('of naira is the same after kobo, as a number and as text', () => {
    fc.assert(
      fc.property(naira, (amount) => {
        const kobo = nairaToKobo(BigInt(amount));
        expect([koboToNaira(kobo), koboToNaira(String(kobo))]).toEqual([amount, amount]);
        expect([readNaira(amount), readNaira(String(amount)), readNaira(`${amount}.00`)]).toEqual([amount, amount, amount]);
      }),
    );
  });

  it('of kobo is never rounded: what 100 does not divide is refused', () => {
    fc.assert(
      fc.property(naira, fc.integer({ min: 1, max: 99 }), (amount, rest) => {
        expect(koboToNaira(amount * 100 + rest)).toBe('not_whole_naira');
        expect(readNaira(`${amount}.${String(rest).padStart(2, '0')}`)).toBe('not_whole_naira');
      }),
    );
  });

  it.each([0, -100, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '', 'x', '1e3', '-1', '0', true, {}, [], null, '9'.repeat(16)])(
    'cannot be %j',
    (value) => {
      expect(koboToNaira(value)).toBe('not_an_amount');
    },
  );

  it.each([0, -1, Number.NaN, 1e15, '', '1,000', '1e3', '0.00', '-5', true, {}, null])('of naira cannot be %j', (value) => {
    expect(readNaira(value)).toBe('not_an_amount');
  });

  it('of a fee keeps its kobo', () => {
    expect(['0', '15', '15.5', '37.25', '37.255', '37.254999'].map(decimalToKobo)).toEqual([0, 1500, 1550, 3725, 3726, 3725]);
  });
});

describe('a number', () => {
  it('is a safe integer that grows with time and reads back from text', () => {
    const time = fc.date({ min: new Date('2024-01-02T00:00:00Z'), max: new Date('2092-01-01T00:00:00Z'), noInvalidDate: true });
    fc.assert(
      fc.property(time, fc.integer({ min: 0, max: 2_047 }), fc.integer({ min: 1, max: 1_000_000 }), (at, random, later) => {
        const number = makeNumber(at, () => random);
        expect(Number.isSafeInteger(number)).toBe(true);
        expect([readNumber(number), readNumber(String(number))]).toEqual([number, number]);
        expect(makeNumber(new Date(at.getTime() + later), () => 0)).toBeGreaterThan(makeNumber(at, () => 0));
      }),
    );
  });

  it.each(['', 'x', '1.5', '-1', '1e3', 0, -1, 1.5, '9'.repeat(17), null, {}])('is not %j', (value) => {
    expect(readNumber(value)).toBeNull();
  });
});

const initialize = { email: 'ada@example.com', amount: 20_000 };
const problemOf = (fields: object) => {
  const result = readInitialize({ ...initialize, ...fields }, () => 'made');
  return result.kind === 'refused' ? result.problem : null;
};

describe('a transaction to initialize', () => {
  it('becomes an order of the contract', () => {
    const sent = {
      ...initialize,
      amount: '20000',
      reference: 'ref-1',
      callback_url: 'https://shop.example/',
      channels: '["bank_transfer"]',
      metadata: '{"cart_id":7,"custom_fields":[]}',
      bearer: 'account',
      invoice_limit: '0',
      phone: '0801',
    };
    expect(readInitialize(sent, () => 'made')).toEqual({
      kind: 'read',
      value: {
        merchantOrderId: 'ref-1',
        amount: 200,
        currency: 'NGN',
        customer: { email: 'ada@example.com', phone: '0801' },
        metadata: { cart_id: 7, custom_fields: [] },
        redirectUrl: 'https://shop.example/',
        paymentMethod: 'TRANSFER',
      },
    });
  });

  it('keeps the name of the customer in the metadata, and returns the metadata without it', () => {
    const name = fc.option(fc.stringMatching(/^[A-Z][a-z]+$/));
    fc.assert(
      fc.property(
        name,
        name,
        fc.option(fc.dictionary(fc.stringMatching(/^[a-z]+$/), fc.jsonValue()), { nil: undefined }),
        (first, last, sent) => {
          const metadata = sent === undefined ? undefined : JSON.parse(JSON.stringify(sent));
          const stored = withCustomerName(metadata, { first, last });
          const split = splitMetadata(stored === undefined ? null : JSON.parse(JSON.stringify(stored)));
          expect(split.customerName).toEqual({ first, last });
          expect(split.metadata ?? {}).toEqual(metadata ?? {});
          const joined = joinName({ first, last });
          if (first !== null) expect(splitName(joined)).toEqual({ first, last });
        },
      ),
    );
    expect(withCustomerName([{ name: 'a list' }], { first: 'Ada', last: null })).toEqual([{ name: 'a list' }]);
    expect([splitName('  Ada  Ngozi Obi '), splitName(7), splitName('')]).toEqual([
      { first: 'Ada Ngozi', last: 'Obi' },
      { first: null, last: null },
      { first: null, last: null },
    ]);
  });

  it('gets a reference when it has none, and leaves the method open for several channels', () => {
    const result = readInitialize({ ...initialize, channels: ['card', 'apple_pay'] }, () => 'made');
    expect(result).toEqual({
      kind: 'read',
      value: { merchantOrderId: 'made', amount: 200, currency: 'NGN', customer: { email: 'ada@example.com' } },
    });
  });

  it.each([
    [{ email: '' }, { kind: 'missing_field', field: 'email' }],
    [{ amount: null }, { kind: 'missing_field', field: 'amount' }],
    [{ amount: 20_050 }, { kind: 'invalid_field', field: 'amount' }],
    [{ plan: 'PLN_1' }, { kind: 'field_not_mapped', field: 'plan' }],
    [{ subaccount: 'ACCT_1' }, { kind: 'field_not_mapped', field: 'subaccount' }],
    [{ bearer: 'subaccount' }, { kind: 'field_not_mapped', field: 'bearer' }],
    [{ metadata: '{"custom_filters":{"recurring":true}}' }, { kind: 'field_not_mapped', field: 'metadata.custom_filters' }],
    [{ metadata: 'text' }, { kind: 'invalid_field', field: 'metadata' }],
    [{ metadata: [1] }, { kind: 'invalid_field', field: 'metadata' }],
    [{ channels: ['apple_pay'] }, { kind: 'invalid_field', field: 'channels' }],
    [{ channels: ['__proto__'] }, { kind: 'invalid_field', field: 'channels' }],
    [{ channels: [7] }, { kind: 'invalid_field', field: 'channels' }],
  ])('with %j is refused', (fields, problem) => {
    expect(problemOf(fields)).toMatchObject(problem);
  });

  it('of any form is read or refused, and never throws', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), fc.jsonValue(), (fields, channels, metadata) => {
        expect(['read', 'refused']).toContain(readInitialize({ ...initialize, ...fields, channels, metadata }, () => 'm').kind);
        expect(['read', 'refused']).toContain(readPayment({ ...fields, meta: metadata, payment_options: channels }).kind);
        expect(['read', 'refused']).toContain(readRefund({ ...fields, merchant_note: channels, amount: metadata }).kind);
      }),
    );
  });
});

describe('a form', () => {
  it('of PHP is read with its nesting', () => {
    expect(
      readForm('email=ada%40example.com&amount=20000&metadata[cart_id]=7&metadata[a][b]=c&channels[0]=card&channels[]=bank'),
    ).toEqual({
      email: 'ada@example.com',
      amount: '20000',
      metadata: { cart_id: '7', a: { b: 'c' } },
      channels: { 0: 'card', 1: 'bank' },
    });
  });

  it.each([
    '__proto__[x]=1',
    'a[__proto__][x]=1',
    'a[constructor]=1',
    'a=1&a[b]=2',
    'a[b=1',
    '[a]=1',
    'a[1][1][1][1][1][1][1]=x',
  ])('like %s is refused', (text) => {
    expect(readForm(text)).toBeNull();
  });

  it('leaves no trace on other objects', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readForm(text);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

describe('a payment for Flutterwave', () => {
  const payment = { tx_ref: 'tx-1', amount: 200, customer: { email: 'ada@example.com' } };

  it('becomes an order of the contract', () => {
    const sent = {
      ...payment,
      amount: '200.00',
      currency: 'NGN',
      payment_options: 'ussd',
      redirect_url: 'https://shop.example/',
      meta: { cart: 7 },
      customer: { email: 'ada@example.com', name: 'Ada', phone_number: '0801' },
    };
    expect(readPayment(sent)).toEqual({
      kind: 'read',
      value: {
        merchantOrderId: 'tx-1',
        amount: 200,
        currency: 'NGN',
        customer: { email: 'ada@example.com', phone: '0801' },
        metadata: { cart: 7, switchyard_customer: { first_name: 'Ada', last_name: null } },
        redirectUrl: 'https://shop.example/',
        paymentMethod: 'USSD',
      },
    });
  });

  it.each([
    [{ tx_ref: '' }, { kind: 'missing_field', field: 'tx_ref' }],
    [{ customer: {} }, { kind: 'missing_field', field: 'customer.email' }],
    [{ amount: 10.5 }, { kind: 'invalid_field', field: 'amount' }],
    [{ subaccounts: [{ id: 'RS_1' }] }, { kind: 'field_not_mapped', field: 'subaccounts' }],
    [{ payment_options: 'barter' }, { kind: 'invalid_field', field: 'payment_options' }],
  ])('with %j is refused', (fields, problem) => {
    expect(readPayment({ ...payment, ...fields })).toMatchObject({ kind: 'refused', problem });
  });
});

const PROBLEMS: readonly (readonly [Problem, paystack: number, flutterwave: number])[] = [
  [{ kind: 'invalid_key' }, 401, 401],
  [{ kind: 'address_not_allowed', address: null }, 403, 403],
  [{ kind: 'missing_scope', scope: 'payments:write' }, 403, 403],
  [{ kind: 'too_many_requests', retryAfterS: 0.2 }, 429, 429],
  [{ kind: 'path_not_mapped' }, 404, 404],
  [{ kind: 'method_not_allowed', allow: ['GET', 'POST'] }, 405, 405],
  [{ kind: 'body_too_large' }, 413, 413],
  [{ kind: 'body_unreadable' }, 400, 400],
  [{ kind: 'missing_field', field: 'email' }, 400, 400],
  [{ kind: 'invalid_field', field: 'email', rule: 'must be a valid e-mail address' }, 400, 400],
  [{ kind: 'invalid_field', field: 'amount', rule: 'must be whole naira' }, 400, 400],
  [{ kind: 'invalid_field', field: 'currency', rule: 'must be NGN' }, 400, 400],
  [{ kind: 'invalid_field', field: 'reference', rule: 'is too long' }, 400, 400],
  [{ kind: 'field_not_mapped', field: 'plan', why: 'it is none' }, 400, 400],
  [{ kind: 'duplicate_reference' }, 400, 400],
  [{ kind: 'transaction_not_found', by: 'verify' }, 400, 400],
  [{ kind: 'transaction_not_found', by: 'other' }, 404, 400],
  [{ kind: 'refund_not_found' }, 404, 404],
  [{ kind: 'no_gateway_opened' }, 400, 400],
  [{ kind: 'not_paid' }, 400, 400],
  [{ kind: 'refund_too_large', left: 0n }, 400, 400],
  [{ kind: 'refund_too_large', left: 5n }, 400, 400],
  [{ kind: 'list_too_long' }, 400, 400],
  [{ kind: 'unavailable' }, 503, 503],
  [{ kind: 'internal', requestId: 'r-1' }, 500, 500],
];

describe('a refusal', () => {
  it.each(PROBLEMS.map((row) => [row[0].kind, ...row] as const))(
    'for %s has the status and the form of the gateway',
    (_kind, problem, paystack, flutterwave) => {
      const ofPaystack = refuseAsPaystack(problem);
      expect(ofPaystack.status).toBe(paystack);
      expect(JSON.parse(ofPaystack.body)).toEqual({
        status: false,
        message: expect.any(String),
        meta: { nextStep: expect.any(String) },
        type: expect.stringMatching(/^(validation|api|processor)_error$/),
        code: expect.any(String),
      });
      const ofFlutterwave = refuseAsFlutterwave(problem);
      expect(ofFlutterwave.status).toBe(flutterwave);
      expect(JSON.parse(ofFlutterwave.body)).toEqual({ status: 'error', message: expect.any(String), data: null });
    },
  );
});
