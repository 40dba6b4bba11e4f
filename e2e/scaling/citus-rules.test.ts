import { readFileSync } from 'node:fs';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { applyRollupChanges } from '@switchyard/reporting/rollups';
import { loadModule, parseSync } from 'libpg-query';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../harness/harness.ts';
import { type Catalog, readCatalog, schemaFindings } from './citus-catalog.ts';
import { ACROSS_MERCHANTS, FUNCTIONS, LOCAL_TABLES, REFERENCE_TABLES, TRIGGERS } from './citus-plan.ts';
import { passPayments } from './pass-payments.ts';
import { recordStatements, type SentStatement } from './record-statements.ts';
import { statementFindings } from './statement-findings.ts';

const DOCUMENT = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
/** The commands that the document gives. */
const COMMANDS = [...DOCUMENT.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, block]) => block ?? '');
const DISTRIBUTE = COMMANDS.flatMap((block) => [
  ...block.matchAll(/^SELECT create_distributed_table\('(\w+)', '(\w+)', colocate_with => '(\w+)'\);/gm),
]).map(([, table = '', column = '', colocatedWith = '']) => ({ table, column, colocatedWith }));
const REFERENCE = COMMANDS.flatMap((block) => [...block.matchAll(/^SELECT create_reference_table\('(\w+)'\);/gm)]).map(
  ([, table = '']) => table,
);

let migrated: TestDatabase;
beforeAll(async () => {
  await loadModule();
  migrated = await createTestDatabase();
});
afterAll(() => migrated.close());

const catalogOf = () => readCatalog(migrated);

describe('the tables', () => {
  test('are each distributed by merchant, copied to every node, or kept on the coordinator, as the document says', async () => {
    const { tables, distributedBy } = await catalogOf();
    expect(tables.filter((table) => table in REFERENCE_TABLES)).toEqual(Object.keys(REFERENCE_TABLES).sort());
    expect(tables.filter((table) => table in LOCAL_TABLES)).toEqual(Object.keys(LOCAL_TABLES).sort());
    const others = tables.filter((table) => !(table in REFERENCE_TABLES) && !(table in LOCAL_TABLES));
    expect([...distributedBy.keys()].sort()).toEqual(others);
    expect(DISTRIBUTE.map(({ table, column }) => [table, column]).sort()).toEqual([...distributedBy].sort());
    expect(REFERENCE.toSorted()).toEqual(Object.keys(REFERENCE_TABLES).sort());
  });

  test('are distributed after those that their foreign keys name, and share shards with them', async () => {
    const { foreignKeys, distributedBy } = await catalogOf();
    const order = DISTRIBUTE.map(({ table }) => table);
    const early = foreignKeys.filter(
      ({ table, references }) => distributedBy.has(table) && order.indexOf(references) > order.indexOf(table),
    );
    expect(early).toEqual([]);
    expect(DISTRIBUTE.map(({ colocatedWith }) => colocatedWith)).toEqual(['none', ...Array(order.length - 1).fill(order[0])]);
  });

  test('need no change of their keys', async () => {
    expect(schemaFindings(await catalogOf())).toEqual([]);
  });

  test('that break a rule are found', async () => {
    const planted = await createTestDatabase();
    await planted.pool.query(`CREATE TABLE voucher (merchant_id uuid, id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code text UNIQUE,
      number serial, payment_id uuid, grantee uuid REFERENCES staff_user (id), UNIQUE (merchant_id, id))`);
    await planted.pool.query(`CREATE TABLE voucher_use (merchant_id uuid, voucher_id bigint REFERENCES voucher (id), other uuid,
      PRIMARY KEY (merchant_id, voucher_id), FOREIGN KEY (other, voucher_id) REFERENCES voucher (merchant_id, id))`);
    expect(schemaFindings(await readCatalog(planted))).toEqual([
      'voucher.id takes its values from a sequence',
      'voucher.number takes its values from a sequence',
      'voucher.voucher_code_key is unique across shards',
      'voucher.voucher_grantee_fkey names staff_user, which is on the coordinator',
      'voucher.voucher_pkey is unique across shards',
      'voucher_use.voucher_use_other_voucher_id_fkey does not match distribution columns',
      'voucher_use.voucher_use_voucher_id_fkey does not match distribution columns',
    ]);
    await planted.close();
  });

  test('have no trigger and no function that the plan does not judge', async () => {
    const { triggers, functions } = await catalogOf();
    expect(triggers).toEqual(
      Object.entries(TRIGGERS)
        .map(([name, { calls }]) => `${name} calls ${calls}`)
        .sort(),
    );
    expect(functions).toEqual(Object.keys(FUNCTIONS).sort());
    for (const name of Object.keys(TRIGGERS)) expect(DOCUMENT).toContain(`\`${name.split('.')[1]}\``);
  });
});

test('a trigger stays as it is when its function names no distributed table', async () => {
  const { distributedBy } = await catalogOf();
  const { rows } = await migrated.pool.query<{ name: string; body: string }>(
    "SELECT proname AS name, prosrc AS body FROM pg_proc WHERE pronamespace = 'public'::regnamespace",
  );
  const bodies = new Map(rows.map(({ name, body }) => [name, body]));
  const table = new RegExp(`\\b(${[...distributedBy.keys()].join('|')})\\b`);
  for (const { calls, verdict } of Object.values(TRIGGERS)) {
    expect([calls, verdict]).toEqual([calls, table.test(bodies.get(calls) ?? '') ? 'replace' : 'as it is']);
  }
});

