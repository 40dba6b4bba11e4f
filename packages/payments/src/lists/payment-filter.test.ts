import { newId } from '@switchyard/db';
import { selectTimePage, type TenantList, type TimePage } from '@switchyard/db/lists';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ANY_PAYMENT, type PaymentFilter, paymentList } from './payment-filter.ts';

const merchants = Array.from({ length: 14 }, newId);
const any: PaymentFilter = { ...ANY_PAYMENT, merchantIds: merchants, mode: 'live' };

let database: TestDatabase;
/** Many payments of a few merchants, few of many, several with the same timestamp. */
beforeAll(async () => {
  database = await createTestDatabase();
  await database.prisma.tenant.createMany({ data: merchants.map((id) => ({ id })) });
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, routing, routing_inputs, recommended_gateway, fallback_gateways, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at)
    SELECT ($1::uuid[])[1 + floor(12 * power((hashint4(n) & 65535) / 65536.0, 3))::int], gen_random_uuid(), 'live', n::text,
      (ARRAY['SUCCESS', 'FAILED'])[1 + n % 2]::payment_status, n, 'NGN', 'ada@example.com', 'smart', false, 1, '{}', '{}', 'paystack',
      '[]', now(), 1, gen_random_uuid(), now(), '2026-03-01Z'::timestamptz + (n / 3) * interval '1 second', now()
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
    { numRuns: 80 },
  );
}, 90_000);

test('rare payments are found at any distance, together with near ones', async () => {
  const merchantId = newId();
  await database.prisma.tenant.create({ data: { id: merchantId } });
  // Of 6,000 payments the first, one near the end and the last one are late, with thousands of others between.
  await database.pool.query(
    `INSERT INTO payment (merchant_id, id, mode, merchant_order_id, status, amount, currency, customer_email, routing_mode,
      smart_routing_bypassed, rule_set_version, routing, routing_inputs, recommended_gateway, fallback_gateways, expires_at, version,
      status_event_id, status_changed_at, created_at, updated_at, late)
    SELECT $1, gen_random_uuid(), 'live', 'rare-' || n, 'SUCCESS', n, 'NGN', 'ada@example.com', 'smart', false, 1, '{}', '{}', 'paystack',
      '[]', now(), 1, gen_random_uuid(), now(), '2026-04-01Z'::timestamptz + n * interval '1 second', now(), n IN (1, 5000, 6000)
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
