import type { Database } from '@switchyard/db';
import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { listAccountUse } from '@switchyard/payments/console/account-use';
import { listGatewayWebhooks } from '@switchyard/payments/console/gateway-webhooks';
import { listPaymentMessages, listPayments } from '@switchyard/payments/console/payments';
import type { PaymentFilter } from '@switchyard/payments/lists';
import { countOverduePayments } from '@switchyard/payments/sweeping';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { readVolume } from '@switchyard/reporting/figures';
import { listDeliveries, listResends } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { listEvents } from '@switchyard/webhooks/events/list';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INDEXES } from './indexes.ts';

/** A merchant's rows to write. */
interface ManyPayments {
  readonly merchantId: string;
  readonly accountIds: readonly [string, string];
  readonly endpointIds: readonly [string, string];
  readonly count: number;
  /** They are spread evenly over the thirty days before. */
  readonly until: Date;
}

/** A UUIDv7 of a row's time, the same for the same number and kind of row. */
const idOf = (kind: string): string =>
  `overlay(overlay(md5(${kind} || merchant_id || n) PLACING lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' FROM 1)
    PLACING '8' FROM 17)::uuid`;

/** One payment in twenty failed and one in fifty is open; deliveries and webhooks that wait are of the last day. */
const DRAW = `
CREATE TEMP TABLE drawn AS
SELECT *, ${idOf("'payment'")} AS payment_id, ${idOf("'attempt'")} AS attempt_id, ${idOf("'event'")} AS event_id,
  (CASE WHEN n % 20 = 0 THEN 'FAILED' WHEN n % 50 = 1 THEN 'PENDING' WHEN n % 40 = 2 THEN 'REFUNDED' ELSE 'SUCCESS' END)::payment_status
    AS status
FROM (SELECT n, $1::uuid AS merchant_id, ($2::uuid[])[1 + (n % 3 = 0)::int] AS account_id, $3::uuid[] AS endpoint_ids,
  $4::timestamptz AS until, $4::timestamptz - (interval '30 days' * ($5::int - n)) / $5 AS at, n > $5::int * 29 / 30 AS is_new
  FROM generate_series(1, $5::int) AS n) AS numbered`;

/** The record of every event. */
const RECORD = `\\x${packEventBody({ id: '', paymentId: null }, '{}').toString('hex')}`;

const WRITE = [
  `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, customer_id, customer_phone,
     payment_method, routing_mode, smart_routing_bypassed, rule_set_version, rule_id, packed_decision, packed_session, recommended_gateway,
     current_attempt_id, account_id, account_gateway, expires_at, version, status_event_id, status_changed_at,
     failure_reason, review, reversed_at, paid_at, created_at, updated_at)
   SELECT merchant_id, payment_id, 'test', 'order-' || n, status, 100 + (n * 7919) % 90000, 'NGN', 'customer' || n % 3000 || '@example.com',
     'c-' || n % 3000, '+23480' || lpad((n % 3000 * 3331 % 100000000)::text, 8, '0'), 'CARD', 'smart', false, 1, 'cards', '', '',
     'paystack', attempt_id, account_id, 'paystack', at + interval '1 hour', 3, event_id, at,
     CASE WHEN status = 'FAILED' THEN (ARRAY['declined', 'session_expired', 'insufficient_funds'])[1 + n % 3] END,
     CASE WHEN n % 700 = 3 THEN 'OPEN'::review_state END, CASE WHEN n % 900 = 4 THEN at END,
     CASE WHEN status IN ('SUCCESS', 'REFUNDED') THEN at + interval '3 minutes' END, at, at FROM drawn`,
  `INSERT INTO attempt (merchant_id, id, payment_id, position, account_id, gateway, reference, state, failure_class, latency_ms,
     transaction_id, created_at, updated_at)
   SELECT merchant_id, attempt_id, payment_id, 0, account_id, 'paystack', 'sy' || replace(payment_id::text, '-', '') || '00',
     (CASE WHEN status = 'PENDING' THEN 'OPENED' WHEN n % 20 = 0 THEN 'REFUSED' ELSE 'PAID' END)::attempt_state,
     CASE WHEN n % 20 = 0 THEN 'provider_fault' END, 200, CASE WHEN n % 20 > 1 THEN '7' || n END, at, at FROM drawn`,
  `INSERT INTO timeline_event (merchant_id, id, payment_id, type, to_status, cause, detail, created_at)
   SELECT merchant_id, CASE kind WHEN 1 THEN event_id ELSE ${idOf("'begun'")} END, payment_id, 'payment.changed', status, 'api',
     CASE WHEN kind = 1 AND n % 20 > 1 THEN json_build_object('transactionId', '7' || n) ELSE '{}' END, at
   FROM drawn CROSS JOIN generate_series(1, 2) AS kind`,
  `INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
   SELECT merchant_id, payment_id, until, false FROM drawn WHERE status = 'PENDING'`,
  `INSERT INTO merchant_event (merchant_id, id, mode, payment_id, position, type, packed_body, created_at)
   SELECT merchant_id, event_id, 'test', payment_id, 3, 'payment.succeeded', '${RECORD}', at FROM drawn`,
  `INSERT INTO webhook_delivery (merchant_id, id, endpoint_id, event_id, payment_id, position, type, state, attempts, next_attempt_at,
     resend_id, created_at, updated_at)
   SELECT merchant_id, ${idOf("'delivery' || place")}, endpoint, event_id, payment_id, 3, 'payment.succeeded',
     (CASE WHEN is_new AND n % 4 = 0 THEN 'PENDING' WHEN n % 90 = 5 THEN 'FAILED' ELSE 'DELIVERED' END)::delivery_state,
     CASE WHEN n % 60 = 6 THEN 5 ELSE 1 END, CASE WHEN is_new AND n % 4 = 0 THEN until END,
     CASE WHEN n % 80 = 7 THEN endpoint END, at, at FROM drawn, unnest(endpoint_ids) WITH ORDINALITY AS of (endpoint, place)`,
  `INSERT INTO due_delivery (merchant_id, endpoint_id, due_at, delivery_id)
   SELECT merchant_id, endpoint_id, next_attempt_at, id FROM webhook_delivery
   WHERE merchant_id IN (SELECT merchant_id FROM drawn) AND state = 'PENDING'`,
  `INSERT INTO webhook_resend (merchant_id, id, endpoint_id, mode, from_at, to_at, only_undelivered, total, queued, requested_by, created_at,
     updated_at, finished_at)
   SELECT DISTINCT merchant_id, endpoint, endpoint, 'test'::mode, until, until, true, 0, 0, 'staff:ada', until, until, until
   FROM drawn, unnest(endpoint_ids) AS endpoint`,
  `INSERT INTO gateway_webhook (merchant_id, id, account_id, gateway, dedupe_key, event, reference, state, received_at)
   SELECT merchant_id, ${idOf("'webhook'")}, account_id, 'paystack', 'key-' || n, 'charge.success',
     'sy' || replace(payment_id::text, '-', '') || '00',
     (CASE WHEN n % 30 = 8 THEN 'IGNORED' ELSE 'PROCESSED' END)::gateway_webhook_state, at FROM drawn`,
  `INSERT INTO webhook_follow_up (merchant_id, webhook_id, due_at, about)
   SELECT merchant_id, ${idOf("'webhook'")}, at, json_build_object('kind', 'payment', 'attemptId', attempt_id)
   FROM drawn WHERE is_new AND n % 9 = 1 AND n % 30 <> 8`,
];

