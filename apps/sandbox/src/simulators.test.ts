import { describe, expect, it } from 'vitest';
import { splitTarget } from './sandbox.ts';
import { gatewayNames, simulators } from './simulators.ts';
import { at, call, quickSandbox, textAt } from './testing/harness.ts';

/** First segments of the control server's own paths. */
const RESERVED = ['control', 'shop', 'switch', 'act'];

describe.each(gatewayNames)('the simulator of %s', (name) => {
  const spec = simulators[name];

  it('is listed under its own name, which is no path of the control server', () => {
    expect(spec.name).toBe(name);
    expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
    expect(RESERVED).not.toContain(name);
  });

  it('has a demo account for any holder that it takes itself, found by its key', () => {
    expect(Object.keys(spec.accountFields)).toContain(spec.keyField);
    for (const holder of ['demo', 'second', 'c0ffee00c0ffee00c0ffee00c0ffee00c0ff']) {
      const credentials = spec.credentialsFor(holder);
      for (const [field, value] of Object.entries(credentials)) expect(value).toMatch(spec.accountFields[field]?.pattern ?? /^$/);
    }
    expect(spec.credentialsFor('demo')).not.toEqual(spec.credentialsFor('second'));
  });

  it('documents a card that succeeds at once, one with PIN and code, one with the bank, and one that is declined', () => {
    const kinds = spec.cards.map(({ steps, outcome }) => [...steps, outcome].join(' '));
    expect(kinds).toEqual(expect.arrayContaining(['success', 'pin otp success', 'bank success', 'failed']));
  });

  it('answers below its own name, refuses unknown keys in its envelope, and answers 404 elsewhere', async () => {
    const sandbox = await quickSandbox();
    try {
      const address = `${sandbox.controlUrl}/${name}`;
      expect(sandbox.gateways[name]).toBe(address);
      expect(sandbox.baseUrls[name]).toBe(address + spec.apiPath);
      const refused = await call('GET', `${sandbox.baseUrls[name]}/nowhere`, 'nobody');
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.text).toBe(spec.errors.unauthorised('unknown').body);
      expect((await call('GET', `${sandbox.controlUrl}/${name}x/nowhere`)).text).toContain('There is nothing at');
      const health = (await call('GET', `${sandbox.controlUrl}/control/health`)).body;
      expect(at(health, 'gateways', name)).toEqual({ url: address, listening: true, fault: null });
    } finally {
      await sandbox.close();
    }
  });

  it('shows its title, and an example with its address, and its accounts with masked keys', async () => {
    const sandbox = await quickSandbox();
    try {
      expect(spec.example(sandbox.gateways[name])).toContain(sandbox.gateways[name]);
      expect((await call('GET', sandbox.controlUrl)).text).toContain(spec.title);
      const keys = (await call('GET', `${sandbox.controlUrl}/control/${name}/keys`)).body;
      expect(textAt(keys, 'keys', 0, spec.keyField)).toContain('…');
    } finally {
      await sandbox.close();
    }
  });
});

describe('splitTarget', () => {
  it.each([
    ['/paystack/transaction?page=2', 'paystack', '/transaction?page=2'],
    ['/paystack', 'paystack', '/'],
    ['/paystack?x=1', 'paystack', '/?x=1'],
    ['/flutterwave//v3/transactions', 'flutterwave', '//v3/transactions'],
    ['/', '', '/'],
    ['*', '', '/'],
  ])('of %s', (target, name, rest) => {
    expect(splitTarget(target)).toEqual({ name, target: rest });
  });
});
