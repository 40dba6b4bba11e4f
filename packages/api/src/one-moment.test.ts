import { newId, type ReportsSource } from '@switchyard/db';
import { answersWithCommitBetweenReads, type InterruptedDatabases } from '@switchyard/db/testing';
import { exportCustomer } from '@switchyard/privacy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from './process.ts';
import {
  createTestMerchant,
  DASHBOARD_ORIGIN,
  type DashboardMerchant,
  openTestDashboard,
  sessionOf,
  type TestDashboard,
} from './testing/dashboard.ts';
import { sendGraphql } from './testing/served.ts';
import { Browser, createStaffWithGrants, recordPayment } from './testing/switchyard.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

// As long as that: an id or a moment could hold four such digits by chance.
const BEFORE = 111_111_111;
const AFTER = 222_222_222;
const PAID = 777_777_777;
const AT = new Date('2026-11-20T10:00:00Z');

let dashboard: TestDashboard;
let merchant: DashboardMerchant;
let browser: Browser;
let orders = 0;

beforeAll(async () => {
  dashboard = await openTestDashboard();
  merchant = await createTestMerchant(dashboard);
  const { merchantId } = merchant;
  browser = new Browser(dashboard.switchyard, DASHBOARD_ORIGIN);
  await browser.signIn(await createStaffWithGrants(dashboard.switchyard, 'ada@example.com', [{ merchantId, role: 'owner' }]));
  await dashboard.switchyard.resources.configuration.refresh();
});
afterAll(() => dashboard.close());

interface World {
  readonly paymentId: string;
  readonly disputeId: string;
  readonly settlementId: string;
  readonly email: string;
}

/** A paid payment with a part refunded, disputed and settled, each for {@link BEFORE}. */
async function createWorld(): Promise<World> {
  const { prisma } = dashboard.database;
  const { merchantId, paystack: accountId } = merchant;
  orders += 1;
  const paymentId = await recordPayment(dashboard.switchyard, merchantId, `moment-${orders}`);
  const email = `customer-${orders}@example.com`;
  const attemptId = newId();
  const own = { merchantId, mode: 'test', gateway: 'paystack', accountId, currency: 'NGN' } as const;
  const times = { createdAt: AT, updatedAt: AT };
  const attempt = { position: 0, state: 'PAID', reference: attemptId, receivedAmount: BEFORE } as const;
  await prisma.attempt.create({
    data: { merchantId, paymentId, id: attemptId, accountId, gateway: 'paystack', ...attempt, ...times },
  });
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: { status: 'SUCCESS', amount: PAID, paidAt: AT, refundedAmount: BEFORE, receivedAmount: BEFORE, customerEmail: email },
  });
  const refund = {
    amount: BEFORE,
    state: 'SUCCEEDED',
    transactionId: 't',
    reference: newId(),
    requestedBy: 'staff:ada',
  } as const;
  await prisma.refund.create({ data: { ...own, ...times, ...refund, id: newId(), paymentId, attemptId } });
  const disputeId = newId();
  const dispute = { amount: BEFORE, state: 'NEEDS_RESPONSE', gatewayDisputeId: disputeId, openedAt: AT } as const;
  await prisma.dispute.create({ data: { ...own, ...times, ...dispute, id: disputeId, paymentId, attemptId } });
  const settlementId = newId();
  const sums = { gross: BEFORE, fees: 0, deductions: 0, net: BEFORE };
  const payout = {
    reference: settlementId,
    road: 'POLLED',
    status: 'PAID',
    settledOn: new Date('2026-11-21'),
    lineCount: 1,
  } as const;
  await prisma.settlement.create({ data: { ...own, ...times, ...sums, ...payout, id: settlementId } });
  await prisma.settlementLine.create({ data: lineOf(settlementId, 0, BEFORE) });
  return { paymentId, disputeId, settlementId, email };
}

/** A line of a settlement. Lines do not change: a further one has another amount. */
function lineOf(settlementId: string, position: number, amount: number) {
  const { merchantId, paystack: accountId } = merchant;
  const of = { merchantId, accountId, settlementId, id: newId(), createdAt: AT };
  return {
    ...of,
    position,
    kind: position === 0 ? 'PAYMENT' : 'OTHER',
    amount,
    currency: 'NGN',
    reference: 'r',
    description: '',
  } as const;
}

