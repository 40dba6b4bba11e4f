import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testMerchant } from '../testing/accounts.ts';
import { authenticate } from './api-keys.ts';
import { issueKey, revokeKey } from './console.ts';
import { listKeys, rotateKey, USABLE_KEYS_MAX } from './rotate-key.ts';

const actor = 'staff:ada';
const HOUR_MS = 3_600_000;
const start = new Date('2100-01-01T00:00:00.000Z');
const later = (hours: number) => new Date(start.getTime() + hours * HOUR_MS);

let context: TestContext;
let merchantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());

beforeEach(async () => {
  context.setClock(start);
  merchantId = await testMerchant(context);
});

async function issue(expiresAt: Date | null = null) {
  const outcome = await issueKey(context, {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt,
    scopes: ['full_access'],
    actor,
  });
  if (outcome.kind !== 'issued') throw new Error(outcome.kind);
  return outcome;
}

async function worksAt(time: Date, secretKey: string): Promise<boolean> {
  context.setClock(time);
  return (await authenticate(context, `Bearer ${secretKey}`)).kind === 'authenticated';
}

describe('rotating', () => {
  test('lets both keys work until the time given, and only the new one from then on', async () => {
    const old = await issue();
    const rotated = await rotateKey(context, { merchantId, keyId: old.key.id, oldWorksUntil: later(24), expiresAt: null, actor });
    if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
    expect(rotated.key).toMatchObject({ name: 'server', mode: 'test', rotatedFromId: old.key.id });
    for (const [time, oldWorks] of [
      [start, true],
      [later(23), true],
      [later(24), false],
    ] as const) {
      expect(await worksAt(time, old.secretKey)).toBe(oldWorks);
      expect(await worksAt(time, rotated.secretKey)).toBe(true);
    }
  });

  test("does not lengthen the old key's own life", async () => {
    const old = await issue(later(1));
    await rotateKey(context, { merchantId, keyId: old.key.id, oldWorksUntil: later(24), expiresAt: null, actor });
    expect(await worksAt(later(2), old.secretKey)).toBe(false);
  });

  test('with no overlap ends the old key at once', async () => {
    const old = await issue();
    await rotateKey(context, { merchantId, keyId: old.key.id, oldWorksUntil: start, expiresAt: null, actor });
    expect(await worksAt(start, old.secretKey)).toBe(false);
  });

  test('is refused for a key that has ended', async () => {
    const revoked = await issue();
    const expired = await issue(later(1));
    await revokeKey(context, { merchantId, keyId: revoked.key.id, actor });
    context.setClock(later(1));
    for (const { key } of [revoked, expired]) {
      const command = { merchantId, keyId: key.id, oldWorksUntil: later(3), expiresAt: null, actor };
      expect(await rotateKey(context, command)).toEqual({ kind: 'ended' });
    }
  });

  test('is refused with an overlap in the past or over 90 days', async () => {
    const { key } = await issue();
    for (const oldWorksUntil of [later(-1), later(91 * 24)]) {
      const outcome = await rotateKey(context, { merchantId, keyId: key.id, oldWorksUntil, expiresAt: null, actor });
      expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field: 'oldWorksUntil' }] });
    }
  });
});

describe('revoking', () => {
  test('ends a key at once, and others of the merchant stay', async () => {
    const first = await issue();
    const second = await issue();
    expect(await revokeKey(context, { merchantId, keyId: first.key.id, actor })).toMatchObject({ kind: 'revoked' });
    expect(await worksAt(start, first.secretKey)).toBe(false);
    expect(await worksAt(start, second.secretKey)).toBe(true);
  });

  test('a second time changes nothing', async () => {
    const { key } = await issue();
    await revokeKey(context, { merchantId, keyId: key.id, actor });
    context.setClock(later(1));
    expect(await revokeKey(context, { merchantId, keyId: key.id, actor })).toMatchObject({
      kind: 'already_revoked',
      key: { revokedAt: start },
    });
  });

  test("does not reach another merchant's key", async () => {
    const { key, secretKey } = await issue();
    const stranger = await testMerchant(context);
    expect(await revokeKey(context, { merchantId: stranger, keyId: key.id, actor })).toEqual({ kind: 'not_found' });
    expect(await worksAt(start, secretKey)).toBe(true);
  });
});

