import { verifyDecisions } from '@switchyard/payments/console/routing';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { findWrongRollups, updateRollups } from '@switchyard/reporting/rollups';
import { createTestMerchant, testStaff } from '@switchyard/runtime/testing';
import { verifyAudit } from '@switchyard/staff/audit-log';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  CUSTOMER_COLUMNS,
  columnsWith,
  type FixturePerson,
  type FixtureRows,
  fillCustomer,
  insertRow,
  readAllRows,
  STORED_TEXTS,
  type StoredRow,
  textOf,
  UNPACKED_COLUMNS,
} from '../testing/customer-fixture.ts';
import { eraseCustomer, previewErasure } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';

const actor = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';
const ADA = { email: 'Canary.Ada@Example.com', phone: '+234 803 555 0199', customerId: 'CUST-CANARY-7' };
const BISI = { email: 'bisi@example.com', phone: '0803 777 1234', customerId: 'CUST-BISI-8' };
/** Spellings of Ada's number, as she and gateways write it. */
const ADA_TEXTS = [...Object.values(ADA), '08035550199', '2348035550199'];

let context: TestPayments;
type World = Readonly<Record<'ada' | 'bisi' | 'elsewhere' | 'live', FixturePerson & FixtureRows>>;
let world: World;

beforeAll(async () => {
  context = await openTestPayments();
  const staffId = await testStaff(context);
  const [one, other] = [
    await createTestMerchant(context, { 'paystack-main': {} }),
    await createTestMerchant(context, { 'paystack-main': {} }),
  ];
  // About a longer number, which is another person's.
  await insertRow(context, 'saved_view', {
    id: context.newId(),
    page: 'payments',
    query: 'search=080355501990',
    owner_id: staffId,
  });
  const fill = async (tag: string, of: typeof one, mode: 'test' | 'live', who: typeof ADA) => {
    const accountId = of.accounts['paystack-main'] ?? '';
    const person = { merchantId: of.merchantId, accountId, mode, tag: `tag-${tag}`, staffId, ...who };
    return { ...person, ...(await fillCustomer(context, person)) };
  };
  world = {
    ada: await fill('ada', one, 'test', ADA),
    bisi: await fill('bisi', one, 'test', BISI),
    elsewhere: await fill('elsewhere', other, 'test', ADA),
    live: await fill('live', one, 'live', ADA),
  };
});
afterAll(() => context.close());