/** Writes payments of a merchant with all that belongs to them, in the shares that are usual, without triggers. */
async function writeManyPayments({ pool }: Database, of: ManyPayments): Promise<void> {
  const client = await pool.connect();
  const values = [of.merchantId, of.accountIds, of.endpointIds, of.until, of.count];
  try {
    await client.query('SET session_replication_role = replica');
    await client.query(DRAW, values);
    for (const text of WRITE) await client.query(text);
  } finally {
    client.release(true);
  }
}

const DAY_MS = 86_400_000;
/** Payments of three merchants: the use cases are of the one that is neither large nor small. */
const COUNTS = [6_000, 1_500, 500] as const;
const UNTIL = new Date('2026-11-20T14:00:00.000Z');

let context: TestPayments;
const all: string[] = [];
let merchantId: string;
let accountId: string;
let endpointId: string;
let paymentId: string;

beforeAll(async () => {
  context = await openTestPayments();
  for (const count of COUNTS) {
    const ids = await writeMerchant(count);
    all.push(ids.merchantId);
    if (count === COUNTS[1]) ({ merchantId, accountId, endpointId } = ids);
  }
  const { pool, prisma } = context.database;
  ({ id: paymentId } = await prisma.payment.findFirstOrThrow({ where: { merchantId, status: 'SUCCESS' } }));
  await pool.query('VACUUM (ANALYZE)');
  await context.resources.configuration.refresh();
  context.setClock(UNTIL);
});
afterAll(() => context.close());

async function writeMerchant(count: number) {
  const merchantId = await testMerchant(context);
  const accountIds = [
    await connectTestAccount(context, merchantId, 'first'),
    await connectTestAccount(context, merchantId, 'second'),
  ] as const;
  const endpointIds = [await addEndpoint(merchantId, 1), await addEndpoint(merchantId, 2)] as const;
  await writeManyPayments(context.database, { merchantId, accountIds, endpointIds, count, until: UNTIL });
  return { merchantId, accountId: accountIds[0], endpointId: endpointIds[0] };
}

async function addEndpoint(merchantId: string, place: number): Promise<string> {
  const url = `https://shop.example/${place}`;
  const made = await createEndpoint(context, { merchantId, mode: 'test', url, description: '', types: [], actor: 'system:test' });
  if (made.kind !== 'created') throw new Error(made.kind);
  return made.endpoint.id;
}

type Table = keyof typeof INDEXES;
type Index = { [T in Table]: keyof (typeof INDEXES)[T] }[Table];

const page = { after: null, limit: 20 };
const payments = (filter: Partial<PaymentFilter>, by: 'created' | 'amount' = 'created') =>
  listPayments(context, {
    merchantIds: [merchantId],
    mode: 'test',
    ...filter,
    ...page,
    sort: { by, descending: true },
  });
