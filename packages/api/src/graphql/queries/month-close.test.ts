import { closeMonth, makeLateJournal } from '@switchyard/accounting/month-close';
import { newId } from '@switchyard/db';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
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

const MONTH = '2026-10';
let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
let otherId: string;
let accountId: string;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  otherId = await createTestMerchant(switchyard, 'Another');
  accountId = switchyard.resources.configuration.merchant(merchantId)?.accounts[0]?.id ?? '';
  for (let at = 0; at < 60; at += 1) await record(at);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

/** A payment around the midnights of both ends of the month in Lagos, some refunded, reversed, settled or without a fee. */
async function record(at: number): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const paymentId = await recordPayment(switchyard, merchantId, `order-${at}`);
  const paidAt = new Date(Date.UTC(2026, 8, 29 + (at % 36), 21 + (at % 5), 30));
  const id = { merchantId_id: { merchantId, id: paymentId } };
  const fee = at % 7 === 0 ? null : (at * 1.25).toFixed(2);
  const reversal = at % 11 === 0 ? { reversalCause: 'gateway', reversedAmount: '12.5', reversedAt: paidAt } : {};
  const attempt = { id: newId(), merchantId, paymentId, position: 1, accountId, gateway: 'paystack', reference: `sw-${at}` };
  const received = { receivedAmount: 100 + at * 997, receivedCurrency: at % 4 === 0 ? 'USD' : 'NGN' };
  await prisma.attempt.create({ data: { ...attempt, ...received, state: 'PAID', createdAt: paidAt, updatedAt: paidAt } });
  const paid = { status: 'SUCCESS' as const, paidAt, feeAmount: fee, currentAttemptId: attempt.id };
  await prisma.payment.update({ where: id, data: { ...paid, ...reversal } });
  const common = { merchantId, accountId, mode: 'test' as const, gateway: 'paystack', createdAt: paidAt, updatedAt: paidAt };
  if (at % 5 === 0) {
    const names = { transactionId: 't', reference: `rf-${at}`, requestedBy: 'api', attemptId: newId(), paymentId };
    await prisma.refund.create({ data: { ...common, ...names, id: newId(), amount: 40n, currency: 'NGN', state: 'SUCCEEDED' } });
  }
  if (at % 9 === 0) {
    const money = { currency: 'NGN', gross: '500', fees: '0', deductions: '0', net: String(300 + at) };
    const state = { status: 'PAID' as const, road: 'POLLED' as const, reference: `s-${at}`, settledOn: paidAt };
    await prisma.settlement.create({ data: { ...common, ...money, ...state, id: newId() } });
  }
}

/** Sums by plain SQL, written apart from the product's. */
async function sumOf(
  table: string,
  amount: string,
  currency: string,
  day: string,
  where = 'true',
): Promise<Record<string, string>> {
  const { rows } = await switchyard.resources.database.pool.query<{ currency: string; amount: string }>(
    `SELECT ${currency}::text AS currency, trim_scale(sum(${amount}))::text AS amount FROM ${table}
     WHERE p.merchant_id = $1 AND ${day} >= '2026-10-01' AND ${day} <= '2026-10-31' AND ${where} GROUP BY 1`,
    [merchantId],
  );
  return Object.fromEntries(rows.map((row) => [row.currency, row.amount]));
}

const figureSchema = z.object({ kind: z.string(), count: z.int(), amount: z.string() });
const balanceSchema = z.object({
  currency: z.string(),
  opening: z.string(),
  closing: z.string(),
  figures: z.array(figureSchema),
});
const answerSchema = z.object({
  state: z.string(),
  hash: z.string().nullable(),
  totals: z.array(balanceSchema),
  unexplained: z.array(z.object({ kind: z.string(), count: z.int() })),
  adjustments: z
    .object({ items: z.array(z.object({ kind: z.string(), difference: z.string(), paymentId: z.string().nullable() })) })
    .nullable(),
  late: z.array(z.object({ currency: z.string(), debit: z.string() })),
  lateJournals: z.array(
    z.object({ number: z.int(), journals: z.array(z.object({ currency: z.string(), debit: z.string(), credit: z.string() })) }),
  ),
});