test('every column that can hold text says whom it is about', async () => {
  const { rows } = await context.database.pool.query<{ name: string; type: string }>(
    `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, NULL) AS type
     FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid JOIN pg_namespace AS s ON s.oid = c.relnamespace
     WHERE s.nspname = 'public' AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const texts = rows.filter(({ type }) => /^(text|character|citext|json|bytea|xml|inet|hstore)/.test(type));
  const said = Object.entries(STORED_TEXTS).flatMap(([table, { plain = '', staff = '', customer = {} }]) =>
    [...plain.split(' '), ...staff.split(' '), ...Object.keys(customer)]
      .filter((column) => column !== '')
      .map((column) => `${table}.${column}`),
  );
  const missing = texts.filter(({ name }) => !said.includes(name)).map(({ name }) => name);
  expect(missing, 'say in privacy/src/testing/stored-texts.ts, and in docs/privacy.md, whom these columns are about').toEqual([]);
  expect(said.filter((name) => !texts.some((column) => column.name === name))).toEqual([]);
  expect(said.length).toBe(new Set(said).size);
  // A packed text is in no form that a search finds.
  const packed = texts.filter(({ name, type }) => type === 'bytea' && name.includes('packed')).map(({ name }) => name);
  expect(
    packed.filter((name) => !UNPACKED_COLUMNS.includes(name)),
    'read these in customer-fixture.ts',
  ).toEqual([]);
});

const columnsOf = (of: FixturePerson, rows: readonly StoredRow[]) => columnsWith(rows, [of.tag]);

/** Columns about customers in which their tag is not. */
const WITHOUT_TAG = [
  ...['payment.customer_country', 'payment.customer_email', 'payment.customer_id', 'payment.customer_phone'],
  'api_request.path',
];
const TAGGED = Object.keys(CUSTOMER_COLUMNS).filter((column) => !WITHOUT_TAG.includes(column));

async function erase(subject: Parameters<typeof previewErasure>[1]) {
  const preview = await previewErasure(context, subject);
  const confirmation = preview.kind === 'found' ? preview.preview.confirmation : '';
  return eraseCustomer(context, { subject, confirmation, actor });
}

/** Columns by which a row is the same before and after. */
const KEYS = ['id', 'attempt_id', 'key', 'delivery_id', 'number', 'run_id', 'change_id', 'tenant_id', 'canary_id', 'payment_id'];
const keyOf = ({ table, columns }: StoredRow) => [table, ...KEYS.map((key) => columns[key])].join(' ');
const textOfRow = ({ table, columns }: StoredRow) => JSON.stringify([table, columns]);

/** Rows that differ, before and after, paired by their key. */
function changedRows(before: readonly StoredRow[], after: readonly StoredRow[]) {
  const texts = new Set(after.map(textOfRow));
  const byKey = new Map(after.map((row) => [keyOf(row), row]));
  const known = new Set(before.map(keyOf));
  const changed = before.filter((row) => !texts.has(textOfRow(row))).map((was) => ({ was, is: byKey.get(keyOf(was)) }));
  return { changed, added: after.filter((row) => !known.has(keyOf(row))).map(({ table }) => table) };
}

/** Columns that an erasure changes beside those about the person. */
const BOOKKEEPING = [
  ...['audit_head.hash', 'audit_head.position', 'audit_head.seal', 'audit_head.updated_at'],
  ...['payment.customer_erased_at', 'payment.updated_at', 'payment.version'],
  ...['report_schedule.removed_at', 'report_schedule.updated_at'],
];
/** Tables whose rows an erasure deletes. The record of a refund stays without its reason. */
const DELETED = ['dispute_evidence', 'idempotency_record', 'payer', 'report_file', 'saved_view'];

describe('a customer with a text in every column about customers', () => {
  test('has one in each, and none elsewhere', async () => {
    const rows = await readAllRows(context);
    for (const person of Object.values(world)) {
      expect(columnsOf(person, rows), 'fill what is missing in customer-fixture.ts').toEqual(TAGGED.toSorted());
    }
    const found = columnsWith(rows, ADA_TEXTS);
    for (const column of WITHOUT_TAG.slice(1)) expect(found).toContain(column);
  });

  test('is exported with each of them, and nothing of another customer, merchant or mode', async () => {
    const { ada, ...others } = world;
    const subject = { merchantId: ada.merchantId, mode: ada.mode, email: ADA.email };
    const outcome = await exportCustomer(context, { subject, actor });
    if (outcome.kind !== 'exported') throw new Error(outcome.kind);
    const exported = JSON.stringify(JSON.parse(outcome.json));
    const isIn = (column: string) => {
      const text = textOf(ada, column).split(':')[0] ?? '';
      return [text, encodeURIComponent(text)].some((form) => exported.includes(JSON.stringify(form).slice(1, -1)));
    };
    for (const [column, { exported: expected }] of Object.entries(CUSTOMER_COLUMNS)) {
      if (WITHOUT_TAG.includes(column)) continue;
      const isExpected = expected === true;
      const isThere =
        column === 'dispute_evidence.content'
          ? exported.includes(Buffer.from(textOf(ada, column)).toString('base64'))
          : isIn(column);
      expect([column, isThere]).toEqual([column, isExpected]);
    }
    expect(JSON.parse(outcome.json)).toMatchObject({
      apiRequests: [{}, { path: `/v1/payments/${encodeURIComponent(ADA.email)}` }],
      payments: [{ customerEmail: ADA.email, customerPhone: ADA.phone, customerId: ADA.customerId, customerCountry: 'NG' }],
    });
    for (const { tag, paymentId, refundId } of Object.values(others)) {
      for (const text of [tag, paymentId, refundId]) expect(`${outcome.json}${outcome.csv}`).not.toContain(text);
    }
  });

  test('is erased from all of them but those that stay, and every other row is as it was to the byte', async () => {
    const { ada } = world;
    const before = await readAllRows(context);
    context.setClock(new Date(context.now().getTime() + 1_000));
    const kept = Object.entries(CUSTOMER_COLUMNS).filter(([column, { erased }]) => erased === 'never' && TAGGED.includes(column));
    const outcome = await erase({ merchantId: ada.merchantId, mode: ada.mode, email: ADA.email.toUpperCase() });
    expect(outcome).toEqual({
      kind: 'erased',
      counts: {
        payments: 1,
        attempts: 1,
        gatewayWebhooks: 1,
        notes: 1,
        timelineEvents: 5,
        refunds: 1,
        duplicateCharges: 1,
        idempotencyRecords: 1,
        deliveryAnswers: 2,
        apiRequests: 3,
        discrepancies: 2,
        disputeAnswers: 1,
        savedViews: 3,
        reportFiles: 2,
        reportSchedules: 1,
      },
    });
    const after = await readAllRows(context);
    expect(columnsOf(ada, after)).toEqual(kept.map(([column]) => column).sort());
    const { changed, added } = changedRows(before, after);
    expect(added).toEqual(['audit_entry']);
    expect([...new Set(changed.filter(({ is }) => is === undefined).map(({ was }) => was.table))].sort()).toEqual(DELETED);
    const differing = changed.flatMap(({ was, is }) =>
      Object.entries(is?.columns ?? {}).flatMap(([column, value]) =>
        value === was.columns[column] ? [] : `${was.table}.${column}`,
      ),
    );
    const erased = Object.keys(CUSTOMER_COLUMNS).filter((column) => CUSTOMER_COLUMNS[column]?.erased !== 'never');
    const emptied = erased.filter(
      (column) => column === 'idempotency_record.body' || !DELETED.includes(column.split('.')[0] ?? ''),
    );
    expect([...new Set(differing)].sort()).toEqual([...emptied, ...BOOKKEEPING].sort());
    // Files of the merchant and mode are made again without the person; a view belongs to no merchant, and a refused request may be in the
    // wrong mode: both are of the person whom they name.
    const others = changed.filter(({ was }) => columnsWith([was], [ada.tag, ada.paymentId, ada.refundId]).length === 0);
    expect(others.map(({ was }) => was.table).sort()).toEqual([
      'api_request',
      'audit_head',
      'report_file',
      'saved_view',
      'saved_view',
    ]);
    await updateRollups(context);
    expect(await findWrongRollups(context.database.url, () => undefined)).toEqual([]);
    // The decision can be computed again as before: its message of a gateway is no part of that.
    const { failed } = await verifyDecisions(context.database, { merchantIds: null, size: null, random: () => 0 });
    expect(failed.filter(({ paymentId }) => paymentId === ada.paymentId)).toEqual([]);
    expect((await verifyAudit(context, { tenantId: ada.merchantId, from: null, kept: null })).kind).toBe('verified');
    for (const other of [world.bisi, world.live, world.elsewhere]) {
      const gone = other.email === ada.email ? ['saved_view.name', 'saved_view.query'] : [];
      const withFiles = other === world.bisi ? ['report_file.content'] : [];
      expect(columnsOf(other, after)).toEqual(TAGGED.filter((column) => ![...gone, ...withFiles].includes(column)).sort());
    }
  });
});
