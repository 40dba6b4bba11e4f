import { appendAuditEntry, NIL_ID } from '@switchyard/db';
import { openTestContext, type TestContext, testMerchant } from '@switchyard/merchants/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listAudit } from './list-audit.ts';
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
    appendAuditEntry(
      transaction,
      {
        tenantId,
        entryId: context.newId(),
        actor: 'staff:ada',
        action: 'test.done',
        objectType: 'test',
        objectId: `o${index}`,
        before: null,
        after: { index, text: 'ÄÖ "quoted" \u2028', 7: 'seven', none: null },
      },
      context.now(),
    ),
  );

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

test('the log is paged by key without a gap or a repetition, and filtered by who, what and when', async () => {
  const filter = {
    tenantIds: [tenantId, NIL_ID],
    actors: [],
    actions: [],
    objectTypes: [],
    objectId: null,
    from: null,
    to: null,
  };
  const seen: string[] = [];
  let after: Awaited<ReturnType<typeof listAudit>>['next'] = null;
  do {
    const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(context, {
      ...filter,
      tenantIds: [tenantId],
      after,
      limit: 2,
    });
    seen.push(...page.items.map(({ entryId }) => entryId));
    after = page.next;
  } while (after !== null);
  expect(new Set(seen).size).toBe(7);
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