async function post(filter: object): Promise<unknown> {
  const query = `query ($filter: MonthCloseFilter!) { monthClose(filter: $filter) { state hash
    totals { currency opening closing figures { kind count amount } } unexplained { kind count }
    adjustments { items { kind difference paymentId } } late { currency debit }
    lateJournals { number journals { currency debit credit } } } }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter } });
  return (await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))).json();
}

async function ask() {
  const answer = await post({ mode: 'test', merchantId, month: MONTH });
  return z.object({ data: z.object({ monthClose: answerSchema }) }).parse(answer).data.monthClose;
}

describe('a month over GraphQL', () => {
  const LAGOS = "AT TIME ZONE 'Africa/Lagos')::date";

  test('has figures that equal plain SQL to the last digit', async () => {
    const paid = 'payment AS p JOIN attempt ON attempt.merchant_id = p.merchant_id AND attempt.payment_id = p.id';
    const expected = {
      payment: await sumOf(paid, 'attempt.received_amount', 'attempt.received_currency', `(p.paid_at ${LAGOS}`),
      fee: await sumOf(paid, '-p.fee_amount', 'attempt.received_currency', `(p.paid_at ${LAGOS}`, 'p.fee_amount <> 0'),
      refund: await sumOf('refund AS p', '-p.amount', 'p.currency', `(p.updated_at ${LAGOS}`),
      reversal: await sumOf(
        'payment AS p',
        '-p.reversed_amount',
        'p.currency',
        `(p.reversed_at ${LAGOS}`,
        'p.reversed_amount > 0',
      ),
      payout: await sumOf('settlement AS p', '-p.net', 'p.currency', 'p.settled_on'),
    };
    const { totals, state, hash } = await ask();
    expect([state, hash]).toEqual(['ENDED', null]);
    for (const [kind, sums] of Object.entries(expected)) {
      const answered = totals.flatMap(({ currency, figures }) => {
        const amount = figures.find((figure) => figure.kind === kind)?.amount ?? '0';
        return amount === '0' ? [] : [[currency, amount]];
      });
      expect([kind, Object.fromEntries(answered)]).toEqual([kind, sums]);
      expect(Object.keys(sums).length).toBeGreaterThan(0);
    }
    expect(totals.map(({ currency }) => currency)).toEqual(['NGN', 'USD']);
  });

  test('is the same once it is closed, with what has changed since beside it', async () => {
    const before = await ask();
    const outcome = await closeMonth(switchyard, { merchantId, mode: 'test', month: MONTH }, 'system:test');
    if (outcome.kind !== 'closed') throw new Error(outcome.kind);
    const closed = await ask();
    expect(closed).toEqual({ ...before, state: 'CLOSED', hash: outcome.hash, adjustments: { items: [] } });
    const { prisma } = switchyard.resources.database;
    const refund = await prisma.refund.findFirstOrThrow({
      where: { merchantId, updatedAt: { gte: new Date('2026-10-02'), lt: new Date('2026-10-30') } },
    });
    await prisma.refund.updateMany({ where: { merchantId, id: refund.id }, data: { amount: 41n } });
    const later = await ask();
    expect(later.totals).toEqual(before.totals);
    expect(later.adjustments?.items).toEqual([{ kind: 'refund', difference: '-1', paymentId: refund.paymentId }]);
    expect([later.late, later.lateJournals]).toEqual([[{ currency: 'NGN', debit: '1.00' }], []]);
    const made = await makeLateJournal(switchyard, { merchantId, mode: 'test', month: MONTH }, 'system:test');
    expect(made).toMatchObject({ kind: 'made', number: 1 });
    const posted = { currency: 'NGN', debit: '1.00', credit: '1.00' };
    expect(await ask()).toMatchObject({ late: [], lateJournals: [{ number: 1, journals: [posted] }] });
  });

  test('of another merchant is refused, and so is a month that is none', async () => {
    expect(JSON.stringify(await post({ mode: 'test', merchantId: otherId, month: MONTH }))).toMatch(/FORBIDDEN/);
    expect(JSON.stringify(await post({ mode: 'test', merchantId, month: '2026-13' }))).toMatch(/must be a month/);
  });
});

describe('a journal over GraphQL', () => {
  const journalSchema = z.array(
    z.object({
      currency: z.string(),
      debit: z.string(),
      credit: z.string(),
      accounts: z.array(
        z.object({
          posting: z.string(),
          account: z.object({ id: z.string() }).nullable(),
          debit: z.string(),
          credit: z.string(),
        }),
      ),
    }),
  );

  async function postJournal(filter: object): Promise<unknown> {
    const query = `query ($filter: JournalFilter!) { journal(filter: $filter) {
      currency debit credit accounts { posting account { id } debit credit } } }`;
    const headers = browser.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query, variables: { filter } });
    return (await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }))).json();
  }

  test('posts sales and refunds that equal plain SQL to the last digit, and as much to either side', async () => {
    const answer = await postJournal({ mode: 'test', merchantId, from: '2026-10-01', to: '2026-10-31' });
    const journal = z.object({ data: z.object({ journal: journalSchema }) }).parse(answer).data.journal;
    const LAGOS = "AT TIME ZONE 'Africa/Lagos')::date";
    const paid = 'payment AS p JOIN attempt ON attempt.merchant_id = p.merchant_id AND attempt.payment_id = p.id';
    const sales = await sumOf(paid, 'round(attempt.received_amount, 2)', 'attempt.received_currency', `(p.paid_at ${LAGOS}`);
    const refunds = await sumOf('refund AS p', 'p.amount::numeric', 'p.currency', `(p.updated_at ${LAGOS}`);
    const posted = (posting: string, side: 'debit' | 'credit') =>
      Object.fromEntries(
        journal.flatMap(({ currency, accounts }) =>
          accounts.filter((one) => one.posting === posting).map((one) => [currency, Number(one[side])]),
        ),
      );
    const numbers = (sums: Record<string, string>) =>
      Object.fromEntries(Object.entries(sums).map(([currency, amount]) => [currency, Number(amount)]));
    expect(journal.map(({ currency }) => currency)).toEqual(['NGN', 'USD']);
    expect(posted('sales', 'credit')).toEqual(numbers(sales));
    // October is closed: what a refund became since is in a journal of late arrivals.
    expect(posted('refunds', 'debit')).toEqual({ NGN: Number(refunds.NGN) - 1 });
    for (const { debit, credit } of journal) expect(debit).toBe(credit);
    const clearing = journal.flatMap(({ accounts }) => accounts.filter((one) => one.posting === 'clearing'));
    expect(new Set(clearing.map(({ account }) => account?.id))).toEqual(new Set([accountId]));
  });

  test('of another merchant is refused, and so are too many days', async () => {
    const days = { from: '2026-10-01', to: '2026-10-31' };
    expect(JSON.stringify(await postJournal({ mode: 'test', merchantId: otherId, ...days }))).toMatch(/FORBIDDEN/);
    const long = { from: '2024-10-01', to: '2026-10-31' };
    expect(JSON.stringify(await postJournal({ mode: 'test', merchantId, ...long }))).toMatch(/must not be longer than/);
  });
});
