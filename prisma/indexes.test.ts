import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { listAccountUse } from '@switchyard/payments/console/accounts';
import { listGatewayWebhooks } from '@switchyard/payments/console/gateway-webhooks';
import { listPaymentMessages, listPayments } from '@switchyard/payments/console/payments';
import type { PaymentFilter } from '@switchyard/payments/lists';
import { countOverduePayments } from '@switchyard/payments/sweeping';
import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { readVolume } from '@switchyard/reporting/figures';
import { listDeliveries, listResends } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { listEvents } from '@switchyard/webhooks/events/list';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { INDEXES } from './indexes.ts';
import { writeManyPayments } from './testing/many-payments.ts';

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
