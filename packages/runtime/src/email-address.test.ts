import { expect, test } from 'vitest';
import { EMAIL_ADDRESS } from './email-address.ts';

const local = (length: number) => `${'a'.repeat(length)}@example.com`;
const label = (length: number) => `ada@${'a'.repeat(length)}.com`;

test.each([
  'ada@example.com',
  'a&b@example.com',
  'a=b@example.com',
  "!#$%&'*+/=?^_`{|}~-@example.com",
  'first.last+tag@sub.example.co.uk',
  "o'brien@example.ie",
  'ada@xn--bcher-kva.example',
  'ada@example.xn--p1ai',
  'ADA@EXAMPLE.COM',
  local(64),
  label(63),
])('%s is an address', (address) => expect(EMAIL_ADDRESS.test(address)).toBe(true));

test.each([
  '',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  '.ada@example.com',
  'ada.@example.com',
  'a..b@example.com',
  'a b@example.com',
  '"a b"@example.com',
  'a,b@example.com',
  'a<b@example.com',
  'ada@@example.com',
  'ada@-example.com',
  'ada@example-.com',
  'ada@example..com',
  'ada@example.c',
  'ada@127.0.0.1',
  'ada@example.com\n',
  'adé@example.com',
  'ada@exämple.com',
  local(65),
  label(64),
])('%s is none', (address) => expect(EMAIL_ADDRESS.test(address)).toBe(false));

test('a long text that is none is found to be so at once', () => {
  for (const text of ['a'.repeat(100_000), `${'a.'.repeat(50_000)}@`, `a@${'a-'.repeat(50_000)}`, `a@${'a.'.repeat(50_000)}`]) {
    expect(EMAIL_ADDRESS.test(text)).toBe(false);
  }
});
