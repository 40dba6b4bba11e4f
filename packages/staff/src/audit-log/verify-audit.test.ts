import { NIL_ID } from '@switchyard/db';
import { appendAuditEntries, appendAuditEntry, hashAuditEntry, openAuditKeys, sealAuditHead } from '@switchyard/db/audit';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyChains } from './audit-log.ts';
import { listAudit } from './list-audit.ts';
import { countAudit, readAuditChain } from './queries.ts';
import { listAuditHeads, verifyAudit } from './verify-audit.ts';

let context: TestContext;
let tenantId: string;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(() => context.close());
beforeEach(async () => {
  tenantId = await testMerchant(context);
  for (let index = 0; index < 6; index++) await append(index);
});

const append = (index: number) =>
  context.database.prisma.$transaction((transaction) =>
    appendAuditEntry(transaction, context.resources.auditKeys, entryOf(index), context.now()),
  );

const entryOf = (index: number) => ({
  tenantId,
  entryId: context.newId(),
  actor: 'staff:ada',
  action: 'test.done',
  objectType: 'test',
  objectId: `o${index}`,
  before: null,
  after: { index, text: 'ÄÖ "quoted" \u2028', 7: 'seven', none: null },
});

/** The seal that the application gives the head at a position. */
async function sealAt(position: number): Promise<Uint8Array> {
  const { rows } = await context.database.pool.query<{ hash: Buffer }>(
    'SELECT hash FROM audit_entry WHERE tenant_id = $1 AND position = $2',
    [tenantId, position],
  );
  return sealAuditHead(tenantId, { position, hash: rows[0]?.hash ?? Buffer.alloc(0) }, context.resources.auditKeys.writer);
}

const verify = (kept: { position: number; hash: string } | null = null) => verifyAudit(context, { tenantId, from: null, kept });

/** Runs a statement that requires full access to the database. */
async function tamper(statement: string, values: readonly unknown[]): Promise<void> {
  const client = await context.database.pool.connect();
  try {
    await client.query('ALTER TABLE audit_entry DISABLE TRIGGER USER');
    await client.query(statement, [...values]);
    await client.query('ALTER TABLE audit_entry ENABLE TRIGGER USER');
  } finally {
    client.release();
  }
}

describe('a stored log', () => {
  test('verifies with its count and head, and with a head that was kept before', async () => {
    const [head] = await listAuditHeads(context, [tenantId]);
    const first = await verify();
    expect(first).toMatchObject({ kind: 'verified', count: 7, head: { position: 7, hash: head?.hash } });
    await append(9);
    expect(await verify(head ?? null)).toMatchObject({ kind: 'verified', count: 8 });
  });

  test('without entries is valid', async () => {
    const unknownTenant = context.newId();
    expect(await verifyAudit(context, { tenantId: unknownTenant, from: null, kept: null })).toMatchObject({
      kind: 'verified',
      count: 0,
    });
  });

  test.each([
    [
      'an edit',
      `UPDATE audit_entry SET actor = 'staff:eve' WHERE tenant_id = $1 AND position = 4`,
      { position: 4, why: 'changed' },
    ],
    [
      'an edit of what was after',
      `UPDATE audit_entry SET after = '{}' WHERE tenant_id = $1 AND position = 3`,
      { position: 3, why: 'changed' },
    ],
    ['a deletion', 'DELETE FROM audit_entry WHERE tenant_id = $1 AND position = 5', { position: 5, why: 'missing' }],
    [
      'another order',
      `UPDATE audit_entry SET position = CASE position WHEN 3 THEN 104 WHEN 4 THEN 103 END
        WHERE tenant_id = $1 AND position IN (3, 4);
       `.trim(),
      { position: 3, why: 'missing' },
    ],
    [
      'a cut in the middle',
      'DELETE FROM audit_entry WHERE tenant_id = $1 AND position BETWEEN 3 AND 5',
      { position: 3, why: 'missing' },
    ],
    ['a cut at the end', 'DELETE FROM audit_entry WHERE tenant_id = $1 AND position > 5', { position: 6, why: 'cut_off' }],
    ['a deletion of everything', 'DELETE FROM audit_entry WHERE tenant_id = $1', { position: 1, why: 'cut_off' }],
  ])('shows %s, and where', async (_, statement, broken) => {
    await tamper(statement.replace(/;$/, ''), [tenantId]);
    expect(await verify()).toMatchObject({ kind: 'broken', ...broken });
  });

  test('detects a truncated end even after new entries', async () => {
    await tamper('DELETE FROM audit_entry WHERE tenant_id = $1 AND position > 5', [tenantId]);
    await append(10);
    expect(await verify()).toMatchObject({ kind: 'broken', position: 6, why: 'missing' });
  });

  test('detects by a kept head that head and end were truncated together', async () => {
    const [kept] = await listAuditHeads(context, [tenantId]);
    await tamper('DELETE FROM audit_entry WHERE tenant_id = $1 AND position > 5', [tenantId]);
    await context.database.pool.query(
      'UPDATE audit_head SET (position, hash) = (SELECT position, hash FROM audit_entry WHERE tenant_id = $1 AND position = 5) WHERE tenant_id = $1',
      [tenantId],
    );
    expect(await verify()).toMatchObject({ kind: 'broken', position: 5, why: 'head_forged' });
    // An attacker with a copy of the head of that time can put it back, seal and all; a head kept elsewhere shows that too.
    await context.database.pool.query('UPDATE audit_head SET seal = $2 WHERE tenant_id = $1', [tenantId, await sealAt(5)]);
    expect(await verify()).toMatchObject({ kind: 'verified', count: 5 });
    expect(await verify(kept ?? null)).toMatchObject({ kind: 'broken', position: 6, why: 'cut_off' });
  });

  test('cannot be changed, emptied or truncated by the application', async () => {
    const { pool } = context.database;
    for (const statement of ['UPDATE audit_entry SET actor = actor', 'DELETE FROM audit_entry', 'TRUNCATE audit_entry']) {
      await expect(pool.query(statement)).rejects.toThrow(/only ever added/);
    }
  });
});

