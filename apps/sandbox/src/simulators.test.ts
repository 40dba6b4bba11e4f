import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

  it('is compared with the documented examples in its own suite', () => {
    const suite = readFileSync(join(import.meta.dirname, name, `${name}.test.ts`), 'utf8');
    expect(suite, `apps/sandbox/src/${name}/${name}.test.ts has no such line`).toContain(`describeDocumentedFlows('${name}', {`);
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

const README = join(import.meta.dirname, '../README.md');
const [BEFORE, AFTER] = ['<!-- simulators -->\n\n', '\n\n<!-- /simulators -->'];

/** Registered fields of the demo account, with their names as variables have them. */
function demoOf(name: keyof typeof simulators): string {
  const { credentialsFor, keyField } = simulators[name];
  const { [keyField]: key, ...others } = credentialsFor('demo');
  return [`\`${key}\``, ...Object.entries(others).map(([field, value]) => `${field} \`${value}\``)].join(', ');
}

it('the document has every simulator with its addresses and keys; UPDATE_DOCS=1 rewrites it', () => {
  const rows = gatewayNames.map((name) => {
    const { title, apiPath, checkoutPath, unit } = simulators[name];
    const base = `http://127.0.0.1:4010/${name}${apiPath}`;
    return `| ${title} | \`${base}\` | \`/${name}${checkoutPath}/<token>\` | ${unit} | ${demoOf(name)} |`;
  });
  const head = ['| simulator | base address of an account | hosted page | unit | demo key |', '|---|---|---|---|---|'];
  const document = readFileSync(README, 'utf8');
  const [start, end] = [document.indexOf(BEFORE) + BEFORE.length, document.indexOf(AFTER)];
  const rewritten = document.slice(0, start) + [...head, ...rows].join('\n') + document.slice(end);
  if (process.env.UPDATE_DOCS === '1') writeFileSync(README, rewritten);
  else expect(document).toBe(rewritten);
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
