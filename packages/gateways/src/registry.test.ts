import { describe, expect, it } from 'vitest';
import { gatewayNames } from './names.ts';
import { findGateway, gateways, parseCredentials } from './registry.ts';

describe('the list of gateways', () => {
  it('finds each by its name and nothing by any other', () => {
    for (const gateway of gateways) expect(findGateway(gateway.name)).toBe(gateway);
    for (const name of ['', 'Paystack', 'paystack ', 'constructor', '__proto__']) expect(findGateway(name)).toBeNull();
  });

  it('has each under its own name, once', () => {
    expect(gateways.map(({ name }) => name)).toEqual([...gatewayNames]);
    expect(new Set(gatewayNames).size).toBe(gateways.length);
  });
});

describe('credentials typed into the form', () => {
  const paystack = findGateway('paystack');

  it('are returned parsed, without unknown fields', () => {
    if (paystack === null) throw new Error('there is a Paystack');
    expect(parseCredentials(paystack, { secretKey: 'sk_test_0123456789', extra: 1 })).toEqual({
      ok: true,
      credentials: { secretKey: 'sk_test_0123456789' },
    });
  });

  it('are refused by field and rule, without repeating them', () => {
    if (paystack === null) throw new Error('there is a Paystack');
    const refused = parseCredentials(paystack, { secretKey: 'hunter2 hunter2' });
    expect(refused).toMatchObject({ ok: false, problems: [{ field: 'secretKey', message: expect.any(String) }] });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    expect(parseCredentials(paystack, 7)).toMatchObject({ ok: false });
  });
});
