import { randomBytes } from 'node:crypto';
import { NIL_ID, newId, type Vault } from '@switchyard/db';
import { openAuditKeys } from '@switchyard/db/audit';
import { openVault } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { ALL_SEALED_ROWS, rotateKeys } from '@switchyard/privacy/rotate-keys';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { thisProject } from '../stack/project.ts';
import { projectFiles, readSources } from '../testing/sources.ts';

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [OLD, NEW] = [key('old'), key('new')];
const oldRing = openVault(OLD);
const newRing = openVault(NEW);
/** First it is only read, then it writes: what is sealed by either is read by both. */
const ROTATING = `${NEW},${OLD}`;

let database: TestDatabase;
let lines: string[];

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  lines = [];
  await database.prisma.gatewayAccount.deleteMany();
  await database.prisma.webhookEndpoint.deleteMany();
});
afterAll(() => database.close());

const AUDIT = key('audit');
const rotate = (ring: string, dryRun = false, auditRing = AUDIT) =>
  rotateKeys(
    {
      database,
      vault: openVault(ring),
      auditKeys: openAuditKeys({ auditKeys: auditRing, encryptionKeys: ring }),
      now: () => new Date(),
      print: (line) => lines.push(line),
    },
    { dryRun },
  );

const SEED = `
INSERT INTO gateway_account (merchant_id, id, mode, gateway, label, enabled, credential_hint, credentials, currencies, methods,
  min_amount, created_at, updated_at)
SELECT $1, id, 'test', 'paystack', id::text, true, '{}', credentials, '{NGN}', '{CARD}', 50, now(), now()
FROM unnest($2::uuid[], $3::text[]) AS seeded (id, credentials)`;

/** Accounts with credentials of their own, sealed by a vault. Returns their keys. */
async function seedAccounts(vault: Vault, count: number) {
  const merchantId = newId();
  const accounts = Array.from({ length: count }, () => ({ merchantId, id: newId() }));
  const credentials = accounts.map(({ id }) => vault.seal(`secret of ${id}`, `${merchantId}/${id}`));
  await database.pool.query(SEED, [merchantId, accounts.map(({ id }) => id), credentials]);
  return accounts;
}

async function seedEndpoint(secrets: readonly string[]) {
  const merchantId = newId();
  const id = newId();
  const now = new Date();
  const binding = `webhook_endpoint:${merchantId}:${id}`;
  await database.prisma.webhookEndpoint.create({
    data: {
      ...{ merchantId, id, mode: 'test', url: 'https://merchant.example/hooks', types: [], enabled: true },
      secrets: secrets.map((secret) => oldRing.seal(secret, binding)),
      ...{ createdAt: now, updatedAt: now },
    },
  });
  return { merchantId, id, binding };
}

async function credentialsOf(account: { merchantId: string; id: string }): Promise<string> {
  const found = await database.prisma.gatewayAccount.findUniqueOrThrow({ where: { merchantId_id: account } });
  return found.credentials ?? '';
}

async function auditedActions(): Promise<string[]> {
  const entries = await database.prisma.auditEntry.findMany({ where: { tenantId: NIL_ID }, orderBy: { position: 'asc' } });
  return entries.map(({ action }) => action);
}

