import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/index.ts';
import { newId } from '../uuid-v7.ts';
import { type FilePlace, streamFile } from './list-file.ts';
import { paymentFile } from './payment-file.ts';
import { PAYMENT_FILE_COLUMNS } from './payment-file-columns.ts';
import type { PaymentKeysFilter } from './payment-keys.ts';
import { openReports, type Reports } from './read-only.ts';

const NAMES = PAYMENT_FILE_COLUMNS.map(({ name }) => name);
const BEGAN = Date.parse('2026-03-01T00:00:00Z');

let database: TestDatabase;
let reports: Reports;
beforeAll(async () => {
  database = await createTestDatabase();
  reports = openReports({ url: database.url, onIdleError: () => undefined });
});
afterAll(async () => {
  await reports.close();
  await database.close();
});

/** Payments three to a moment, so that places in the file lie between equals. */
async function record(merchantId: string, count: number, odd: { readonly order?: string; readonly email?: string } = {}) {
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, routing, routing_inputs, recommended_gateway, fallback_gateways, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at, fee_amount)
    SELECT $1, gen_random_uuid(), 'live', COALESCE($3, 'order-') || n, 'SUCCESS', n, 'NGN', COALESCE($4, 'ada@example.com'), 'smart',
      false, 1, '{}', '{}', 'paystack', '[]', now(), 1, gen_random_uuid(), now(),
      to_timestamp($5::float8 / 1000) + (n / 3) * interval '1 second', now(), 1.5 FROM generate_series(1, $2::int) AS n`,
    [merchantId, count, odd.order ?? null, odd.email ?? null, BEGAN],
  );
}

const of = (...merchantIds: string[]): PaymentKeysFilter => ({
  ...{ merchantIds, mode: 'live', statuses: [], gateways: [], accountIds: [], methods: [], ruleIds: [] },
  ...{ amountFrom: null, amountTo: null, createdFrom: null, createdTo: null, late: null, underReview: null },
});

async function read(filter: PaymentKeysFilter, format: 'csv' | 'ndjson', after: FilePlace | null = null): Promise<string> {
  let text = '';
  for await (const { bytes } of streamFile(reports, paymentFile(filter), { format, after }))
    text += Buffer.from(bytes).toString();
  return text;
}

function cells(line: string): Record<string, string> {
  const found = [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)];
  return Object.fromEntries(NAMES.map((name, at) => [name, found[at]?.[1]?.replaceAll('""', '"') ?? found[at]?.[2] ?? '']));
}

describe('a file of payments', () => {
  test('goes on exactly after any row it is asked to go on after', async () => {
    const merchants = [newId(), newId(), newId()];
    for (const merchantId of merchants) await record(merchantId, 20);
    const whole = await read(of(...merchants), 'csv');
    const [titles, ...lines] = whole.split('\r\n').slice(0, -1);
    expect(titles).toBe(NAMES.join(','));
    expect(new Set(lines).size).toBe(60);
    for (const [at, line] of lines.entries()) {
      const { merchant_id: merchantId = '', payment_id: id = '', created_at: createdAt = '' } = cells(line);
      const rest = await read(of(...merchants), 'csv', { merchantId, id, createdAt: new Date(createdAt) });
      expect(rest.split('\r\n').slice(0, -1)).toEqual(lines.slice(at + 1));
    }
  });

  test('has no cell that a spreadsheet takes for a formula, and loses no quote, comma or line', async () => {
    const beginnings = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    for (const beginning of beginnings) {
      const merchantId = newId();
      await record(merchantId, 1, { order: `${beginning}HYPERLINK("x";A1),`, email: 'a"b,c\n@example.com' });
      const [, line = ''] = /^[^\r]*\r\n([\s\S]*)\r\n$/.exec(await read(of(merchantId), 'csv')) ?? [];
      const { merchant_order_id: order, customer_email: email } = cells(line);
      expect(order).toBe(`'${beginning}HYPERLINK("x";A1),1`);
      expect(email).toBe('a"b,c\n@example.com');
      const [json] = (await read(of(merchantId), 'ndjson')).trimEnd().split('\n');
      expect(JSON.parse(json ?? '').merchant_order_id).toBe(`${beginning}HYPERLINK("x";A1),1`);
    }
  });

  test('says the same in lines of JSON, with every column by its name', async () => {
    const merchantId = newId();
    await record(merchantId, 2);
    const rows = (await read(of(merchantId), 'ndjson'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(rows.map((row) => Object.keys(row))).toEqual([NAMES, NAMES]);
    const [first = ''] = (await read(of(merchantId), 'csv')).split('\r\n').slice(1);
    const told = Object.entries(rows[0]).map(([name, value]) => [name, value === null ? '' : String(value)]);
    expect(Object.fromEntries(told)).toEqual(cells(first));
    expect(rows.find(({ amount }) => amount === 1)).toMatchObject({
      merchant_id: merchantId,
      fee_amount: '1.5',
      created_at: '2026-03-01T00:00:00.000Z',
    });
  });

  test('never has more than one piece in hand that nobody asked for, and no piece grows', async () => {
    const merchants = [newId(), newId()];
    for (const merchantId of merchants) await record(merchantId, 13_000);
    let asked = 0;
    const counted: Pick<Reports, 'read'> = {
      read: (questions, options) => {
        asked += 1;
        return reports.read(questions, options);
      },
    };
    const sizes: number[] = [];
    for await (const { rows } of streamFile(counted, paymentFile(of(...merchants)), { format: 'csv', after: null })) {
      sizes.push(rows);
      expect(asked).toBeLessThanOrEqual(sizes.length + 1);
    }
    expect(sizes).toEqual([5_000, 5_000, 5_000, 5_000, 5_000, 1_000]);
  });

  test('of nothing is its titles', async () => {
    expect(await read(of(newId()), 'csv')).toBe(`${NAMES.join(',')}\r\n`);
    expect(await read(of(newId()), 'ndjson')).toBe('');
    expect(await read(of(), 'csv')).toBe(`${NAMES.join(',')}\r\n`);
  });

  test('ends when its reader leaves, and leaves nothing running', async () => {
    const merchantId = newId();
    await record(merchantId, 12_000);
    for await (const { rows } of streamFile(reports, paymentFile(of(merchantId)), { format: 'ndjson', after: null })) {
      expect(rows).toBe(5_000);
      break;
    }
    const running = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE application_name = 'switchyard reports' AND state = 'active' AND pid <> pg_backend_pid() AND datname = current_database()`;
    await expect.poll(async () => (await database.pool.query(running)).rows, { timeout: 30_000 }).toEqual([{ n: 0 }]);
  });

  test('holds what its filter says, and nothing of other merchants', async () => {
    const [ours, theirs] = [newId(), newId()];
    await record(ours, 5);
    await record(theirs, 5);
    const filter = { ...of(ours), amountFrom: 3n, createdTo: new Date(BEGAN + 1_500) };
    const lines = (await read(filter, 'csv')).split('\r\n').slice(1, -1).map(cells);
    expect(lines.map(({ merchant_id, amount }) => [merchant_id, amount]).sort()).toEqual(['3', '4', '5'].map((n) => [ours, n]));
  });
});