const events = () => {
  const anyTime = { createdFrom: null, createdTo: null };
  return listEvents(context.resources.database, { merchantId, mode: 'test', types: [], paymentId: null, ...anyTime, ...page });
};
const deliveries = (by: 'created' | 'attempts') => {
  return listDeliveries(context, { merchantIds: [merchantId], endpointId, ...page, sort: { by, descending: true } });
};
const messages = () => listPaymentMessages(context, { merchantIds: [merchantId], paymentId });

/** The use cases of {@link INDEXES}, with the product's own statements. */
const USE_CASES: Readonly<Record<Index, () => Promise<unknown>>> = {
  payment_by_creation: () => payments({}),
  payment_of_all_by_creation: () => payments({ merchantIds: all }),
  payment_by_unusual_status: () => payments({ statuses: ['REFUNDED'] }),
  payment_review_open: () => payments({ underReview: true }),
  payment_by_email: () => payments({ customer: 'customer7@example.com' }),
  payment_by_customer: () => payments({ customer: 'c-7' }),
  payment_by_phone_end: () => payments({ search: '+2348000023317' }),
  payment_by_failure: () => payments({ failureReasons: ['session_expired'] }),
  payment_by_amount_and_id: () => payments({}, 'amount'),
  payment_by_reversal: () => payments({ reversed: true }),
  payment_by_refund: () => payments({ displayStatuses: ['PARTLY_REFUNDED'] }),
  payment_by_paid: () =>
    readVolume(context.resources.database.pool, {
      merchantIds: all,
      mode: 'test',
      currency: 'NGN',
      date: 'paid',
      from: new Date(UNTIL.getTime() - DAY_MS),
      to: UNTIL,
      asOf: null,
      zone: 'Africa/Lagos',
      groupBy: ['day'],
      gateways: [],
      accountIds: [],
      methods: [],
      statuses: [],
      ruleIds: [],
    }),
  payment_check_due: () => countOverduePayments(context.resources.database, UNTIL),
  attempt_by_account_and_time: () => listAccountUse(context, { merchantIds: [merchantId], mode: 'test' }),
  attempt_failed: () => payments({ fellBackFrom: ['paystack'] }),
  timeline_event_by_gateway_transaction: () => payments({ search: '7123' }),
  merchant_event_merchant_id_mode_created_at_id_idx: () => events(),
  webhook_delivery_merchant_id_endpoint_id_created_at_id_idx: () => deliveries('created'),
  webhook_delivery_merchant_id_payment_id_idx: messages,
  webhook_delivery_of_resend: () => listResends(context, { merchantId, endpointId }),
  webhook_delivery_by_settled_attempts: () => deliveries('attempts'),
  gateway_webhook_by_named_payment: messages,
  gateway_webhook_by_account_and_state: () => {
    const received = { receivedFrom: null, receivedTo: null };
    return listGatewayWebhooks(context, {
      merchantIds: [merchantId],
      accountId,
      state: 'IGNORED',
      newestFirst: true,
      ...received,
      ...page,
    });
  },
};

/** How often each index was used so far. */
async function countScans(): Promise<ReadonlyMap<string, number>> {
  for (const pool of [context.resources.database.pool, context.resources.database.batches]) await reportUse(pool);
  const { rows } = await context.database.pool.query<{ name: string; scans: number }>(
    'SELECT indexrelname AS name, idx_scan::int AS scans FROM pg_stat_user_indexes WHERE relname = ANY ($1)',
    [Object.keys(INDEXES)],
  );
  return new Map(rows.map(({ name, scans }) => [name, scans]));
}

/** Has every connection report what it used, which it would do a second later. */
async function reportUse(pool: pg.Pool): Promise<void> {
  const clients = await Promise.all(Array.from({ length: pool.idleCount }, () => pool.connect()));
  for (const client of clients) {
    await client.query('SELECT pg_stat_force_next_flush()');
    client.release();
  }
}

const INDEXES_OF = `
SELECT tables.relname AS "table", class.relname AS name
FROM pg_index JOIN pg_class AS class ON class.oid = indexrelid JOIN pg_class AS tables ON tables.oid = indrelid
WHERE NOT indisunique AND tables.relname = ANY ($1) AND tables.relnamespace = current_schema()::regnamespace`;

test('every index that keeps nothing unique is listed with the use case that needs it', async () => {
  const tables = Object.keys(INDEXES);
  const { rows } = await context.database.pool.query<{ table: string; name: string }>(INDEXES_OF, [tables]);
  const listed = Object.entries(INDEXES).flatMap(([table, indexes]) => Object.keys(indexes).map((name) => `${table}: ${name}`));
  expect(rows.map(({ table, name }) => `${table}: ${name}`).sort()).toEqual(listed.sort());
});

test.each(Object.entries(USE_CASES))('%s is used by its use case', async (index, run) => {
  const before = await countScans();
  await run();
  const after = await countScans();
  const used = [...after].filter(([name, scans]) => scans > (before.get(name) ?? 0)).map(([name]) => name);
  expect(used).toContain(index);
});