test('an edit with every later hash and the head recomputed under a guessed key is detected', async () => {
  const { pool } = context.database;
  const guess = { id: context.resources.auditKeys.writer.id, secret: new Uint8Array(32) };
  let previous: Uint8Array | null = null;
  for (const entry of await readAuditChain(context.database, tenantId, 3, 100)) {
    previous ??= entry.previous;
    const forged = { ...entry, ...(entry.position === 4 && { actor: 'staff:eve' }) };
    const hash: Uint8Array = hashAuditEntry(forged, previous, guess);
    const values = [tenantId, entry.position, forged.actor, previous, hash];
    await tamper('UPDATE audit_entry SET actor = $3, previous = $4, hash = $5 WHERE tenant_id = $1 AND position = $2', values);
    previous = hash;
  }
  const end = { position: 7, hash: previous ?? new Uint8Array() };
  const head = [tenantId, end.hash, sealAuditHead(tenantId, end, guess)];
  await pool.query('UPDATE audit_head SET hash = $2, seal = $3 WHERE tenant_id = $1', head);
  expect(await verify()).toMatchObject({ kind: 'broken', position: 4, why: 'changed' });
});

test('an entry is verified for as long as the ring holds its key', async () => {
  const ring = (id: string, byte: number) => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;
  const keysOf = (auditKeys: string) => openAuditKeys({ auditKeys, encryptionKeys: ring('k1', 1) });
  const chainId = context.newId();
  const write = (auditKeys: string, index: number) =>
    context.database.prisma.$transaction((transaction) =>
      appendAuditEntry(
        transaction,
        keysOf(auditKeys),
        {
          ...{ tenantId: chainId, entryId: context.newId(), actor: 'staff:ada', action: 'test.done', objectType: 'test' },
          ...{ objectId: `o${index}`, before: null, after: null },
        },
        context.now(),
      ),
    );
  const read = (auditKeys: string) => {
    const resources = { database: context.database, auditKeys: keysOf(auditKeys) };
    return verifyAudit({ resources, now: context.now }, { tenantId: chainId, from: null, kept: null });
  };
  await write('', 1);
  await write(ring('a1', 2), 2);
  const rotated = `${ring('a2', 3)},${ring('a1', 2)}`;
  await write(rotated, 3);
  expect(await read(rotated)).toMatchObject({ kind: 'verified', count: 3 });
  expect(await read(ring('a2', 3))).toMatchObject({ kind: 'broken', position: 2, why: 'unknown_key' });
  expect(await read(`${ring('a2', 4)},${ring('a1', 2)}`)).toMatchObject({ kind: 'broken', position: 3, why: 'changed' });
});

