import { newId } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import type { DecisionInputs, RoutableAccount } from '@switchyard/routing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoredInputs } from './read-inputs.ts';
import { storeInputs } from './store-inputs.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

function account(label: string): RoutableAccount {
  return {
    accountId: label,
    gateway: 'paystack',
    label,
    enabled: true,
    configured: true,
    currencies: ['NGN'],
    methods: ['CARD'],
    minAmount: 100,
    maxAmount: null,
    fees: null,
  };
}

function inputsAmong(...labels: string[]): DecisionInputs {
  const payment = { paymentId: newId(), currency: 'NGN', amount: 2_500, method: 'CARD' as const };
  return {
    policy: 1,
    payment: { ...payment, customerCountry: null, requestedGateway: null },
    accounts: labels.map(account),
    health: [],
    overrides: [],
    decidedAt: '2026-11-20T14:00:00.000Z',
  };
}

const snapshotsOf = (merchantId: string) => database.prisma.accountSnapshot.findMany({ where: { merchantId } });

test('accounts are stored once, however many payments are routed among them at once, and by however many processes', async () => {
  const merchantId = newId();
  const another = openDatabase({ url: database.url, maxConnections: 2 });
  const both = await Promise.all(
    [database, another].flatMap((one) =>
      Array.from({ length: 20 }, () => storeInputs(one, merchantId, inputsAmong('paystack-main', 'flutterwave-main'))),
    ),
  );
  await another.close();
  expect(new Set(both.map(({ accounts }) => accounts)).size).toBe(1);
  expect(await snapshotsOf(merchantId)).toHaveLength(1);
});

test('a change of the accounts is another snapshot, and both are read back', async () => {
  const merchantId = newId();
  const before = inputsAmong('paystack-main');
  const after = { ...inputsAmong('paystack-main'), accounts: [{ ...account('paystack-main'), maxAmount: 5_000 }] };
  for (const inputs of [before, after]) {
    const stored: unknown = JSON.parse(JSON.stringify(await storeInputs(database, merchantId, inputs)));
    expect(await readStoredInputs(database, { merchantId, inputs: stored, payment: inputs.payment })).toEqual(inputs);
  }
  expect(await snapshotsOf(merchantId)).toHaveLength(2);
});

test('the snapshot of another merchant is not read', async () => {
  const inputs = inputsAmong('paystack-main');
  const stored = await storeInputs(database, newId(), inputs);
  expect(await readStoredInputs(database, { merchantId: newId(), inputs: stored, payment: inputs.payment })).toBeNull();
});

test('one that could not be stored is stored by the next payment', async () => {
  const merchantId = newId();
  const away = openDatabase({ url: database.url, maxConnections: 1 });
  await database.pool.query('ALTER TABLE account_snapshot RENAME TO account_snapshot_away');
  await expect(storeInputs(away, merchantId, inputsAmong('paystack-main'))).rejects.toThrow();
  await database.pool.query('ALTER TABLE account_snapshot_away RENAME TO account_snapshot');
  await storeInputs(away, merchantId, inputsAmong('paystack-main'));
  await away.close();
  expect(await snapshotsOf(merchantId)).toHaveLength(1);
});
