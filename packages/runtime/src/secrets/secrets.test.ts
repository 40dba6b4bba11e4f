import { randomBytes } from 'node:crypto';
import { newId, OwnFaultError } from '@switchyard/db';
import { openVault } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openResources, type Resources } from '../resources.ts';
import { createTestMerchant, reloadConfiguration } from '../testing/fixtures.ts';

const secret = () => randomBytes(32).toString('base64');
const RING = `k1:${secret()}`;
const PEPPER = secret();

let database: TestDatabase;
let opened: Resources[];
let errors: unknown[];

beforeEach(async () => {
  database = await createTestDatabase();
  opened = [];
  errors = [];
});
afterEach(async () => {
  for (const resources of opened) await resources.close();
  await database.close();
});

/** A process with these secrets, that has read the configuration. */
async function startProcess(secrets: { ring?: string; pepper?: string } = {}) {
  const environment = {
    DATABASE_URL: database.url,
    SWITCHYARD_ENCRYPTION_KEYS: secrets.ring ?? RING,
    SWITCHYARD_KEY_PEPPER: secrets.pepper ?? PEPPER,
    SWITCHYARD_PUBLIC_URL: 'http://localhost',
  };
  const resources = openResources(environment, (error) => errors.push(error), TEST_CONNECTION);
  opened.push(resources);
  await resources.configuration.refresh();
  await resources.secrets.check();
  return { resources, database, now: () => new Date(), newId };
}

const ownFaults = () => errors.flatMap((error) => (error instanceof OwnFaultError ? [error.message] : []));

test('encryption keys that open no account are wrong, at the start and with the configuration that shows it, and are reported once', async () => {
  const right = await startProcess();
  const wrong = await startProcess({ ring: `k1:${secret()}` });
  expect(wrong.resources.secrets.state()).toEqual({ wrong: [], unreadableAccounts: 0 });
  const { merchantId } = await createTestMerchant(right, { 'paystack-main': {}, 'flutterwave-main': {} });
  await wrong.resources.configuration.refresh();
  expect(wrong.resources.secrets.state()).toEqual({ wrong: ['encryption_keys'], unreadableAccounts: 2 });
  expect(ownFaults()).toEqual([
    expect.stringContaining('SWITCHYARD_ENCRYPTION_KEYS is wrong'),
    expect.stringContaining('accounts'),
  ]);
  await reloadConfiguration(right, merchantId);
  await wrong.resources.configuration.refresh();
  await wrong.resources.secrets.check();
  expect(ownFaults()).toHaveLength(2);
  const later = await startProcess({ ring: `k2:${secret()}` });
  expect(later.resources.secrets.state().wrong).toEqual(['encryption_keys']);
  expect(right.resources.secrets.state()).toEqual({ wrong: [], unreadableAccounts: 0 });
});

test('keys that open some accounts are not wrong; those that do not open are counted, while they are switched on', async () => {
  const context = await startProcess();
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {}, 'flutterwave-main': {} });
  const where = { merchantId_id: { merchantId, id: accounts['paystack-main'] ?? '' } };
  const credentials = openVault(`k1:${secret()}`).seal('{}', `${merchantId}/${accounts['paystack-main']}`);
  await database.prisma.gatewayAccount.update({ where, data: { credentials } });
  await reloadConfiguration(context, merchantId);
  expect(context.resources.secrets.state()).toEqual({ wrong: [], unreadableAccounts: 1 });
  await database.prisma.gatewayAccount.update({ where, data: { enabled: false } });
  await reloadConfiguration(context, merchantId);
  expect(context.resources.secrets.state()).toEqual({ wrong: [], unreadableAccounts: 0 });
});

test('accounts that never had credentials say nothing about the keys', async () => {
  const context = await startProcess();
  const { merchantId, accounts } = await createTestMerchant(context, { 'paystack-main': {} });
  const where = { merchantId_id: { merchantId, id: accounts['paystack-main'] ?? '' } };
  await database.prisma.gatewayAccount.update({ where, data: { credentials: null } });
  await reloadConfiguration(context, merchantId);
  expect(context.resources.secrets.state()).toEqual({ wrong: [], unreadableAccounts: 0 });
});