test('all chains are verified one by one, and a merchant whose chain is gone is named', async () => {
  const store = { database: context.database, auditKeys: context.resources.auditKeys };
  const gone = await testMerchant(context, 'Gone');
  await tamper('DELETE FROM audit_entry WHERE tenant_id = $1', [gone]);
  await context.database.pool.query('DELETE FROM audit_head WHERE tenant_id = $1', [gone]);
  const results = new Map<string, string>();
  for await (const { tenantId: id, name, outcome } of verifyChains(store, { tenantId: null, kept: [] })) {
    results.set(id, `${name} ${outcome.kind}`);
  }
  expect(results.get(tenantId)).toBe('Balogun Books verified');
  expect(results.get(gone)).toBe('Gone broken');
});

test('the log is paged by key in both orders without a gap or a repetition, counted, and filtered by who, what and when', async () => {
  const filter = {
    tenantIds: [tenantId, NIL_ID],
    actors: [],
    actions: [],
    objectTypes: [],
    objectId: null,
    from: null,
    to: null,
  };
  const readAll = async (newestFirst: boolean) => {
    const seen: string[] = [];
    let after: Awaited<ReturnType<typeof listAudit>>['next'] = null;
    do {
      const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(context, {
        ...filter,
        tenantIds: [tenantId],
        newestFirst,
        after,
        limit: 2,
      });
      seen.push(...page.items.map(({ entryId }) => entryId));
      after = page.next;
    } while (after !== null);
    return seen;
  };
  const seen = await readAll(true);
  expect(new Set(seen).size).toBe(7);
  expect(seen).toHaveLength(7);
  expect(await readAll(false)).toEqual(seen.toReversed());
  const counted = (change: Partial<typeof filter> | { actions: string[] }) =>
    countAudit(context, { ...filter, ...change, tenantIds: [tenantId] });
  expect(await counted({})).toEqual({ count: 7, more: false });
  expect(await counted({ actions: ['test.done'] })).toEqual({ count: 6, more: false });
  const count = async (change: Partial<typeof filter> | { actions: string[] }) =>
    (await listAudit(context, { ...filter, ...change, tenantIds: [tenantId], after: null, limit: 50 })).items.length;
  expect(await count({ actions: ['test.done'] })).toBe(6);
  expect(await count({ actions: ['test.undone'] })).toBe(0);
  const rest = { ...filter, tenantIds: [tenantId], after: null, limit: 50 };
  expect((await listAudit(context, { ...rest, objectId: 'o3' })).items).toHaveLength(1);
  expect((await listAudit(context, { ...rest, actors: ['staff:ada'] })).items).toHaveLength(6);
  expect((await listAudit(context, { ...rest, to: new Date(0) })).items).toHaveLength(0);
  expect((await listAudit(context, { ...rest, objectTypes: ['merchant'] })).items[0]?.actorName).toBe('Switchyard (test)');
});

test('the number of entries is exact beyond ten thousand, without a filter and with one', async () => {
  const { pool } = context.database;
  const chain = context.newId();
  await tamper(
    `INSERT INTO audit_entry (tenant_id, id, position, actor, action, object_type, object_id, created_at, previous, hash, key_id)
     SELECT $1, gen_random_uuid(), number, 'staff:ada', 'test.done', 'test', 'o', now(), '\\x00', '\\x00', 'k1'
     FROM generate_series(1, 10001) AS number`,
    [chain],
  );
  await pool.query(
    `INSERT INTO audit_head (tenant_id, position, hash, key_id, seal, updated_at) VALUES ($1, 10001, '\\x00', 'k1', '\\x00', now())`,
    [chain],
  );
  const any = { actors: [], actions: [], objectTypes: [], objectId: null, from: null, to: null };
  expect(await countAudit(context, { ...any, tenantIds: [chain] })).toEqual({ count: 10_001, more: false });
  expect(await countAudit(context, { ...any, tenantIds: [chain, tenantId] })).toEqual({ count: 10_008, more: false });
  const all = { count: 10_001, more: false };
  expect(await countAudit(context, { ...any, actors: ['staff:ada'], tenantIds: [chain] })).toEqual(all);
  expect(await countAudit(context, { ...any, from: new Date(0), tenantIds: [chain] })).toEqual(all);
});

test.each([1, 2, 5])('%i entries that are appended at once continue the chain as single ones do', async (count) => {
  const entries = Array.from({ length: count }, (_, index) => entryOf(6 + index));
  await context.database.prisma.$transaction((transaction) =>
    appendAuditEntries(transaction, context.resources.auditKeys, entries, context.now()),
  );
  await append(6 + count);
  expect(await verify()).toMatchObject({ kind: 'verified', count: 8 + count });
  const stored = await readAuditChain(context.database, tenantId, 7, 100);
  expect(stored.map(({ objectId }) => objectId)).toEqual(Array.from({ length: count + 1 }, (_, index) => `o${6 + index}`));
});
