import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, isCardNumber, redactedMark } from './redact.ts';

const secret = 'sk_test_9f2c/Ab+c=d&e"f\\g';
const secretText = fc.stringMatching(/^[\x21-\x7e]{8,60}$/).filter((text) => !redactedMark.includes(text));
const around = fc.string({ maxLength: 40 });

function withCheckDigit(digits: string): string {
  for (const last of '0123456789') if (isCardNumber(digits + last)) return digits + last;
  throw new Error('every number has a check digit');
}

const cardNumber = fc.stringMatching(/^[2-6]\d{11,17}$/).map(withCheckDigit);

describe('an account’s secrets never survive', () => {
  it('as they are, anywhere in text', () => {
    fc.assert(
      fc.property(secretText, around, around, (value, before, after) => {
        expect(createRedactor([value]).text(before + value + after)).not.toContain(value);
      }),
    );
  });

  it('percent-encoded, hex or JSON-escaped', () => {
    fc.assert(
      fc.property(secretText, (value) => {
        const redactor = createRedactor([value]);
        const forms = [encodeURIComponent(value), Buffer.from(value).toString('hex'), JSON.stringify(value).slice(1, -1)];
        for (const form of forms) expect(redactor.text(`x ${form} y`)).not.toContain(form);
      }),
    );
  });

  it('in base64, with any text before and after them', () => {
    fc.assert(
      fc.property(secretText, fc.uint8Array({ maxLength: 5 }), fc.uint8Array({ maxLength: 5 }), (value, before, after) => {
        const whole = Buffer.concat([before, Buffer.from(value), after]);
        for (const encoding of ['base64', 'base64url'] as const) {
          const text = createRedactor([value]).text(whole.toString(encoding));
          expect(text).toContain(redactedMark);
          const left = text.split(redactedMark).map((part) => Buffer.from(part, encoding).toString());
          expect(left.join('').length).toBeLessThan(whole.length);
        }
      }),
    );
  });

  it('as keys or values anywhere in JSON', () => {
    const redacted = createRedactor([secret]).json({ [secret]: 1, list: [{ deep: `Bearer ${secret}` }] });
    expect(JSON.stringify(redacted)).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  it('while values too short to be secret leave text alone', () => {
    expect(createRedactor(['', 'a', 'abc']).text('a cab of abc')).toBe('a cab of abc');
  });
});

describe('card data never survives', () => {
  it('as digits together or in groups', () => {
    const redactor = createRedactor([]);
    fc.assert(
      fc.property(cardNumber, (digits) => {
        expect(redactor.text(`card ${digits}, thanks`)).not.toContain(digits);
        expect(JSON.stringify(redactor.json({ note: digits, list: [Number(digits)] }))).not.toContain(digits);
      }),
    );
    for (const text of ['4084 0840 8408 4081', '4084-0840-8408-4081', '3782 822463 10005']) {
      expect(redactor.text(`paid by ${text}.`)).toBe(`paid by ${redactedMark}.`);
    }
  });

  it('percent-encoded, or in JSON within text', () => {
    const redactor = createRedactor([]);
    fc.assert(
      fc.property(cardNumber, fc.constantFrom(' ', '/', '"', '\n', 'é', ', '), (digits, before) => {
        const grouped = `${digits.slice(0, 4)} ${digits.slice(4, 8)} ${digits.slice(8, 12)} ${digits.slice(12)}`;
        const encoded = encodeURIComponent(`card${before}${digits}${before}${grouped}`);
        for (const text of [encoded, encoded.replaceAll('%20', '+'), JSON.stringify(`card${before}${digits}`)]) {
          expect(redactor.text(text)).not.toContain(digits);
          expect(redactor.text(text)).not.toContain(digits.slice(4, 12));
          expect(redactor.text(text)).not.toMatch(/\d{4}(?:%20|\+)\d/);
        }
      }),
    );
    expect(redactor.text('card\\u00204084084084084081')).toBe(`card\\u0020${redactedMark}`);
  });

  it('under the names that carry it', () => {
    const body = {
      cvv: '408',
      card_number: '4',
      PIN: 1111,
      otp: '123456',
      authorization_code: 'AUTH_x',
      card: { token: 'flw-t1nf' },
    };
    expect(createRedactor([]).json(body)).toEqual({
      cvv: redactedMark,
      card_number: redactedMark,
      PIN: redactedMark,
      otp: redactedMark,
      authorization_code: redactedMark,
      card: { token: redactedMark },
    });
  });

  it('in text that is not JSON', () => {
    const text = createRedactor([]).text('{"cvv":"408", pin=1111&otp=123456 authorization: Bearer abcdef.ghi token: "tok_1"');
    for (const leaked of ['408', '1111', '123456', 'abcdef', 'tok_1']) expect(text).not.toContain(leaked);
  });
});

describe('what is not secret stays', () => {
  it('ids, dates and amounts', () => {
    const body = {
      id: 4099260516,
      reference: '0198c0de-4111-7111-8111-111111111111',
      access_code: 'x1y2z3',
      authorization_url: 'https://checkout.paystack.com/x1y2z3',
      paid_at: '2026-05-24T10:23:11.000Z',
      amount: 500000,
      at: 1779618191000,
      authorization: { bin: '408408', last4: '4081' },
    };
    expect(createRedactor([secret]).json(body)).toEqual(body);
  });

  it('the time in a reference of Monnify’s, and no card in its place', () => {
    const { text } = createRedactor([]);
    const time = '20261127112641';
    expect(isCardNumber(time)).toBe(true);
    const reference = `MNFY|17|${time}|000340`;
    for (const kept of [reference, encodeURIComponent(reference), `"${reference}"`]) expect(text(kept)).toBe(kept);
    for (const card of ['4084084084084081', '30569309025904']) {
      expect(text(`MNFY|17|${card}|000340`)).not.toContain(card);
    }
    expect(text(time)).toBe(redactedMark);
  });

  it('UUIDs, all of them', () => {
    const redactor = createRedactor([]);
    fc.assert(fc.property(fc.uuid(), (id) => redactor.text(`payment ${id} of sw-${id}`) === `payment ${id} of sw-${id}`));
  });
});

describe('what is stored can be stored', () => {
  it('without NUL, unpaired surrogates or a prototype', () => {
    const redacted = createRedactor([]).json(JSON.parse('{"a":"x\\u0000y\\ud800z","__proto__":{"evil":true}}'));
    expect(redacted).toEqual({ a: 'x\ufffdy\ufffdz' });
    expect(Object.getPrototypeOf(redacted)).toBe(Object.prototype);
  });

  it('and redacting twice changes nothing more', () => {
    const redactor = createRedactor([secret]);
    fc.assert(fc.property(fc.string(), (text) => redactor.text(redactor.text(text)) === redactor.text(text)));
  });
});

describe('Luhn', () => {
  it.each(['4084084084084081', '5531886652142950', '5061460166976054667', '4187427415564246'])('recognises %s', (digits) => {
    expect(isCardNumber(digits)).toBe(true);
  });

  it('rejects a card number with any one digit changed', () => {
    fc.assert(
      fc.property(cardNumber, fc.nat(), fc.integer({ min: 1, max: 9 }), (digits, at, by) => {
        const index = at % digits.length;
        const changed = String((Number(digits.charAt(index)) + by) % 10);
        expect(isCardNumber(digits.slice(0, index) + changed + digits.slice(index + 1))).toBe(false);
      }),
    );
  });
});
