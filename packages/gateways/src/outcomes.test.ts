import { describe, expect, it } from 'vitest';
import { isSafeCheckoutUrl } from './outcomes.ts';

const hosts = { live: ['checkout.gateway.example', '.pay.example'], test: ['.dev.example'] };
const live = { mode: 'live', baseUrl: null } as const;
const test = { mode: 'test', baseUrl: null } as const;
const sandbox = { mode: 'test', baseUrl: 'http://127.0.0.1:4010/paystack' } as const;

describe('a customer is only ever sent to the gateway', () => {
  it.each(['https://checkout.gateway.example/abc', 'https://eu.pay.example/x?y=1#z', 'https://CHECKOUT.gateway.example/abc'])(
    'allows %s',
    (url) => {
      expect(isSafeCheckoutUrl(url, live, hosts)).toBe(true);
    },
  );

  it.each([
    'http://checkout.gateway.example/abc',
    'https://checkout.gateway.example:8443/abc',
    'https://checkout.gateway.example.evil.example/abc',
    'https://evilcheckout.gateway.example/abc',
    'https://pay.example/x',
    'https://evilpay.example/x',
    'https://x.dev.example/abc',
    'https://user@checkout.gateway.example/abc',
    'https://checkout.gateway.example@evil.example/abc',
    'https://checkout.gateway.example\\@evil.example/abc',
    'https:\\\\checkout.gateway.example/abc',
    ' https://checkout.gateway.example/abc',
    'https://checkout.gateway.example/a\nb',
    'https://checkout.gateway.example/\u202eabc',
    'javascript:alert(1)//checkout.gateway.example',
    'data:text/html,hi',
    '//checkout.gateway.example/abc',
    '/abc',
    '',
    'http://169.254.169.254/latest',
    `https://checkout.gateway.example/${'a'.repeat(3000)}`,
  ])('refuses %j for a live account', (url) => {
    expect(isSafeCheckoutUrl(url, live, hosts)).toBe(false);
  });

  it('allows a test account the gateway’s development hosts', () => {
    expect(isSafeCheckoutUrl('https://x.dev.example/abc', test, hosts)).toBe(true);
    expect(isSafeCheckoutUrl('http://x.dev.example/abc', test, hosts)).toBe(false);
  });

  it('allows a test account that points elsewhere that host alone, on any port, over http', () => {
    expect(isSafeCheckoutUrl('http://127.0.0.1:4999/pay/1', sandbox, hosts)).toBe(true);
    expect(isSafeCheckoutUrl('http://127.0.0.2:4010/pay/1', sandbox, hosts)).toBe(false);
    expect(isSafeCheckoutUrl('http://u:p@127.0.0.1:4010/pay/1', sandbox, hosts)).toBe(false);
    expect(isSafeCheckoutUrl('javascript://127.0.0.1/%0aalert(1)', sandbox, hosts)).toBe(false);
  });

  it('accepts no other base address for a live account', () => {
    expect(isSafeCheckoutUrl('http://127.0.0.1:4999/pay/1', { ...sandbox, mode: 'live' }, hosts)).toBe(false);
  });
});