describe('the statements of a payment', () => {
  let harness: Harness;
  let catalog: Catalog;
  const sent: SentStatement[] = [];

  beforeAll(async () => {
    harness = await startHarness({ worker: false });
    const { database } = harness.switchyard.payments.resources;
    for (const pool of [database.pool, database.batches]) recordStatements(pool, (statement) => sent.push(statement));
    await passPayments(harness);
    await applyRollupChanges(database, 100);
    catalog = await readCatalog(harness.database);
  });
  afterAll(() => harness.close());

  test('go to one merchant’s shard each, but for those that are named with what has to change', () => {
    const found = new Map<string, Set<string>>();
    for (const statement of sent) {
      const { name, findings } = statementFindings(statement, catalog);
      if (findings.length > 0) found.set(name, new Set([...(found.get(name) ?? []), ...findings]));
    }
    const named = Object.fromEntries([...found].sort().map(([name, findings]) => [name, [...findings].sort()]));
    const expected = Object.fromEntries(
      Object.entries(ACROSS_MERCHANTS)
        .filter(([name, { seldom = false }]) => !seldom || found.has(name))
        .sort()
        .map(([name, { findings }]) => [name, [...findings].sort()]),
    );
    expect(named).toEqual(expected);
    for (const name of Object.keys(ACROSS_MERCHANTS)) expect(DOCUMENT).toContain(`\`${name}\``);
  });

  test('are all there: the ones that every payment runs, and Prisma’s', () => {
    const names = new Set(sent.map(({ name }) => name));
    for (const name of ON_EVERY_PATH) expect([...names]).toContain(name);
    expect(sent.filter(({ name, text }) => name === null && text.includes('"public"."timeline_event"')).length).toBeGreaterThan(
      0,
    );
  });

  const planted: readonly [string, string, readonly unknown[], readonly string[]][] = [
    ['a read without its merchant', 'SELECT id FROM payment WHERE id = $1', ['p'], ['payment is read of all merchants']],
    [
      'a join by an id alone',
      'SELECT a.id FROM payment AS p JOIN attempt AS a ON a.payment_id = p.id WHERE p.merchant_id = $1',
      ['m'],
      ['attempt is read of all merchants'],
    ],
    [
      'a condition that holds in one case of two',
      'SELECT id FROM payment WHERE merchant_id = $1 OR id = $2',
      ['m', 'p'],
      ['payment is read of all merchants'],
    ],
    [
      'rows of two merchants',
      'INSERT INTO payment_note (merchant_id, id) VALUES ($1, $2), ($3, $4)',
      ['m', 'a', 'n', 'b'],
      ['payment_note is written of all merchants'],
    ],
    [
      'two merchants',
      'SELECT p.id FROM payment AS p, attempt AS a WHERE p.merchant_id = $1 AND a.merchant_id = $2',
      ['m', 'n'],
      ['names 2 merchants'],
    ],
    [
      'a lock across shards',
      'SELECT id FROM payment WHERE status = $1 FOR UPDATE SKIP LOCKED',
      ['PENDING'],
      ['locks rows across shards', 'payment is read of all merchants'],
    ],
    [
      'a conflict on a key without the merchant',
      'INSERT INTO attempt (merchant_id, id) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING',
      ['m', 'a'],
      ['conflicts on attempt (id)'],
    ],
    [
      'a table of the coordinator in a join',
      'SELECT p.id FROM payment AS p JOIN staff_user AS s ON s.id = p.id WHERE p.merchant_id = $1',
      ['m'],
      ['mixes payment with staff_user of the coordinator'],
    ],
    [
      'a volatile function in an update',
      'UPDATE payment SET updated_at = clock_timestamp(), rule_id = gen_random_uuid()::text WHERE merchant_id = $1',
      ['m'],
      ['calls clock_timestamp, which is volatile', 'calls gen_random_uuid, which is volatile'],
    ],
    [
      'a stable function of a column in an update',
      "UPDATE payment SET created_at = date_trunc('day', created_at) WHERE merchant_id = $1",
      ['m'],
      ['calls date_trunc, which is stable, with columns'],
    ],
    [
      'a query among the values of an insert',
      'INSERT INTO payment_note (merchant_id, id) VALUES ($1, (SELECT id FROM merchant LIMIT 1))',
      ['m'],
      ['inserts what a query among its values gives'],
    ],
  ];
  test.each(planted)('%s is found', (_, text, values, findings) => {
    expect(statementFindings({ name: 'planted', text, values }, catalog).findings.toSorted()).toEqual(findings);
  });

  test('a join on the merchant, and a key of the merchant, are taken', () => {
    const text = `WITH changed AS (UPDATE attempt SET state = 'PAID' WHERE (merchant_id, id) IN (SELECT merchant_id, current_attempt_id
        FROM payment WHERE merchant_id = $1 AND id = $2) RETURNING merchant_id, payment_id)
      SELECT p.id FROM changed JOIN payment AS p USING (merchant_id)
      WHERE NOT EXISTS (SELECT FROM refund AS r WHERE r.merchant_id = p.merchant_id AND r.payment_id = p.id)`;
    expect(statementFindings({ name: 'planted', text, values: ['m', 'p'] }, catalog).findings).toEqual([]);
  });
});

test('every command of the document is SQL', () => {
  expect(COMMANDS.length).toBeGreaterThan(2);
  for (const block of COMMANDS) expect(() => parseSync(block)).not.toThrow();
});

const ON_EVERY_PATH = [
  'reserve-payments',
  'settle-opened-initiations',
  'record-fallback',
  'find-payment-by-order',
  'read-payment-answers',
  'find-payments',
  'list-attempts',
  'claim-idempotency-key',
  'find-attempts-by-reference',
  'store-gateway-webhooks',
  'record-webhook-arrival',
  'claim-due-payments',
  'change-payments',
  'schedule-next-checks',
  'mark-refund-sent',
  'claim-due-refunds',
  'claim-due-delivery',
  'settle-delivery-attempt',
  'add-health-counts',
];
