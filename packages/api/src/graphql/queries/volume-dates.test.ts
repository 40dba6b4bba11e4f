import { closeMonth } from '@switchyard/accounting/month-close';
import { newId } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { handleExport } from '../../export/handle.ts';
import type { Switchyard } from '../../process.ts';
import { sendGraphql } from '../../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../../testing/switchyard.ts';

/*
 * Reports and files by when payments were created, paid or settled, against SQL that is written here from what the dates mean. Payments lie
 * around midnights in Lagos; some were settled in two parts, some lines are of refunds and duplicates, and payouts that are not paid yet count for nothing.
 */

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
let otherId: string;
let accountId: string;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Midnight in Lagos. */
const begin = Date.parse('2026-10-04T23:00:00Z');

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  otherId = await createTestMerchant(switchyard, 'Another');
  accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  for (let at = 0; at < 60; at += 1) await record(at % 12 === 11 ? otherId : merchantId, at);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

test('a report by when payments were paid or settled names the closed months in it; one by creation names none', async () => {
  const month = { mode: 'test' as const, month: '2026-10' };
  for (const each of [merchantId, otherId]) {
    const outcome = await closeMonth(switchyard, { ...month, merchantId: each }, 'system:test');
    expect(outcome.kind).toBe('closed');
  }
  const query = `query ($filter: VolumeFilter!) { volume(filter: $filter) { ... on VolumeReport { closedMonths { month merchant { id } } } } }`;
  const closedIn = async (date: string, from: string, to: string) => {
    const filter = { mode: 'test', date, from, to };
    const headers = browser.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query, variables: { filter } });
    const response = await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }));
    return (await response.json()).data.volume.closedMonths;
  };
  const october = [{ month: '2026-10', merchant: { id: merchantId } }];
  // Midnight of 1 October in Lagos is still September in UTC.
  expect(await closedIn('PAID', '2026-09-30T23:00:00Z', '2026-10-31T23:00:00Z')).toEqual(october);
  expect(await closedIn('SETTLED', '2026-10-31T22:00:00Z', '2026-11-30T23:00:00Z')).toEqual(october);
  expect(await closedIn('PAID', '2026-10-31T23:00:00Z', '2026-11-30T23:00:00Z')).toEqual([]);
  expect(await closedIn('CREATED', '2026-09-30T23:00:00Z', '2026-10-31T23:00:00Z')).toEqual([]);
});

async function record(owner: string, at: number): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const id = await recordPayment(switchyard, owner, `order-${at}`);
  const createdAt = new Date(begin + Math.floor(at / 3) * DAY_MS + ((at % 3) - 1) * HOUR_MS);
  const isPaid = at % 5 !== 4;
  const paidAt = isPaid ? new Date(createdAt.getTime() + (at % 7) * 10 * HOUR_MS) : null;
  await prisma.payment.update({
    where: { merchantId_id: { merchantId: owner, id } },
    data: {
      status: isPaid ? (at % 9 === 0 ? 'REFUNDED' : 'SUCCESS') : 'FAILED',
      amount: BigInt(1_000 + at * 37),
      currency: at % 8 === 7 ? 'USD' : 'NGN',
      mode: at % 13 === 12 ? 'live' : 'test',
      createdAt,
      paidAt,
      feeAmount: isPaid ? `${at}.75` : null,
      refundedAmount: at % 9 === 0 ? 10n : 0n,
      reversedAmount: at % 10 === 3 ? '0.5' : '0',
    },
  });
  if (!isPaid || at % 4 === 3) return;
  const mode = at % 13 === 12 ? 'live' : 'test';
  // In one payout, in two, or in one that is not paid yet.
  const parts = at % 6 === 0 ? [2, 5] : [1 + (at % 3)];
  for (const [part, days] of parts.entries()) {
    await settle({ owner, mode, at, part, status: at % 11 === 5 ? 'PENDING' : 'PAID' }, id, days);
  }
}

async function settle(
  {
    owner,
    mode,
    at,
    part,
    status,
  }: { owner: string; mode: 'test' | 'live'; at: number; part: number; status: 'PAID' | 'PENDING' },
  paymentId: string,
  days: number,
): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const settledOn = new Date(
    `${new Date(begin + HOUR_MS + (Math.floor(at / 3) + days) * DAY_MS).toISOString().slice(0, 10)}T00:00:00Z`,
  );
  const settlementId = newId();
  const money = { gross: '1', fees: '0', deductions: '0', net: '1', currency: 'NGN' };
  await prisma.settlement.create({
    data: {
      merchantId: owner,
      id: settlementId,
      mode,
      accountId,
      gateway: 'paystack',
      reference: `payout-${at}-${part}`,
      road: 'FILE',
      status,
      settledOn,
      ...money,
      createdAt: settledOn,
      updatedAt: settledOn,
    },
  });
  const line = {
    merchantId: owner,
    settlementId,
    accountId,
    amount: '1',
    currency: 'NGN',
    paymentId,
    linkedBy: 'REFERENCE',
  } as const;
  const subjects = [`payment/${paymentId}`];
  await prisma.settlementLine.createMany({
    data: [
      { ...line, id: newId(), position: 0, kind: 'PAYMENT', subjects, createdAt: settledOn },
      { ...line, id: newId(), position: 1, kind: 'FEE', subjects, createdAt: settledOn },
    ],
  });
  // Deducted weeks later: a refund of a payment does not move the day on which it was settled.
  const later = newId();
  const refundedOn = new Date(settledOn.getTime() + 20 * DAY_MS);
  await prisma.settlement.create({
    data: {
      merchantId: owner,
      id: later,
      mode,
      accountId,
      gateway: 'paystack',
      reference: `refund-${at}-${part}`,
      road: 'FILE',
      status: 'PAID',
      settledOn: refundedOn,
      ...money,
      createdAt: refundedOn,
      updatedAt: refundedOn,
    },
  });
  const refund = { ...line, settlementId: later, kind: 'REFUND', amount: '-1' } as const;
  const refunds = [`refund/${newId()}`];
  await prisma.settlementLine.create({ data: { ...refund, id: newId(), position: 0, subjects: refunds, createdAt: refundedOn } });
}