/** Changes every amount of a world in one transaction. */
async function changeWorld({ paymentId, disputeId, settlementId }: World): Promise<void> {
  const { merchantId } = merchant;
  const ofPayment = { where: { merchantId, paymentId } };
  await dashboard.database.prisma.$transaction(async (transaction) => {
    const paid = { refundedAmount: AFTER, receivedAmount: AFTER };
    await transaction.payment.updateMany({ where: { merchantId, id: paymentId }, data: paid });
    await transaction.attempt.updateMany({ ...ofPayment, data: { receivedAmount: AFTER } });
    await transaction.refund.updateMany({ ...ofPayment, data: { amount: AFTER } });
    await transaction.dispute.updateMany({ where: { merchantId, id: disputeId }, data: { amount: AFTER } });
    await transaction.settlement.updateMany({ where: { merchantId, id: settlementId }, data: { gross: AFTER, net: AFTER } });
    await transaction.settlementLine.create({ data: lineOf(settlementId, 1, AFTER) });
  });
}

/** The process with other connections to its database. */
function withDatabases({ database, reports }: InterruptedDatabases): Switchyard {
  const { switchyard } = dashboard;
  const resources = { ...switchyard.resources, database, reports };
  return { ...switchyard, resources, payments: { ...switchyard.payments, resources } };
}

type Read = (switchyard: Switchyard, world: World) => Promise<unknown>;

const caller = (switchyard: Switchyard) =>
  createCallerFactory(appRouter)({ switchyard, session: sessionOf('owner', merchant.merchantId) });

async function query(switchyard: Switchyard, text: string): Promise<unknown> {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const request = new Request(`${DASHBOARD_ORIGIN}/api/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: text }),
  });
  const answer: { data?: unknown; errors?: unknown } = await (await sendGraphql(switchyard, request)).json();
  expect(answer.errors).toBeUndefined();
  return answer.data;
}

const READS: Readonly<Record<string, Read>> = {
  'the page of a payment': (switchyard, { paymentId }) => caller(switchyard).payments.byId({ paymentId }),
  'what is left to refund': (switchyard, { paymentId }) => caller(switchyard).refunds.refundable({ paymentId }),
  'the page of a customer': (switchyard, { paymentId }) => caller(switchyard).customers.byPayment({ paymentId, match: 'email' }),
  'the page of a dispute': (switchyard, { disputeId }) => caller(switchyard).disputes.byId({ disputeId }),
  'the page of a settlement': (switchyard, { settlementId }) => caller(switchyard).settlements.byId({ settlementId }),
  'the export of a customer': (switchyard, { email }) =>
    exportCustomer(switchyard, {
      subject: { merchantId: merchant.merchantId, mode: 'test', email, phone: null, customerId: null },
      actor: 'staff:ada',
    }),
  'a payment in GraphQL': (switchyard, { paymentId }) =>
    query(switchyard, `{ payment(id: "${paymentId}") { refunded refunds { amount } } }`),
  'two parts of one query in GraphQL': (switchyard, { paymentId }) =>
    query(
      switchyard,
      `{ one: payment(id: "${paymentId}") { refunded } other: payment(id: "${paymentId}") { refunds { amount } } }`,
    ),
};

describe('what is shown together is of one moment, whatever is committed between two reads', () => {
  test.each(Object.entries(READS))('%s', async (_, read) => {
    const answers = await answersWithCommitBetweenReads(dashboard.database.url, async () => {
      const world = await createWorld();
      return { read: (databases) => read(withDatabases(databases), world), change: () => changeWorld(world) };
    });
    expect(answers.length).toBeGreaterThan(1);
    for (const answer of answers) {
      const text = JSON.stringify(answer, (_key, value: unknown) => (typeof value === 'bigint' ? Number(value) : value));
      expect(text).toMatch(new RegExp(`${BEFORE}|${AFTER}`));
      expect([text.includes(String(BEFORE)), text.includes(String(AFTER))]).not.toEqual([true, true]);
    }
  });
});

test('a snapshot is not lost silently when its connection is', async () => {
  const { reports } = dashboard.switchyard.resources;
  const readTwice = reports.inSnapshot(async ({ pool }: ReportsSource) => {
    const { rows } = await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await dashboard.database.pool.query('SELECT pg_terminate_backend($1::int)', [rows[0]?.pid]);
    await pool.query('SELECT 1').catch(() => undefined);
    return (await pool.query('SELECT 1')).rows;
  });
  await expect(readTwice).rejects.toThrow('lost');
  expect(await reports.inSnapshot(async ({ pool }) => (await pool.query('SELECT 1 AS one')).rows)).toEqual([{ one: 1 }]);
});
