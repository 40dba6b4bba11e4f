import { newId } from '@switchyard/db';
import { PaymentStatus, Prisma } from '@switchyard/db/client';
import { selectTimePage, type TenantList, type TimePage } from '@switchyard/db/lists';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { DISPLAY_STATUS_SQL, DISPLAY_STATUSES, displayStatus } from '@switchyard/reporting/display-status';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FAILURE_REASONS } from '../record/failure-reason.ts';
import { paymentList } from './payment-filter.ts';
import type { PaymentFilter } from './payment-noun.ts';

/** How many times as much is drawn: `PROPERTY_TIMES=20` at night. */
const TIMES = Number(process.env.PROPERTY_TIMES ?? 1);

const merchants = Array.from({ length: 14 }, newId);
const any: PaymentFilter = { merchantIds: merchants, mode: 'live' };

let database: TestDatabase;
/** Many payments of a few merchants, few of many, several with the same timestamp. */
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.tenant.createMany({ data: merchants.map((id) => ({ id })) });
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at)
    SELECT ($1::uuid[])[1 + floor(12 * power((hashint4(n) & 65535) / 65536.0, 3))::int], gen_random_uuid(), 'live', n::text,
      (ARRAY['SUCCESS', 'FAILED'])[1 + n % 2]::payment_status, n, 'NGN', 'ada@example.com', 'smart', false, 1, '', '', 'paystack', now(), 1, gen_random_uuid(), now(), '2026-03-01Z'::timestamptz + (n / 3) * interval '1 second', now()
    FROM generate_series(1, 400) AS n`,
    [merchants],
  );
});
afterAll(() => database.close());

/** The amounts of a page, each payment's own. */
async function readPage(filter: PaymentFilter, by: TenantList['by'], page: TimePage): Promise<bigint[]> {
  const keys = selectTimePage(await paymentList(database, filter, by === 'time'), page);
  const rows = await database.prisma.$queryRaw<{ id: string }[]>(keys);
  const found = await database.prisma.payment.findMany({ where: { id: { in: rows.map(({ id }) => id) } } });
  const amounts = new Map(found.map(({ id, amount }) => [id, amount]));
  return rows.map(({ id }) => amounts.get(id) ?? 0n);
}

const amountsOf = (payments: readonly { readonly amount: bigint }[]) => payments.map(({ amount }) => amount);

test('a page is the same for few or many merchants, in both directions, from every cursor', async () => {
  const payments = await database.prisma.payment.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });
  const question = fc.record({
    some: fc.subarray(merchants, { minLength: 1 }),
    at: fc.option(fc.nat(payments.length - 1)),
    newestFirst: fc.boolean(),
    limit: fc.integer({ min: 1, max: 90 }),
    failed: fc.boolean(),
    every: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(question, async ({ some: asked, at, newestFirst, limit, failed, every }) => {
      const some = every ? merchants : asked;
      const ordered = newestFirst ? payments.toReversed() : payments;
      const cursor = at === null ? null : (ordered[at] ?? null);
      const matching = (part: typeof payments) =>
        part.filter(({ merchantId, status }) => some.includes(merchantId) && (!failed || status === 'FAILED'));
      const filter: PaymentFilter = { ...any, merchantIds: some, statuses: failed ? ['FAILED'] : [] };
      const page = { newestFirst, limit };
      const by = every ? 'time' : 'merchant';
      const after = await readPage(filter, by, { ...page, after: cursor, before: null });
      expect(after).toEqual(amountsOf(matching(ordered.slice(at === null ? 0 : at + 1)).slice(0, limit)));
      const before = await readPage(filter, by, { ...page, after: null, before: cursor });
      expect(before).toEqual(amountsOf(matching(ordered.slice(0, at ?? ordered.length)).slice(0, limit)));
    }),
    { numRuns: 20 * TIMES },
  );
});

test('rare payments are found at any distance, together with near ones', async () => {
  const merchantId = newId();
  await database.prisma.tenant.create({ data: { id: merchantId } });
  // The first of 6,000 payments, one near the end and the last one are late, with thousands of others between.
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at, late)
    SELECT $1, gen_random_uuid(), 'live', 'rare-' || n, 'SUCCESS', n, 'NGN', 'ada@example.com', 'smart', false, 1, '', '', 'paystack', now(), 1, gen_random_uuid(), now(), '2026-04-01Z'::timestamptz + n * interval '1 second', now(), n IN (1, 5000, 6000)
    FROM generate_series(1, 6000) AS n`,
    [merchantId],
  );
  const every = [...merchants, merchantId];
  for (const [merchantIds, by] of [
    [[merchantId], 'merchant'],
    [every, 'merchant'],
    [every, 'time'],
  ] as const) {
    for (const [limit, amounts] of [
      [1, [6_000n]],
      [2, [6_000n, 5_000n]],
      [3, [6_000n, 5_000n, 1n]],
      [9, [6_000n, 5_000n, 1n]],
    ] as const) {
      const page = { after: null, before: null, newestFirst: true, limit };
      expect(await readPage({ ...any, merchantIds, late: true }, by, page)).toEqual(amounts);
    }
  }
});

