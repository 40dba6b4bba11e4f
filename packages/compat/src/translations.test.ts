import { ExactNumber, parseExactJson } from '@switchyard/db/exact-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalToKobo, koboToNaira, nairaToKobo, readNaira } from './amounts.ts';
import { joinName, splitMetadata, splitName, withCustomerName } from './customer-name.ts';
import { readRefund as readFlutterwaveRefund, readPayment, refuse as refuseAsFlutterwave } from './flutterwave/flutterwave.ts';
import { makeNumber, readNumber } from './numbers/numbers.ts';
import type { Fields } from './order.ts';
import { readForm } from './paystack/paystack.ts';
import { readInitialize, readRefund } from './paystack/read.ts';
import { refuse as refuseAsPaystack } from './paystack/refuse.ts';
import type { Problem, Read } from './problem.ts';

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

  it('is judged as it is written', () => {
    const read = (text: string) => [koboToNaira(parseExactJson(text)), readNaira(parseExactJson(text))];
    expect(read('1000.0000000000000001')).toEqual(['not_an_amount', 'not_whole_naira']);
    expect(read('99999999999999999999')).toEqual(['not_an_amount', 'not_an_amount']);
    expect(read('1000.00000000000000000')).toEqual([10, 1_000]);
    expect(read('1e3')).toEqual([10, 1_000]);
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
    [{ plan: 0 }, { kind: 'field_not_mapped', field: 'plan' }],
    [{ split: { type: 'flat', subaccounts: [] } }, { kind: 'field_not_mapped', field: 'split' }],
    [{ metadata: 'text' }, { kind: 'invalid_field', field: 'metadata' }],
    [{ metadata: '"text"' }, { kind: 'invalid_field', field: 'metadata' }],
    [{ metadata: [1] }, { kind: 'invalid_field', field: 'metadata' }],
    [{ metadata: true }, { kind: 'invalid_field', field: 'metadata' }],
    [
      { metadata: { cart: [{ id: new ExactNumber('9007199254740993') }] } },
      { kind: 'invalid_field', field: 'metadata.cart.0.id' },
    ],
    [{ metadata: '{"weight":0.1000000000000000055}' }, { kind: 'invalid_field', field: 'metadata.weight' }],
    [{ reference: false }, { kind: 'invalid_field', field: 'reference' }],
    [{ reference: {} }, { kind: 'invalid_field', field: 'reference' }],
    [{ reference: ['ref-1'] }, { kind: 'invalid_field', field: 'reference' }],
    [{ reference: 1.5 }, { kind: 'invalid_field', field: 'reference' }],
    [{ reference: -7 }, { kind: 'invalid_field', field: 'reference' }],
    [{ reference: new ExactNumber('1e400') }, { kind: 'invalid_field', field: 'reference' }],
    [{ phone: { number: '0801' } }, { kind: 'invalid_field', field: 'phone' }],
    [{ phone: true }, { kind: 'invalid_field', field: 'phone' }],
    [{ channels: ['apple_pay'] }, { kind: 'invalid_field', field: 'channels' }],
    [{ channels: ['__proto__'] }, { kind: 'invalid_field', field: 'channels' }],
    [{ channels: [7] }, { kind: 'invalid_field', field: 'channels' }],
  ])('with %j is refused', (fields, problem) => {
    expect(problemOf(fields)).toMatchObject(problem);
  });

  it.each([
    [{ split: {}, split_code: '', subaccount: null }],
    [{ split: { type: '', subaccounts: [] } }],
    [{ metadata: { custom_filters: {} } }],
    [{ metadata: { custom_filters: { recurring: false, banks: [], card_brands: [] } } }],
    [{ metadata: [] }],
    [{ metadata: '[]' }],
    [{ metadata: 'null' }],
    [{ transaction_charge: 0, bearer: 'account', plan: false }],
  ])('asks for nothing more with %j', (fields) => {
    expect(problemOf(fields)).toBeNull();
  });

  it('has its reference in the digits that were sent, however many', () => {
    const referenceOf = (text: string) => {
      const sent = fieldsOf(`{"email":"ada@example.com","amount":20000,"reference":${text}}`);
      const result = readInitialize(sent, () => 'made');
      return result.kind === 'read' ? result.value.merchantOrderId : result.problem;
    };
    for (const digits of ['7', '20261128155846121', '20261128155846119', '12345678901234567890123']) {
      expect([referenceOf(digits), referenceOf(`"${digits}"`)]).toEqual([digits, digits]);
    }
    expect([referenceOf('""'), referenceOf('null')]).toEqual(['made', 'made']);
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
    const text =
      'email=ada%40example.com&amount=20000&metadata[cart_id]=7&metadata[a][b]=c&channels[0]=card&channels[]=bank&channels[]=ussd';
    expect(readForm(text)).toEqual({
      kind: 'read',
      value: {
        email: 'ada@example.com',
        amount: '20000',
        metadata: { cart_id: '7', a: { b: 'c' } },
        channels: { 0: 'card', 1: 'bank', 2: 'ussd' },
      },
    });
  });

  it('has lists within its fields', () => {
    const text = 'metadata[custom_fields][0][value]=7&metadata[custom_fields][1][value]=8&metadata[sizes][]=S&metadata[at][1]=x';
    expect(readForm(text)).toMatchObject({
      value: { metadata: { custom_fields: [{ value: '7' }, { value: '8' }], sizes: ['S'], at: { 1: 'x' } } },
    });
  });

  it('may have fields with the names of what every object inherits', () => {
    const text = 'metadata[constructor]=Balogun&metadata[__proto__]=1&metadata[prototype][x]=2&__proto__[x]=3&hasOwnProperty=4';
    const sent = readForm(text);
    expect(JSON.stringify(sent.kind === 'read' && sent.value)).toBe(
      '{"metadata":{"constructor":"Balogun","__proto__":"1","prototype":{"x":"2"}},"__proto__":{"x":"3"},"hasOwnProperty":"4"}',
    );
  });

  it.each([
    ['a=1&a[b]=2', 'a[b]'],
    ['a[b]=1&a=2', 'a'],
    ['amount=100&amount=250000', 'amount'],
    ['m[x]=1&m[x]=2', 'm[x]'],
    ['a[b=1', 'a[b'],
    ['[a]=1', '[a]'],
    [`a${'[1]'.repeat(20)}=x`, `a${'[1]'.repeat(20)}`],
    ['a=1&'.repeat(501), 'body'],
  ])('like %s is refused by the name of the field', (text, field) => {
    expect(readForm(text)).toMatchObject({ kind: 'refused', problem: { kind: 'invalid_field', field } });
  });

  it('leaves no trace on other objects', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        readForm(text);
        readForm(`${text}[__proto__][${text}]=1`);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });
});

