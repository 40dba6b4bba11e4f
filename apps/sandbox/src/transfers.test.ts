import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from './sandbox.ts';
import { type GatewayName, gatewayNames, simulators } from './simulators.ts';
import { at, call, journal, listAt, openPaystack, quickSandbox, settle } from './testing/harness.ts';

/* Customers' transfers that are not as the checkout asked: docs/gateways.md has what each gateway publishes. */

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await quickSandbox();
});
afterAll(() => sandbox.close());

const returns = (gateway: GatewayName) => simulators[gateway].returnsTransfers !== undefined;
const RETURNING = gatewayNames.filter(returns);
const RECEIVING = gatewayNames.filter((gateway) => !returns(gateway));

function openSquad(transaction_ref: string, amount: number) {
  const order = { email: 'ada@example.com', amount, currency: 'NGN', initiate_type: 'inline', transaction_ref };
  return call('POST', `${sandbox.baseUrls.squad}/transaction/initiate`, 'sandbox_sk_squad_demo', order);
}

/** Opens a checkout of NGN 1,000; the function sends a transfer to it, and returns why it goes back, or null. */
async function checkoutAt(gateway: GatewayName, reference: string) {
  const { unitsPerMain } = simulators[gateway];
  const control = `${sandbox.controlUrl}/control/${gateway}`;
  const amount = 1_000 * unitsPerMain;
  if (gateway === 'paystack') await openPaystack(sandbox, { reference, amount });
  else if (gateway === 'squad') await openSquad(reference, amount);
  else await call('POST', `${control}/transactions`, null, { reference, amount, status: 'abandoned' });
  return async (naira: number) => {
    const body = { amount: naira * unitsPerMain };
    const { status, body: answer } = await call('POST', `${control}/transactions/${reference}/transfer`, null, body);
    expect(status).toBe(200);
    return at(answer, 'returned');
  };
}

async function eventsOf(gateway: GatewayName, reference: string) {
  return listAt(await journal(sandbox, gateway), 'webhooks')
    .filter((hook) => at(hook, 'reference') === reference)
    .map((hook) => at(hook, 'event'));
}

describe.each(RETURNING)('%s', (gateway) => {
  it('sends a transfer of another amount back, takes the right one, and sends a second one back', async () => {
    const reference = `transfers-${gateway}`;
    const send = await checkoutAt(gateway, reference);
    expect(await send(900)).toContain('NGN 900 goes back to your bank: send exactly the amount of the order.');
    expect(await send(1_000)).toBeNull();
    expect(await send(1_000)).toContain('NGN 1,000 goes back to your bank: this payment has already been made.');
    const [another, paid, again] = await eventsOf(gateway, reference);
    expect([another, again]).toEqual(gateway === 'squad' ? ['MISMATCH', 'EXPIRED'] : ['bank.transfer.rejected', undefined]);
    expect(paid).toMatch(/charge/);
  });
});

describe.each(RECEIVING)('%s', (gateway) => {
  it.each([900, 1_100])('takes a transfer of NGN %i in place of 1,000', async (naira) => {
    const reference = `transfers-${gateway}-${naira}`;
    const send = await checkoutAt(gateway, reference);
    expect(await send(naira)).toBeNull();
    const { body } = await call('GET', `${sandbox.controlUrl}/control/${gateway}/transactions/${reference}`);
    expect(at(body, 'transaction', 'amountPaid')).toBe(naira * simulators[gateway].unitsPerMain);
  });
});

it('a late transfer is received where the gateway does not publish that it sends it back', async () => {
  let now = Date.parse('2026-11-20T12:00:00Z');
  const own = await quickSandbox({ now: () => now });
  try {
    const key = simulators.kora.credentialsFor('demo').secretKey ?? '';
    const order = { amount: 1_000, currency: 'NGN', reference: 'late-order', customer: { email: 'ada@example.com' } };
    await call('POST', `${own.baseUrls.kora}/charges/initialize`, key, order);
    now += 2 * 3_600_000;
    const late = await call('POST', `${own.controlUrl}/control/kora/transactions/late-order/transfer`, null, { amount: 1_000 });
    expect(at(late.body, 'returned')).toBeNull();
    expect((await settle(own, 'kora', 'late-order', { outcome: 'success' })).status).toBe(409);
  } finally {
    await own.close();
  }
});