test('every payment there can be has one status that people read, the same in a file and in any filter', async () => {
  const merchantId = newId();
  await database.prisma.tenant.create({ data: { id: merchantId } });
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, packed_decision, packed_session, recommended_gateway, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at, refunded_amount, reversed_at, reversed_amount, failure_reason)
    SELECT $1, gen_random_uuid(), 'live', gen_random_uuid()::text, status::payment_status, 10, 'NGN', 'ada@example.com', 'smart', false, 1, '', '', 'paystack', now(), 1, gen_random_uuid(), now(), now(), now(), refunded, CASE WHEN reversed THEN now() END,
      CASE WHEN reversed THEN 1 ELSE 0 END, reason
    FROM unnest($2::text[]) AS status, unnest(ARRAY[0, 4, 10]) AS refunded, unnest(ARRAY[false, true]) AS reversed,
      unnest($3::text[]) AS reason`,
    [merchantId, Object.values(PaymentStatus), [null, ...FAILURE_REASONS]],
  );
  const payments = await database.prisma.payment.findMany({ where: { merchantId } });
  expect(payments).toHaveLength(5 * 3 * 2 * (1 + FAILURE_REASONS.length));
  const shown = new Map(payments.map((payment) => [payment.id, displayStatus(payment)]));
  expect(new Set(shown.values())).toEqual(new Set(DISPLAY_STATUSES));
  const inFiles = await database.prisma.$queryRaw<{ id: string; shown: string }[]>`
    SELECT p.id, ${Prisma.raw(DISPLAY_STATUS_SQL)} AS shown FROM payment AS p WHERE p.merchant_id = ${merchantId}::uuid`;
  expect(new Map(inFiles.map((row) => [row.id, row.shown]))).toEqual(shown);
  // Open payments are found by their checks.
  await database.pool.query(
    `INSERT INTO payment_check (merchant_id, payment_id, next_check_at, initiating)
    SELECT merchant_id, id, now(), status = 'INITIATED' FROM payment WHERE merchant_id = $1 AND status IN ('INITIATED', 'PENDING')`,
    [merchantId],
  );
  await fc.assert(
    fc.asyncProperty(fc.subarray([...DISPLAY_STATUSES], { minLength: 1 }), async (displayStatuses) => {
      const list = await paymentList(database, { ...any, merchantIds: [merchantId], displayStatuses });
      const keys = selectTimePage(list, { after: null, before: null, newestFirst: true, limit: 1_000 });
      const found = await database.prisma.$queryRaw<{ id: string }[]>(keys);
      const wanted = payments.filter(({ id }) => displayStatuses.some((status) => status === shown.get(id)));
      expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    }),
    { numRuns: 20 * TIMES },
  );
});