function fieldsOf(text: string): Fields {
  const parsed = parseExactJson(text);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('no object');
  return { ...parsed };
}

const resultOf = (result: Read<{ readonly amount: number | 'full' }>) =>
  result.kind === 'read' ? result.value.amount : result.problem;

describe('a refund of a dialect', () => {
  const ofPaystack = (text: string) => resultOf(readRefund(fieldsOf(`{"transaction":"ref-1",${text}`)));
  const ofFlutterwave = (text: string) => resultOf(readFlutterwaveRefund(fieldsOf(`{${text}`), '41'));

  it('is of an amount, or of all that is left when the field is left out, as at the gateways', () => {
    expect([ofPaystack('"amount":20000}'), ofPaystack('"amount":"20000"}')]).toEqual([200, 200]);
    expect([ofFlutterwave('"amount":200}'), ofFlutterwave('"amount":"200.00"}')]).toEqual([200, 200]);
    expect([ofPaystack('"merchant_note":"torn"}'), ofFlutterwave('}')]).toEqual(['full', 'full']);
    expect(ofFlutterwave('"id":"41","method":"POST","comments":"torn"}')).toBe('full');
  });

  it.each(['""', 'null', '" "', 'false', '[]', '{}', '0', '-1', '"none"', '1000.0000000000000001', '9007199254740993'])(
    'of the amount %s is refused',
    (amount) => {
      for (const refund of [ofPaystack, ofFlutterwave]) {
        expect(refund(`"amount":${amount}}`)).toMatchObject({ kind: 'invalid_field', field: 'amount' });
      }
    },
  );

  it.each(['ammount', 'Amount', 'refund_amount', 'params', '__proto__'])('with %s instead of an amount is refused', (field) => {
    for (const refund of [ofPaystack, ofFlutterwave]) {
      expect(refund(`"${field}":20000}`)).toMatchObject({ kind: 'field_not_mapped', field });
      expect(refund(`"${field}":20000,"amount":20000}`)).toEqual(expect.any(Number));
    }
  });

  it.each([
    ['null', { kind: 'missing_field', field: 'transaction' }],
    ['""', { kind: 'missing_field', field: 'transaction' }],
    ['false', { kind: 'invalid_field', field: 'transaction' }],
    ['{}', { kind: 'invalid_field', field: 'transaction' }],
    ['1.5', { kind: 'invalid_field', field: 'transaction' }],
  ])('of the transaction %s is refused', (transaction, problem) => {
    const result = readRefund(fieldsOf(`{"transaction":${transaction},"amount":20000}`));
    expect(result).toMatchObject({ kind: 'refused', problem });
  });

  it('names its transaction in the digits that were sent', () => {
    const of = (text: string) => {
      const result = readRefund(fieldsOf(`{"transaction":${text}}`));
      return result.kind === 'read' ? result.value.transaction : null;
    };
    expect(of('20261128155846121')).toEqual({ reference: '20261128155846121', number: null, isNumber: true });
    expect(of('41')).toEqual({ reference: '41', number: 41, isNumber: true });
    expect(of('"41"')).toEqual({ reference: '41', number: 41, isNumber: false });
  });

  it('in Flutterwave’s form has no other transaction than that of its address', () => {
    expect(ofFlutterwave('"id":42,"amount":200}')).toMatchObject({ kind: 'invalid_field', field: 'id' });
    expect(ofFlutterwave('"id":{},"amount":200}')).toMatchObject({ kind: 'invalid_field', field: 'id' });
    expect(ofFlutterwave('"id":41,"amount":200}')).toBe(200);
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
    [{ payment_options: ['card'] }, { kind: 'invalid_field', field: 'payment_options' }],
    [{ tx_ref: false }, { kind: 'invalid_field', field: 'tx_ref' }],
    [{ tx_ref: { id: 7 } }, { kind: 'invalid_field', field: 'tx_ref' }],
    [{ tx_ref: 1.5 }, { kind: 'invalid_field', field: 'tx_ref' }],
    [{ amount: new ExactNumber('1000.0000000000000001') }, { kind: 'invalid_field', field: 'amount' }],
    [{ customer: { email: 'ada@example.com', phonenumber: {} } }, { kind: 'invalid_field', field: 'customer.phonenumber' }],
    [{ meta: 'text' }, { kind: 'invalid_field', field: 'meta' }],
    [{ meta: [{ id: new ExactNumber('9007199254740993') }] }, { kind: 'invalid_field', field: 'meta.0.id' }],
    [{ payment_plan: 12 }, { kind: 'field_not_mapped', field: 'payment_plan' }],
  ])('with %j is refused', (fields, problem) => {
    expect(readPayment({ ...payment, ...fields })).toMatchObject({ kind: 'refused', problem });
  });
});

