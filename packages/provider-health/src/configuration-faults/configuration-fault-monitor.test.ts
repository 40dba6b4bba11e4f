import type { GatewayAccount } from '@switchyard/db/client';
import type { Failure, Outcome } from '@switchyard/gateways';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestHealth, type TestHealth } from '../testing/health-fixture.ts';

const call = { method: 'POST', url: '', httpStatus: 401, latencyMs: 90, request: null, answer: null, retryAfterMs: null };
const opened: Outcome<unknown> = { outcome: 'yes', value: null, call };
const fails = (of: Pick<Failure, 'class' | 'code'>, message: string): Outcome<unknown> => ({
  outcome: 'no',
  failure: { ...of, message },
  call,
});
const keyRefused = fails({ class: 'our_configuration', code: 'invalid_credentials' }, 'Invalid key.');
const orderRefused = fails({ class: 'our_configuration', code: 'request_rejected' }, 'Paystack refused: No active channel');
const unknownReference = fails({ class: 'our_configuration', code: 'not_found' }, 'No such transaction.');
const timedOut = fails({ class: 'provider_fault', code: 'timeout' }, 'No answer.');

let context: TestHealth;
let merchant: TestMerchant;
let now: Date;

beforeAll(async () => {
  context = await openTestHealth();
});
afterAll(() => context.close());
beforeEach(async () => {
  now = new Date('2026-11-20T14:02:00Z');
  context.setClock(now);
  merchant = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
});

function account(label = 'paystack-main'): GatewayAccount {
  const known = context.resources.configuration.account(merchant.accounts[label] ?? '');
  if (known === undefined) throw new Error(`there is no account ${label}`);
  return known.account;
}

/** Payments whose first opening, at Paystack, has the given outcome. */
async function pay(times: number, outcome: Outcome<unknown>, { second = opened, customer = 'ada@example.com' } = {}) {
  for (let n = 0; n < times; n++) {
    const tried = [{ account: account(), outcome }];
    if (outcome.outcome !== 'yes') tried.push({ account: account('flutterwave-main'), outcome: second });
    await context.configurationFaults.learnFromOpenings(tried, customer);
  }
}

describe('an account whose gateway refuses it', () => {
  test('goes out of rotation after three refused keys in a row, for every process, with the reason on record', async () => {
    const other = await context.beside();
    await pay(2, keyRefused);
    expect(account().configurationFault).toBeNull();
    await pay(1, keyRefused);
    const fault = { configurationFault: 'CREDENTIALS', configurationFaultMessage: 'Invalid key.', configurationFaultAt: now };
    expect(account()).toMatchObject(fault);
    await other.resources.configuration.refresh();
    expect(other.resources.configuration.account(account().id)?.account).toMatchObject(fault);
    expect(account('flutterwave-main').configurationFault).toBeNull();
    const entries = await context.database.prisma.auditEntry.findMany({ where: { tenantId: merchant.merchantId } });
    expect(entries).toMatchObject([
      { action: 'gateway_account.taken_out_of_rotation', objectId: account().id, actor: 'system:payments' },
    ]);
  });

  test('stays when one of its calls is accepted in between, whatever came of it', async () => {
    for (const outcome of [opened, unknownReference]) {
      await pay(2, keyRefused);
      await pay(1, outcome);
    }
    await pay(2, keyRefused);
    expect(account().configurationFault).toBeNull();
  });

  test('goes out despite calls in between that are no evidence', async () => {
    await pay(2, keyRefused);
    await pay(5, timedOut);
    await pay(1, keyRefused);
    expect(account().configurationFault).toBe('CREDENTIALS');
  });

  test('stays in rotation when it was changed after the call', async () => {
    const called = account();
    await context.database.prisma.gatewayAccount.update({
      where: { merchantId_id: { merchantId: called.merchantId, id: called.id } },
      data: { credentials: 'new', updatedAt: new Date(now.getTime() + 1) },
    });
    for (let n = 0; n < 4; n++)
      await context.configurationFaults.learnFromOpenings([{ account: called, outcome: keyRefused }], 'ada@example.com');
    await context.resources.configuration.refresh();
    expect(account().configurationFault).toBeNull();
  });
});

test('a valid key without permission to open checkouts is a fault of the settings', async () => {
  await pay(3, { ...keyRefused, call: { ...call, httpStatus: 403 } });
  expect(account().configurationFault).toBe('SETTINGS');
});

describe('an order that a gateway refuses', () => {
  test('is a fault of the account when another account opens it', async () => {
    await pay(3, orderRefused);
    expect(account()).toMatchObject({
      configurationFault: 'SETTINGS',
      configurationFaultMessage: 'Paystack refused: No active channel',
    });
  });

  test('is a fault of the order when another account refuses it too', async () => {
    await pay(10, orderRefused, { second: orderRefused });
    expect([account(), account('flutterwave-main')].map(({ configurationFault }) => configurationFault)).toEqual([null, null]);
  });

  test('counts once per customer where no other account answers', async () => {
    await pay(10, orderRefused, { second: timedOut });
    expect(account().configurationFault).toBeNull();
    for (const customer of ['bola@example.com', 'chidi@example.com']) await pay(1, orderRefused, { second: timedOut, customer });
    expect(account().configurationFault).toBe('SETTINGS');
  });
});

describe('look-ups', () => {
  const lookUp = (outcome: Outcome<unknown>) => context.configurationFaults.learnFromLookup({ account: account(), outcome });

  test('that are refused take an account out as openings do, and refused orders among them do not', async () => {
    for (let n = 0; n < 5; n++) await lookUp(orderRefused);
    expect(account().configurationFault).toBeNull();
    for (let n = 0; n < 3; n++) await lookUp(keyRefused);
    expect(account().configurationFault).toBe('CREDENTIALS');
  });

  test('that are accepted put it back', async () => {
    await pay(3, keyRefused);
    await lookUp(unknownReference);
    expect(account().configurationFault).toBeNull();
  });

  test('that were accepted all the time put it back once, and then only after they were refused too', async () => {
    await pay(3, keyRefused);
    await lookUp(unknownReference);
    await pay(3, keyRefused);
    await lookUp(unknownReference);
    expect(account().configurationFault).toBe('CREDENTIALS');
    await lookUp(keyRefused);
    await lookUp(unknownReference);
    expect(account().configurationFault).toBeNull();
  });

  test('put no account back whose orders are refused', async () => {
    await pay(3, orderRefused);
    await lookUp(keyRefused);
    await lookUp(unknownReference);
    expect(account().configurationFault).toBe('SETTINGS');
  });
});
