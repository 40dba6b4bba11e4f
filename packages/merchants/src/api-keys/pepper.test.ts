import { randomBytes } from 'node:crypto';
import { newId, OwnFaultError } from '@switchyard/db';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import type { Resources } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMerchant } from '../merchants/console.ts';
import { authenticate } from './api-keys.ts';
import { issueKey } from './console.ts';

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

async function issuedKey(context: Awaited<ReturnType<typeof startProcess>>): Promise<string> {
  const created = await createMerchant(context, { name: 'Balogun Books', actor: 'system:test' });
  if (created.kind !== 'created') throw new Error(created.kind);
  const merchantId = created.merchant.id;
  const issued = await issueKey(context, {
    merchantId,
    mode: 'test',
    name: 'shop',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'system:test',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return `Bearer ${issued.secretKey}`;
}

test('a pepper is wrong once a key was authenticated with another one, and never by what was tried with it itself', async () => {
  const wrong = await startProcess({ pepper: secret() });
  const right = await startProcess();
  const key = await issuedKey(right);
  await wrong.resources.configuration.refresh();
  // In either order: only a success proves a pepper.
  expect(await authenticate(wrong, key)).toEqual({ kind: 'refused' });
  expect(await authenticate(right, key)).toMatchObject({ kind: 'authenticated' });
  await expect.poll(() => database.prisma.secretCheck.count()).toBe(1);
  await wrong.resources.secrets.check();
  expect(wrong.resources.secrets.state().wrong).toEqual(['key_pepper']);
  expect(ownFaults()).toEqual([expect.stringContaining('SWITCHYARD_KEY_PEPPER is wrong')]);
  await right.resources.secrets.check();
  expect(right.resources.secrets.state().wrong).toEqual([]);
});

test('after the check value was deleted, the next pepper that a key is authenticated with is the right one', async () => {
  const before = await startProcess();
  await authenticate(before, await issuedKey(before));
  await expect.poll(() => database.prisma.secretCheck.count()).toBe(1);
  const after = await startProcess({ pepper: secret() });
  expect(after.resources.secrets.state().wrong).toEqual(['key_pepper']);
  await database.pool.query('DELETE FROM secret_check');
  await after.resources.secrets.check();
  expect(after.resources.secrets.state().wrong).toEqual([]);
  await authenticate(after, await issuedKey(after));
  await expect.poll(() => database.prisma.secretCheck.count()).toBe(1);
  expect((await startProcess()).resources.secrets.state().wrong).toEqual(['key_pepper']);
});