describe('rotating encryption keys', () => {
  test('everything opens with the new key alone afterwards, and it is audited', async () => {
    const accounts = await seedAccounts(oldRing, 450);
    const endpoint = await seedEndpoint(['whsec_newest', 'whsec_previous']);
    const audited = (await auditedActions()).length;
    expect(await rotate(ROTATING)).toBe(true);
    for (const account of accounts) {
      expect(newRing.open(await credentialsOf(account), `${account.merchantId}/${account.id}`)).toBe(`secret of ${account.id}`);
    }
    const { secrets } = await database.prisma.webhookEndpoint.findFirstOrThrow({ where: { id: endpoint.id } });
    expect(secrets.map((sealed) => newRing.open(sealed, endpoint.binding))).toEqual(['whsec_newest', 'whsec_previous']);
    expect((await auditedActions()).slice(audited)).toEqual(['encryption_keys.rotation_started', 'encryption_keys.rotated']);
    expect(lines.join('\n')).toContain('Nothing needs old.');
  });

  test('again changes nothing and audits nothing', async () => {
    const [account] = await seedAccounts(oldRing, 1);
    if (account === undefined) throw new Error('no account');
    await rotate(ROTATING);
    const sealed = await credentialsOf(account);
    const audited = await auditedActions();
    expect(await rotate(ROTATING)).toBe(true);
    expect(await credentialsOf(account)).toBe(sealed);
    expect(await auditedActions()).toEqual(audited);
  });

  test('a dry run counts and changes nothing', async () => {
    const [account] = await seedAccounts(oldRing, 1);
    if (account === undefined) throw new Error('no account');
    const sealed = await credentialsOf(account);
    expect(await rotate(ROTATING, true)).toBe(true);
    expect(lines.at(-1)).toBe('Dry run: 1 values would be sealed again with new.');
    expect(await credentialsOf(account)).toBe(sealed);
  });

  test('is refused while a key that is needed is missing', async () => {
    const [account] = await seedAccounts(oldRing, 1);
    if (account === undefined) throw new Error('no account');
    const sealed = await credentialsOf(account);
    expect(await rotate(NEW)).toBe(false);
    expect(lines.at(-1)).toBe('Refused: SWITCHYARD_ENCRYPTION_KEYS lacks old. Nothing was changed.');
    expect(await credentialsOf(account)).toBe(sealed);
  });

  test('a value that does not open stays, is named, and keeps its key from being removable', async () => {
    const [broken, sound] = await seedAccounts(oldRing, 2);
    if (broken === undefined || sound === undefined) throw new Error('no accounts');
    const copied = await credentialsOf(sound);
    await database.prisma.gatewayAccount.update({ where: { merchantId_id: broken }, data: { credentials: copied } });
    expect(await rotate(ROTATING)).toBe(false);
    expect(lines).toContain(`  does not open: ${broken.id} of merchant ${broken.merchantId}`);
    expect(lines.join('\n')).not.toContain('needs old');
    expect(await credentialsOf(broken)).toBe(copied);
  });

  test('a key that entries of the audit log are hashed with is not called removable', async () => {
    await seedAccounts(newRing, 1);
    await rotate(`${OLD},${NEW}`, false, '');
    lines = [];
    expect(await rotate(ROTATING)).toBe(true);
    expect(lines.at(-1)).toMatch(/^No value needs old, but \d+ entries of the audit log are verified with it/);
  });

  test('processes with the new and with the old first key read and write meanwhile, and no write is lost', async () => {
    const accounts = await seedAccounts(oldRing, 1_000);
    const rings = [openVault(`${OLD},${NEW}`), openVault(ROTATING)];
    let rotating = true;
    let reads = 0;
    const written = new Map<string, string>();
    const processes = rings.map(async (vault, index) => {
      for (let at = index; rotating || written.size < 2; at += 7) {
        const account = accounts[at % accounts.length];
        if (account === undefined) throw new Error('no account');
        const binding = `${account.merchantId}/${account.id}`;
        expect(vault.open(await credentialsOf(account), binding)).toBe(written.get(account.id) ?? `secret of ${account.id}`);
        reads += 1;
        // Each process writes accounts of its own, so that the expected text is known.
        if (at % 2 !== index || written.has(account.id)) continue;
        const text = `changed ${account.id}`;
        const sealed = vault.seal(text, binding);
        written.set(account.id, text);
        await database.prisma.gatewayAccount.update({ where: { merchantId_id: account }, data: { credentials: sealed } });
      }
    });
    await rotate(ROTATING);
    rotating = false;
    await Promise.all(processes);
    expect(reads).toBeGreaterThan(0);
    // The process that still writes with the old key may have written after its row was passed.
    expect(await rotate(ROTATING)).toBe(true);
    for (const account of accounts) {
      const text = newRing.open(await credentialsOf(account), `${account.merchantId}/${account.id}`);
      expect(text).toBe(written.get(account.id) ?? `secret of ${account.id}`);
    }
  });

  test('of ten thousand credentials', async () => {
    await seedAccounts(oldRing, 10_000);
    const started = performance.now();
    expect(await rotate(ROTATING)).toBe(true);
    console.info(`10,000 credentials sealed again in ${Math.round(performance.now() - started)} ms`);
    expect(await database.prisma.gatewayAccount.count({ where: { credentials: { startsWith: 'v1.new.' } } })).toBe(10_000);
  }, 180_000);
});

test('the package of every file that seals values describes its rows to the rotation', () => {
  const { root } = thisProject();
  const sources = readSources(
    root,
    projectFiles(root).filter((path) => /^packages\/.*\.ts$/.test(path) && !/\.test\.ts$|\/testing\//.test(path)),
  );
  const packages = (pattern: RegExp) =>
    new Set(sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path.split('/')[1]));
  const sealing = packages(/vault\.seal\(/);
  sealing.delete('db');
  const described = packages(/: SealedRows = /);
  expect([...sealing].filter((name) => !described.has(name))).toEqual([]);
  expect(ALL_SEALED_ROWS).toHaveLength(described.size);
});
