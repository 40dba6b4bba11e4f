import { newId, type Reports } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { openReports } from '@switchyard/db/process';
import { createTestDatabase, TEST_CONNECTION, type TestDatabase } from '@switchyard/db/testing';
import type { FileQuery } from '@switchyard/nouns/exported-list';
import { amount, code, decimal, flag, moment, namedFields, text } from '@switchyard/nouns/fields';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type FileCursor, readFile } from './list-file.ts';

const columns = namedFields({
  merchant_id: code('The merchant.'),
  created_at: moment('When it was created.'),
  payment_id: code('Its id.', 'p.id'),
  merchant_order_id: text("The merchant's own order reference."),
  amount: amount('The amount of the order.'),
  currency: text('ISO 4217.'),
  fee_amount: decimal("The gateway's fee."),
  customer_email: text("The customer's e-mail address."),
  late: flag('Whether it was paid late.'),
});
const NAMES = columns.map(({ name }) => name);
const BEGAN = Date.parse('2026-03-01T00:00:00Z');

let database: TestDatabase;
let reports: Reports;
beforeAll(async () => {
  database = await createTestDatabase();
  reports = openReports({ url: database.url, ...TEST_CONNECTION, onIdleError: () => undefined });
});
afterAll(async () => {
  await reports.close();
  await database.close();
});

/** Three payments with each timestamp, so that cursors fall between equals. */
async function record(merchantId: string, count: number, odd: { readonly order?: string; readonly email?: string } = {}) {
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at, fee_amount)
    SELECT $1, gen_random_uuid(), 'live', COALESCE($3, 'order-') || n, 'SUCCESS', n, 'NGN', COALESCE($4, 'ada@example.com'), 'smart',
      false, 1, '', '', 'paystack', now(), 1, gen_random_uuid(), now(),
      to_timestamp($5::float8 / 1000) + (n / 3) * interval '1 second', now(), 1.5 FROM generate_series(1, $2::int) AS n`,
    [merchantId, count, odd.order ?? null, odd.email ?? null, BEGAN],
  );
}

const of = (...merchantIds: string[]): FileQuery => ({
  columns,
  order: 'time',
  table: 'payment',
  merchantIds,
  conditions: [Prisma.sql`p.mode = 'live'::mode`],
});

/** Rows of a file, each as JSON. */
async function read(query: FileQuery, format: 'csv' | 'ndjson', after: FileCursor | null = null): Promise<string[]> {
  const found: string[] = [];
  for await (const { rows } of readFile(reports, query, { format, after })) found.push(...rows);
  return found;
}

function cells(row: string): Record<string, string> {
  const values: (string | null)[] = JSON.parse(row);
  expect(values).toHaveLength(NAMES.length);
  return Object.fromEntries(NAMES.map((name, at) => [name, values[at] ?? '']));
}

describe('a file of payments', () => {
  test('resumes exactly after any row', async () => {
    const merchants = [newId(), newId(), newId()];
    for (const merchantId of merchants) await record(merchantId, 20);
    const whole = await read(of(...merchants), 'csv');
    expect(new Set(whole).size).toBe(60);
    for (const [at, row] of whole.entries()) {
      const { merchant_id: merchantId = '', payment_id: id = '', created_at: createdAt = '' } = cells(row);
      const rest = await read(of(...merchants), 'csv', { merchantId, id, createdAt: new Date(createdAt) });
      expect(rest).toEqual(whole.slice(at + 1));
    }
  });

  test('loses no character of any text', async () => {
    const merchantId = newId();
    const order = `=x"\t\\,\r\n'₦😀\u0001`;
    await record(merchantId, 1, { order });
    const [row = ''] = await read(of(merchantId), 'csv');
    expect(cells(row).merchant_order_id).toBe(`${order}1`);
    const [json = ''] = await read(of(merchantId), 'ndjson');
    expect(json).not.toContain('\n');
    expect(JSON.parse(json).merchant_order_id).toBe(`${order}1`);
  });

  test('has the same content as NDJSON, with every column by its name', async () => {
    const merchantId = newId();
    await record(merchantId, 2);
    const rows = (await read(of(merchantId), 'ndjson')).map((line) => JSON.parse(line));
    expect(rows.map((row) => Object.keys(row))).toEqual([NAMES, NAMES]);
    const [first = ''] = await read(of(merchantId), 'csv');
    const values = Object.entries(rows[0]).map(([name, value]) => [name, value === null ? '' : String(value)]);
    expect(Object.fromEntries(values)).toEqual(cells(first));
    expect(rows.find(({ amount }) => amount === 1)).toMatchObject({
      merchant_id: merchantId,
      fee_amount: '1.5',
      created_at: '2026-03-01T00:00:00.000Z',
    });
  });

  test('never reads more than one chunk ahead, and no chunk grows', async () => {
    const merchants = [newId(), newId()];
    for (const merchantId of merchants) await record(merchantId, 2_600);
    let requested = 0;
    const counted: Pick<Reports, 'read'> = {
      read: (questions, options) => {
        requested += 1;
        return reports.read(questions, options);
      },
    };
    const sizes: number[] = [];
    for await (const { rows } of readFile(counted, of(...merchants), { format: 'csv', after: null })) {
      sizes.push(rows.length);
      expect(requested).toBeLessThanOrEqual(sizes.length + 1);
    }
    expect(sizes).toEqual([1_000, 1_000, 1_000, 1_000, 1_000, 200]);
  });

  test('without payments has no rows', async () => {
    expect(await read(of(newId()), 'csv')).toEqual([]);
    expect(await read(of(), 'ndjson')).toEqual([]);
  });

  test('ends when its reader stops, and leaves nothing running', async () => {
    const merchantId = newId();
    await record(merchantId, 3_000);
    for await (const { rows } of readFile(reports, of(merchantId), { format: 'ndjson', after: null })) {
      expect(rows).toHaveLength(1_000);
      break;
    }
    const running = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE application_name = 'switchyard reports' AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()`;
    await expect.poll(async () => (await database.pool.query(running)).rows).toEqual([{ n: 0 }]);
  });

  test('contains what its filter selects, and nothing of other merchants', async () => {
    const ours = newId();
    const theirs = newId();
    await record(ours, 5);
    await record(theirs, 5);
    const conditions = [Prisma.sql`p.amount >= ${3n}::int8`, Prisma.sql`p.created_at < ${new Date(BEGAN + 1_500)}::timestamptz`];
    const lines = (await read({ ...of(ours), conditions }, 'csv')).map(cells);
    expect(lines.map(({ merchant_id, amount }) => [merchant_id, amount]).sort()).toEqual(['3', '4', '5'].map((n) => [ours, n]));
  });
});
