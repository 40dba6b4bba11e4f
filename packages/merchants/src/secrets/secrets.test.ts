import { randomBytes } from 'node:crypto';
import { OwnFaultError } from '@switchyard/db';
import { openVault } from '@switchyard/db/process';
import { createTestDatabase, SUITE_CONNECTING, type TestDatabase } from '@switchyard/db/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authenticate } from '../api-keys/authenticate.ts';
import { issueKey } from '../api-keys/issue-key.ts';
import { openResources, type Resources } from '../configuration/resources.ts';
import { createMerchant } from '../merchants/create-merchant.ts';
import { createTestMerchant, reloadConfiguration } from '../testing/index.ts';

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
  const resources = openResources(environment, (error) => errors.push(error), SUITE_CONNECTING);
  opened.push(resources);
  await resources.configuration.refresh();
  await resources.secrets.check();
  return { resources, database, now: () => new Date(), newId: () => crypto.randomUUID() };
}

const ownFaults = () => errors.flatMap((error) => (error instanceof OwnFaultError ? [error.message] : []));

async function issuedKey(context: Awaited<ReturnType<typeof startProcess>>): Promise<string> {
  const created = await createMerchant(context, { name: 'Balogun Books', actor: 'system:test' });
  if (created.kind !== 'created') throw new Error(created.kind);
  const merchantId = created.merchant.id;
  const issued = await issueKey(context, { merchantId, mode: 'test', name: 'shop', expiresAt: null, actor: 'system:test' });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return `Bearer ${issued.secretKey}`;
}

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

test('a pepper is wrong once a key was authenticated with another one, and never by what was tried with it itself', async () => {
  const wrong = await startProcess({ pepper: secret() });
  const right = await startProcess();
  const key = await issuedKey(right);
  await wrong.resources.configuration.refresh();
  // Whoever comes first: only a success proves a pepper.
  expect(await authenticate(wrong, key)).toEqual({ kind: 'refused' });
  expect(await authenticate(right, key)).toMatchObject({ kind: 'authenticated' });
  await expect.poll(() => database.prisma.secretCheck.count(), { timeout: 30_000 }).toBe(1);
  await wrong.resources.secrets.check();
  expect(wrong.resources.secrets.state().wrong).toEqual(['key_pepper']);
  expect(ownFaults()).toEqual([expect.stringContaining('SWITCHYARD_KEY_PEPPER is wrong')]);
  await right.resources.secrets.check();
  expect(right.resources.secrets.state().wrong).toEqual([]);
});

test('after the check value was deleted, the next pepper that a key is authenticated with is the right one', async () => {
  const before = await startProcess();
  await authenticate(before, await issuedKey(before));
  await expect.poll(() => database.prisma.secretCheck.count(), { timeout: 30_000 }).toBe(1);
  const after = await startProcess({ pepper: secret() });
  expect(after.resources.secrets.state().wrong).toEqual(['key_pepper']);
  await database.pool.query('DELETE FROM secret_check');
  await after.resources.secrets.check();
  expect(after.resources.secrets.state().wrong).toEqual([]);
  await authenticate(after, await issuedKey(after));
  await expect.poll(() => database.prisma.secretCheck.count(), { timeout: 30_000 }).toBe(1);
  expect((await startProcess()).resources.secrets.state().wrong).toEqual(['key_pepper']);
});