describe('issuing', () => {
  test('names every field that is wrong', async () => {
    const outcome = await issueKey(context, {
      merchantId,
      mode: 'test',
      name: ' ',
      expiresAt: later(-1),
      scopes: ['full_access'],
      actor,
    });
    expect(outcome).toEqual({
      kind: 'invalid',
      problems: [
        { field: 'name', message: 'must not be empty' },
        { field: 'expiresAt', message: 'must lie in the future' },
      ],
    });
  });

  test('stops at the most keys of one mode; ended ones do not count, the other mode neither', async () => {
    const row = {
      merchantId,
      mode: 'test',
      secretHash: new Uint8Array(32),
      name: 'old',
      lastFour: '0000',
      createdAt: start,
      createdBy: actor,
    } as const;
    const rows = Array.from({ length: USABLE_KEYS_MAX - 1 }, () => ({ ...row, id: context.newId(), publicId: context.newId() }));
    await context.database.prisma.apiKey.createMany({ data: rows });
    const last = await issue(later(1));
    const command = { merchantId, name: 'one more', expiresAt: null, scopes: ['full_access'], actor } as const;
    expect(await issueKey(context, { ...command, mode: 'test' })).toEqual({ kind: 'too_many_keys', limit: USABLE_KEYS_MAX });
    const rotate = { merchantId, keyId: last.key.id, oldWorksUntil: later(1), expiresAt: null, actor };
    expect(await rotateKey(context, rotate)).toEqual({ kind: 'too_many_keys', limit: USABLE_KEYS_MAX });
    expect(await issueKey(context, { ...command, mode: 'live' })).toMatchObject({ kind: 'issued' });
    context.setClock(later(1));
    expect(await issueKey(context, { ...command, mode: 'test' })).toMatchObject({ kind: 'issued' });
  });
});

test('the list shows each key with its state, and nothing a key could be derived from', async () => {
  const active = await issue();
  const expiring = await issue(later(1));
  const revoked = await issue();
  await revokeKey(context, { merchantId, keyId: revoked.key.id, actor });
  const states = async () => Object.fromEntries((await listKeys(context, { merchantId })).map((key) => [key.id, key.state]));
  expect(await states()).toEqual({ [active.key.id]: 'active', [expiring.key.id]: 'expiring', [revoked.key.id]: 'revoked' });
  context.setClock(later(1));
  expect(await states()).toMatchObject({ [expiring.key.id]: 'expired' });
  const shown = JSON.stringify(await listKeys(context, { merchantId }));
  expect(shown).not.toContain('secretHash');
  for (const { secretKey } of [active, expiring, revoked]) expect(shown).not.toContain(secretKey.slice(22));
  expect((await listKeys(context, { merchantId }))[0]?.lastFour).toHaveLength(4);
  expect(await listKeys(context, { merchantId, mode: 'live' })).toEqual([]);
  expect(await listKeys(context, { merchantId: 'nobody' })).toEqual([]);
});

test('no table holds the secret of any key', async () => {
  const { key, secretKey } = await issue();
  const rotated = await rotateKey(context, { merchantId, keyId: key.id, oldWorksUntil: later(1), expiresAt: null, actor });
  const secrets = [secretKey, rotated.kind === 'rotated' ? rotated.secretKey : ''].map((text) => text.slice(22, 65));
  const { rows: tables } = await context.database.pool.query<{ name: string }>(
    `SELECT format('%I', tablename) AS name FROM pg_tables WHERE schemaname = 'public'`,
  );
  for (const { name } of tables) {
    const { rows } = await context.database.pool.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    for (const secret of secrets) {
      expect(secret).toHaveLength(43);
      expect(rows.filter(({ row }) => row.includes(secret))).toEqual([]);
    }
  }
});
