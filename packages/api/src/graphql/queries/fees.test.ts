import { newId } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Switchyard } from '../../process.ts';
import { sendGraphql } from '../../testing/served.ts';
import { Browser, createStaffWithGrants, createTestMerchant, ORIGIN, openTestSwitchyard } from '../../testing/switchyard.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
const accounts = [newId(), newId()] as const;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const other = await createTestMerchant(switchyard, 'Another');
  for (let at = 0; at < 120; at += 1) await record(at % 10 === 9 ? other : merchantId, at);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

/** Fees around midnights in Lagos, some without contract, fee or settlement. */
async function record(owner: string, at: number): Promise<void> {
  const createdAt = new Date(Date.UTC(2026, 9, 25 + (at % 14), 21 + (at % 5), 30));
  const expected = at % 7 === 0 ? null : (at * 1.25).toFixed(2);
  const charged = at % 11 === 0 ? null : (at * 1.25 + (at % 3) * 0.75 - 0.5).toFixed(2);
  const excess = expected === null || charged === null ? '0' : (Number(charged) - Number(expected)).toFixed(2);
  await switchyard.resources.database.prisma.paymentFee.create({
    data: {
      merchantId: owner,
      paymentId: newId(),
      mode: at % 13 === 0 ? 'live' : 'test',
      accountId: accounts[at % 2] ?? '',
      gateway: 'paystack',
      currency: at % 4 === 0 ? 'USD' : 'NGN',
      method: at % 5 === 0 ? null : 'CARD',
      amount: 100 + at * 997.35,
      expected,
      charged,
      reported: charged,
      excess,
      createdAt,
      paidAt: new Date(createdAt.getTime() + 3_600_000),
      settledOn: at % 6 === 0 ? null : new Date(Date.UTC(2026, 9, 27 + (at % 14))),
    },
  });
}

const report = z.object({
  sums: z.array(z.record(z.string(), z.union([z.string(), z.number()]))),
  months: z.array(z.object({ month: z.string().nullable(), sums: z.object({ overcharge: z.string() }) })),
  rates: z.array(z.object({ charged: z.string(), payments: z.int() })),
});

async function ask(filter: object) {
  const query = `query ($filter: FeeFilter!) { fees(filter: $filter) {
    sums { currency payments amount compared expected charged difference overcharged overcharge undercharged undercharge }
    months { month sums { overcharge } } rates { charged payments } } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter: { mode: 'test', ...filter } } });
  const answer = await (
    await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))
  ).json();
  return z.object({ data: z.object({ fees: report }) }).parse(answer).data.fees;
}

const SQL = `
SELECT currency::text AS currency, count(*)::int AS payments, trim_scale(sum(amount))::text AS amount,
  count(charged - expected)::int AS compared,
  trim_scale(coalesce(sum(CASE WHEN charged IS NOT NULL THEN expected END), 0))::text AS expected,
  trim_scale(coalesce(sum(CASE WHEN expected IS NOT NULL THEN charged END), 0))::text AS charged,
  trim_scale(coalesce(sum(charged - expected), 0))::text AS difference,
  sum((excess > 0)::int)::int AS overcharged, trim_scale(sum(greatest(excess, 0)))::text AS overcharge,
  sum((excess < 0)::int)::int AS undercharged, trim_scale(sum(greatest(-excess, 0)))::text AS undercharge
FROM payment_fee WHERE merchant_id = $1`;

const LAGOS = "AT TIME ZONE 'Africa/Lagos')::date";

describe('sums of fees', () => {
  test.each([
    [{}, `mode = 'test'`],
    [{ mode: 'live' }, `mode = 'live'`],
    [{ from: '2026-10-28' }, `mode = 'test' AND (paid_at ${LAGOS} >= '2026-10-28'`],
    [
      { date: 'PAID', from: '2026-10-28', to: '2026-11-01' },
      `mode = 'test' AND (paid_at ${LAGOS} BETWEEN '2026-10-28' AND '2026-11-01'`,
    ],
    [
      { date: 'CREATED', from: '2026-10-28', to: '2026-11-01' },
      `mode = 'test' AND (created_at ${LAGOS} BETWEEN '2026-10-28' AND '2026-11-01'`,
    ],
    [{ date: 'SETTLED', to: '2026-11-01' }, `mode = 'test' AND settled_on <= '2026-11-01'`],
    [{ accountIds: [accounts[1]] }, `mode = 'test' AND account_id = '${accounts[1]}'`],
    [{ overchargedOnly: true }, `mode = 'test' AND excess > 0`],
  ])('equal plain SQL to the last digit: %o', async (filter, condition) => {
    const { rows } = await switchyard.resources.database.pool.query<Record<string, string | number>>(
      `${SQL} AND ${condition} GROUP BY currency ORDER BY currency`,
      [merchantId],
    );
    const { sums, months, rates } = await ask(filter);
    expect(sums).toEqual(rows);
    expect(rows.length).toBeGreaterThan(0);
    const cents = (amounts: readonly (string | number | undefined)[]) =>
      amounts.reduce<number>((sum, amount) => sum + Math.round(Number(amount) * 100), 0);
    expect(cents(months.map((month) => month.sums.overcharge))).toBe(cents(sums.map(({ overcharge }) => overcharge)));
    const known = await switchyard.resources.database.pool.query<{ charged: string }>(
      `SELECT coalesce(sum(charged), 0)::text AS charged FROM payment_fee WHERE merchant_id = $1 AND ${condition}`,
      [merchantId],
    );
    expect(cents(rates.map(({ charged }) => charged))).toBe(cents(known.rows.map(({ charged }) => charged)));
  });
});