/** The date of `payment`, as SQL of its own. */
const dates = () => ({
  CREATED: `(payment.created_at + interval '1 hour')::date`,
  PAID: `(payment.paid_at + interval '1 hour')::date`,
  SETTLED: `(SELECT max(s.settled_on) FROM settlement s, settlement_line l WHERE s.merchant_id = '${merchantId}' AND l.merchant_id = s.merchant_id
    AND l.settlement_id = s.id AND s.status = 'PAID' AND l.payment_id = payment.id AND l.kind = 'PAYMENT')`,
});

const from = '2026-10-08';
const to = '2026-10-16';

async function sql(text: string): Promise<Record<string, unknown>[]> {
  return (await switchyard.resources.database.pool.query<Record<string, unknown>>(text)).rows;
}

async function send(filter: object, groupBy: readonly string[], more = ''): Promise<Record<string, unknown>> {
  const query = `query ($filter: VolumeFilter!, $groupBy: [VolumeGroup!]!) {
    volume(filter: $filter, groupBy: $groupBy${more}) { __typename ... on InvalidInput { problems } ... on VolumeReport { date
      total { payments paid paidAmount refunded reversed fees } rows { periodStart status sums { payments paidAmount fees } } } } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter: { mode: 'test', ...filter }, groupBy } });
  const answer = await (
    await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))
  ).json();
  return z.object({ data: z.object({ volume: z.record(z.string(), z.unknown()) }) }).parse(answer).data.volume;
}

const period = { from: `${from}T00:00:00+01:00`, to: '2026-10-17T00:00:00+01:00' };

describe.each(['CREATED', 'PAID', 'SETTLED'] as const)('by when payments were %s', (date) => {
  const counted = () =>
    `merchant_id = '${merchantId}' AND status <> 'INITIATED' AND currency = 'NGN' AND ${dates()[date]} BETWEEN '${from}' AND '${to}'`;

  test.each<[object, string]>([
    [{}, "mode = 'test'"],
    [{ mode: 'live' }, "mode = 'live'"],
    [{ statuses: ['REFUNDED'] }, "mode = 'test' AND status = 'REFUNDED'"],
  ])('a report equals SQL, in total and by day: %o', async (filter, condition) => {
    const volume = await send({ ...filter, ...period, date }, ['day', 'status']);
    const [total] = await sql(`
      SELECT count(*)::int AS payments, count(*) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED'))::int AS paid,
        coalesce(sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0)::float8 AS "paidAmount",
        coalesce(sum(refunded_amount), 0)::float8 AS refunded, trim_scale(coalesce(sum(reversed_amount), 0))::text AS reversed,
        trim_scale(coalesce(sum(fee_amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0))::text AS fees
      FROM payment WHERE ${counted()} AND ${condition}`);
    expect(total?.payments).toBeGreaterThan(0);
    expect(volume).toMatchObject({ date, total });
    const days = await sql(`
      SELECT ${dates()[date]}::text AS day, status::text, count(*)::int AS payments,
        coalesce(sum(amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0)::float8 AS "paidAmount",
        trim_scale(coalesce(sum(fee_amount) FILTER (WHERE status IN ('SUCCESS', 'REFUNDED')), 0))::text AS fees
      FROM payment WHERE ${counted()} AND ${condition} GROUP BY 1, 2 ORDER BY 1, 2`);
    expect(volume.rows).toEqual(days.map(({ day, status, ...sums }) => ({ periodStart: day, status, sums })));
  });

  test('a file has the payments of these days, and the day it is by', async () => {
    const filter = { mode: 'test', date: date.toLowerCase(), from, to };
    const query = new URLSearchParams({ format: 'ndjson', filter: JSON.stringify(filter) });
    const request = new Request(`${ORIGIN}/api/export/payments?${query}`, { headers: browser.headers() });
    const response = await handleExport(switchyard, 'payments', request);
    expect(response.status).toBe(200);
    const rows = (await response.text())
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
    const expected = await sql(`
      SELECT id, ${dates().SETTLED}::text AS settled FROM payment
      WHERE merchant_id = '${merchantId}' AND mode = 'test' AND ${dates()[date]} BETWEEN '${from}' AND '${to}' ORDER BY created_at, id`);
    expect(expected.length).toBeGreaterThan(5);
    expect(rows.map((row) => row.payment_id)).toEqual(expected.map(({ id }) => id));
    expect(response.headers.get('x-row-count')).toBe(String(expected.length));
    expect(rows.map((row) => row.settled_on)).toEqual(expected.map(({ settled }) => (date === 'SETTLED' ? settled : undefined)));
  });
});

test('a report as of a past moment is by creation only', async () => {
  const volume = await send({ ...period, date: 'PAID' }, [], ', asOf: "2026-11-01T00:00:00Z"');
  expect(volume).toEqual({
    __typename: 'InvalidInput',
    problems: ['asOf is for reports by when payments were created'],
  });
});
