import { readFileSync } from 'node:fs';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueToken, revokeToken } from './machine-tokens.ts';
import { authenticateToken } from './token-access.ts';

/* 0.1.0 issues, looks up and revokes tokens in two tables of its own, before an upgrade and beside this version during it. */

const MIGRATION = new URL('../../../../prisma/migrations/20261126001100_machine_tokens/migration.sql', import.meta.url);
const KINDS = [
  { table: 'finance_token', scopes: ['reports'], modes: ['test'] },
  { table: 'agent_token', scopes: ['tools'], modes: [] },
  { table: 'agent_token', scopes: ['tools', 'drafts'], modes: [] },
] as const;

let context: TestContext;
let staffId: string;
beforeAll(async () => {
  context = await openTestContext();
  staffId = await testStaff(context);
});
afterAll(() => context.close());

/** A token and what it may do, which 0.1.0 reads in its table too. */
async function issue({ scopes, modes }: (typeof KINDS)[number]) {
  const merchantIds = modes.map(() => context.newId());
  const access = { scopes, modes, merchantIds, staffId };
  const issued = await issueToken(context, { ...access, name: 'Books', expiresAt: new Date(Date.now() + 86_400_000) });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  return { access, tokenId: issued.listed.id, header: `Bearer ${issued.token}` };
}

const revokedBy = async (table: string, tokenId: string): Promise<unknown> =>
  (await context.database.pool.query(`SELECT revoked_by FROM ${table} WHERE id = $1`, [tokenId])).rows[0]?.revoked_by;

test('tokens that were issued before the upgrade go on working, those that were revoked do not, and saved views are kept', async () => {
  const { pool } = context.database;
  const issued: Awaited<ReturnType<typeof issue>>[] = [];
  for (const kind of KINDS) issued.push(await issue(kind));
  const revoked = await issue(KINDS[0]);
  await revokeToken(context, { tokenId: revoked.tokenId, staffId, actor: `staff:${staffId}` });
  await pool.query(
    `INSERT INTO saved_view (id, page, name, query, owner_id, shared, created_at, updated_at)
     SELECT gen_random_uuid(), page, 'Mine', 'sort=used', $1, false, now(), now() FROM unnest(ARRAY['finance-tokens', 'agent-tokens']) AS page`,
    [staffId],
  );
  await pool.query(`DROP TABLE machine_token CASCADE; DROP TYPE machine_scope CASCADE;
    DROP FUNCTION copy_finance_token, copy_agent_token, copy_machine_token CASCADE`);
  await pool.query(readFileSync(MIGRATION, 'utf8'));
  for (const { access, tokenId, header } of issued) {
    expect(await authenticateToken(context, header)).toMatchObject({ ...access, tokenId });
  }
  expect(await authenticateToken(context, revoked.header)).toBeNull();
  const { rows } = await pool.query(`SELECT name, query FROM saved_view WHERE page = 'machine-tokens'`);
  expect(rows).toEqual([{ name: 'Mine', query: 'sort=used' }]);
});

test.each(KINDS)('what 0.1.0 issues in $table works here: $scopes', async (kind) => {
  const { pool } = context.database;
  const { access, header, tokenId } = await issue(kind);
  await pool.query('DELETE FROM machine_token WHERE id = $1', [tokenId]);
  expect(await authenticateToken(context, header)).toBeNull();
  await pool.query(
    `WITH removed AS (DELETE FROM ${kind.table} WHERE id = $1 RETURNING *) INSERT INTO ${kind.table} SELECT * FROM removed`,
    [tokenId],
  );
  expect(await authenticateToken(context, header)).toMatchObject({ ...access, tokenId });
});

test.each(KINDS)('what is issued here 0.1.0 reads in $table, and what either revokes both refuse: $scopes', async (kind) => {
  const actor = `staff:${staffId}`;
  const ours = await issue(kind);
  expect(await revokedBy(kind.table, ours.tokenId)).toBeNull();
  await revokeToken(context, { tokenId: ours.tokenId, staffId, actor });
  expect(await revokedBy(kind.table, ours.tokenId)).toBe(actor);
  const theirs = await issue(kind);
  const revoke = `UPDATE ${kind.table} SET revoked_at = now(), revoked_by = 'staff:other' WHERE id = $1`;
  await context.database.pool.query(revoke, [theirs.tokenId]);
  expect(await authenticateToken(context, theirs.header)).toBeNull();
});

test('0.1.0 ends a token with every scope where it signs its staff user out', async () => {
  const merchantIds = [context.newId()];
  const rest = { name: 'All', merchantIds, modes: ['test'], staffId, expiresAt: new Date(Date.now() + 86_400_000) } as const;
  const issued = await issueToken(context, { ...rest, scopes: ['tools', 'drafts', 'reports'] });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  await context.database.pool.query('UPDATE agent_token SET revoked_at = now() WHERE id = $1', [issued.listed.id]);
  expect(await authenticateToken(context, `Bearer ${issued.token}`)).toBeNull();
});
