import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import type { Gateway } from './gateway.ts';
import {
  countOperationsUnderWay,
  findGateway,
  type GatewayOperation,
  gatewayNames,
  gateways,
  gatewayTitle,
  observable,
  observeGatewayOperations,
  parseCredentials,
} from './registry.ts';

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

it.each(gatewayNames)('%s passes the contract in its own suite', (name) => {
  // `apps/web/src/copy/gateways.ts` makes the title of the name.
  expect(gatewayTitle(name), 'the dashboard writes another title').toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const suite = readFileSync(join(import.meta.dirname, name, `${name}.test.ts`), 'utf8');
  expect(suite, `packages/gateways/src/${name}/${name}.test.ts has no such line`).toContain(`describeGatewayContract(${name}, `);
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

const account = { accountId: 'a', mode: 'test', credentials: {}, baseUrl: null } as const;
const query = { gatewayRefundId: '1' };

function fakeGateway(): Gateway {
  const paystack = findGateway('paystack');
  if (paystack === null) throw new Error('there is no Paystack');
  const call = {
    method: 'GET',
    url: '',
    httpStatus: null,
    latencyMs: 0,
    request: null,
    answer: null,
    retryAfterMs: null,
  } as const;
  const failure = { class: 'provider_fault', code: 'timeout', message: 'The gateway did not answer in time.' } as const;
  return observable({ ...paystack, name: 'fake', findRefund: async () => ({ outcome: 'unknown', failure, call }) });
}

test('an operation is published with its outcome while it is observed', async () => {
  const gateway = fakeGateway();
  const seen: GatewayOperation[] = [];
  const stop = observeGatewayOperations((operation) => {
    if (operation.gateway === 'fake') seen.push(operation);
  });
  await gateway.findRefund(account, query, { timeoutMs: 10 });
  stop();
  await gateway.findRefund(account, query, { timeoutMs: 10 });
  expect(seen).toMatchObject([{ gateway: 'fake', operation: 'find_refund', outcome: 'unknown', reason: 'timeout' }]);
  expect(seen[0]?.seconds).toBeGreaterThanOrEqual(0);
});

test('operations under way are counted until they end, also by an error', async () => {
  const paystack = findGateway('paystack');
  if (paystack === null) throw new Error('there is no Paystack');
  let fail = (_error: Error): void => undefined;
  const waiting = new Promise<never>((_, reject) => {
    fail = reject;
  });
  const gateway = observable({ ...paystack, findRefund: () => waiting });
  const before = countOperationsUnderWay();
  const both = [1, 2].map(() => gateway.findRefund(account, query, { timeoutMs: 10 }));
  expect(countOperationsUnderWay()).toBe(before + 2);
  fail(new Error('a fault of ours'));
  await Promise.allSettled(both);
  expect(countOperationsUnderWay()).toBe(before);
});