describe('a payment of Flutterwave’s form', () => {
  const payment = { tx_ref: 'tx-1', amount: 200, customer: { email: 'ada@example.com' } };
  const orderOf = (fields: object) => {
    const result = readPayment({ ...payment, ...fields });
    if (result.kind === 'refused') throw new Error(JSON.stringify(result.problem));
    return result.value;
  };

  it.each([
    ['all', undefined],
    ['All', undefined],
    ['card, ussd', undefined],
    ['card,', 'CARD'],
    ['card, card', 'CARD'],
    ['qr', 'QR'],
    ['', undefined],
  ])('with the options %j is to be paid by %j', (options, method) => {
    expect(orderOf({ payment_options: options }).paymentMethod).toBe(method);
  });

  it('keeps meta that is a list, and returns it as it was sent', () => {
    const list = [{ metaname: 'flight', metavalue: '93849-MK5000' }];
    for (const customer of [payment.customer, { ...payment.customer, name: 'Ada Obi' }]) {
      const { metadata } = orderOf({ meta: list, customer });
      expect(splitMetadata(JSON.parse(JSON.stringify(metadata))).metadata).toEqual(list);
    }
    expect([orderOf({ meta: [] }).metadata, orderOf({ meta: null }).metadata]).toEqual([undefined, undefined]);
    expect(splitMetadata({ switchyard_list: 'text' }).metadata).toEqual({ switchyard_list: 'text' });
  });

  it.each([[{ subaccounts: [] }], [{ payment_plan: '' }], [{ payment_plan: 0 }], [{ payload_hash: null }]])(
    'asks for nothing more with %j',
    (fields) => {
      expect(orderOf(fields).merchantOrderId).toBe('tx-1');
    },
  );
});

const PROBLEMS: readonly (readonly [Problem, paystack: number, flutterwave: number])[] = [
  [{ kind: 'invalid_key' }, 401, 401],
  [{ kind: 'address_not_allowed', address: null }, 403, 403],
  [{ kind: 'missing_scope', scope: 'payments:write' }, 403, 403],
  [{ kind: 'too_many_requests', retryAfterS: 0.2 }, 429, 429],
  [{ kind: 'path_not_mapped' }, 404, 404],
  [{ kind: 'method_not_allowed', allow: ['GET', 'POST'] }, 405, 405],
  [{ kind: 'body_too_large' }, 413, 413],
  [{ kind: 'body_encoded' }, 415, 415],
  [{ kind: 'body_unreadable' }, 400, 400],
  [{ kind: 'missing_field', field: 'email' }, 400, 400],
  [{ kind: 'invalid_field', field: 'email', rule: 'must be a valid e-mail address' }, 400, 400],
  [{ kind: 'invalid_field', field: 'amount', rule: 'must be whole naira' }, 400, 400],
  [{ kind: 'invalid_field', field: 'currency', rule: 'must be NGN' }, 400, 400],
  [{ kind: 'invalid_field', field: 'reference', rule: 'is too long' }, 400, 400],
  [{ kind: 'field_not_mapped', field: 'plan', why: 'it is none' }, 400, 400],
  [{ kind: 'duplicate_reference' }, 400, 400],
  [{ kind: 'in_flight', field: 'Idempotency-Key' }, 409, 409],
  [{ kind: 'key_reused' }, 422, 422],
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
