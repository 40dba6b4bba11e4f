import { newId } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
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

/*
 * Sums and lists of the bank side against SQL that is written here from the meaning of the filter, and not from the statements of the
 * product. Amounts have more digits than a double holds, days lie around midnights, and another merchant has rows of everything.
 */

let switchyard: Switchyard;
let close: () => Promise<void>;
let browser: Browser;
let merchantId: string;
let otherId: string;
const accounts = [newId(), newId()] as const;
const settlements = Array.from({ length: 40 }, () => newId());
const statements = [newId(), newId()] as const;
const owner = newId();
let paymentId = '';

const DAY_MS = 86_400_000;
const begin = Date.UTC(2026, 9, 1);
const dayOf = (at: number) => new Date(begin + at * DAY_MS);
const textOf = (at: number) => dayOf(at).toISOString().slice(0, 10);
const pick = <T>(values: readonly [T, ...T[]], at: number): T => values[at % values.length] ?? values[0];
const modeOf = (at: number): Mode => (at % 11 === 10 ? 'live' : 'test');

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  merchantId = await createTestMerchant(switchyard, 'Danjuma Electronics');
  otherId = await createTestMerchant(switchyard, 'Eze Furniture');
  paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  for (const [at, id] of [...accounts, newId()].entries()) {
    await switchyard.resources.database.pool.query(
      `INSERT INTO gateway_account (merchant_id, id, mode, gateway, label, enabled, credential_hint, currencies, methods, min_amount,
        created_at, updated_at)
       VALUES ($1, $2, $3::mode, 'paystack', $4, true, '{}', '{NGN}', '{CARD}', 50, now(), now())`,
      [merchantId, id, at === accounts.length ? 'live' : 'test', `account ${at}`],
    );
  }
  await switchyard.resources.database.pool.query(
    'UPDATE configuration_revision SET revision = revision + 1 WHERE merchant_id = $1',
    [merchantId],
  );
  await switchyard.resources.configuration.refresh();
  for (const [at, id] of settlements.entries()) {
    const tenant = at % 10 === 9 ? otherId : merchantId;
    await recordSettlement(tenant, id, at);
    await recordLines(tenant, id, at);
    await recordBankLine(tenant, id, at);
    await recordDiscrepancy(tenant, at);
    await recordApproval(tenant, at);
  }
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'ngozi@example.com', [{ merchantId, role: 'finance' }]));
});
afterAll(() => close());

const netOf = (at: number) => `${9007199254740993n + BigInt(at) * 1_000n}.${String((at * 37) % 100).padStart(2, '0')}`;

async function recordSettlement(tenant: string, id: string, at: number): Promise<void> {
  const time = dayOf(at);
  await switchyard.resources.database.prisma.settlement.create({
    data: {
      merchantId: tenant,
      id,
      mode: modeOf(at),
      accountId: pick(accounts, at),
      gateway: 'paystack',
      reference: `payout-${at}`,
      road: 'FILE',
      status: at % 7 === 6 ? 'PENDING' : 'PAID',
      currency: at % 5 === 4 ? 'USD' : 'NGN',
      gross: netOf(at),
      fees: `${at}.5`,
      deductions: `${at % 3}.25`,
      net: netOf(at),
      explained: at % 6 === 0 ? '0' : netOf(at),
      unexplained: at % 4 === 0 ? `${at}.75` : '0',
      settledOn: time,
      createdAt: time,
      updatedAt: time,
    },
  });
}

/** Three lines of a payout, of which every fifth is not matched. */
async function recordLines(tenant: string, settlementId: string, at: number): Promise<void> {
  const lines = [0, 1, 2].map(
    (position): Prisma.SettlementLineCreateManyInput => ({
      merchantId: tenant,
      id: newId(),
      settlementId,
      accountId: pick(accounts, at),
      position,
      kind: pick(['PAYMENT', 'FEE', 'REFUND', 'CHARGEBACK'], at + position),
      amount: `${position === 1 ? '-' : ''}${netOf(at + position)}`,
      currency: at % 5 === 4 ? 'USD' : 'NGN',
      linkedBy: (at + position) % 5 === 4 ? null : pick(['REFERENCE', 'TRANSACTION', 'AMOUNT_AND_TIME', 'STAFF'], at + position),
      createdAt: dayOf(at),
    }),
  );
  await switchyard.resources.database.prisma.settlementLine.createMany({ data: lines });
}

/** Every third payout came whole, the next short by a little, and the third not at all. */
async function recordBankLine(tenant: string, settlementId: string, at: number): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const id = newId();
  const mode = modeOf(at);
  const amount = at % 4 === 3 ? '-52.5' : at % 3 === 1 ? netOf(at).replace(/\.\d+$/, '.0') : netOf(at);
  const currency = at % 5 === 4 ? 'USD' : 'NGN';
  const base = { merchantId: tenant, id, mode, statementId: pick(statements, at), bankAccount: `0${at % 2}23456789` };
  await prisma.bankLine.create({
    data: {
      ...base,
      bookedOn: dayOf(at + 1),
      amount,
      currency,
      text: `NIP ${at}`,
      dedupeKey: String(at),
      createdAt: dayOf(at + 2),
    },
  });
  const isOfPayout = at % 3 !== 2 && at % 4 !== 3;
  if (isOfPayout) {
    await prisma.bankMatch.create({
      data: { merchantId: tenant, bankLineId: id, settlementId, matchedBy: 'reference', createdAt: dayOf(at + 2) },
    });
  }
}

async function recordDiscrepancy(tenant: string, at: number): Promise<void> {
  const createdAt = new Date(begin + at * DAY_MS + 23 * 3_600_000);
  await switchyard.resources.database.prisma.settlementDiscrepancy.create({
    data: {
      merchantId: tenant,
      id: newId(),
      mode: modeOf(at),
      accountId: pick(accounts, at),
      gateway: 'paystack',
      kind: pick(['LATE', 'MISSING', 'OVER', 'UNDER', 'UNMATCHED', 'OVERCHARGED'], at),
      state: pick(['OPEN', 'EXPLAINED', 'RESOLVED'], at),
      subject: `payment/${newId()}`,
      currency: at % 5 === 4 ? 'USD' : 'NGN',
      expected: at % 6 === 4 ? null : netOf(at),
      settled: at % 4 === 0 ? null : `${at}.25`,
      settlementId: settlements[at % 3] ?? null,
      paymentId: at % 8 === 1 ? paymentId : null,
      ownerId: at % 2 === 0 ? owner : null,
      note: at % 9 === 2 ? `Asked support on day ${at}` : null,
      createdAt,
    },
  });
}

async function recordApproval(tenant: string, at: number): Promise<void> {
  const createdAt = dayOf(at);
  await switchyard.resources.database.prisma.refundApproval.create({
    data: {
      merchantId: tenant,
      id: newId(),
      mode: modeOf(at),
      paymentId: at % 3 === 0 ? paymentId : newId(),
      kind: 'own',
      amount: BigInt(at) * 99_999n,
      currency: at % 5 === 4 ? 'USD' : 'NGN',
      gateway: pick(['paystack', 'monnify'], at),
      state: pick(['WAITING', 'APPROVED', 'DECLINED', 'WITHDRAWN', 'WAITING'], at),
      requestedBy: 'staff:ada',
      expiresAt: at % 2 === 0 ? new Date(Date.now() + DAY_MS) : createdAt,
      createdAt,
    },
  });
}

async function ask(field: string, type: string, selection: string, filter: object): Promise<unknown> {
  const query = `query ($filter: ${type}!) { ${field} ${selection} }`;
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query, variables: { filter: { mode: 'test', ...filter } } });
  const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
  const answer = z
    .object({ data: z.record(z.string(), z.unknown()) })
    .parse(await (await sendGraphql(switchyard, request)).json());
  return Object.values(answer.data)[0];
}

const list = (field: string, type: string, fields: string, filter: object) =>
  ask(`${field}(filter: $filter, first: 200)`, type, `{ edges { node { ${fields} } } }`, filter).then((found) =>
    z
      .object({ edges: z.array(z.object({ node: z.record(z.string(), z.unknown()) })) })
      .parse(found)
      .edges.map(({ node }) => node),
  );

async function sql(text: string): Promise<Record<string, unknown>[]> {
  return (await switchyard.resources.database.pool.query<Record<string, unknown>>(text)).rows;
}

const own = () => `merchant_id = '${merchantId}'`;

describe('discrepancies of settlements', () => {
  const FROM = new Date(begin + 10 * DAY_MS).toISOString();
  const TO = new Date(begin + 20 * DAY_MS + 23 * 3_600_000).toISOString();
  test.each<[object, () => string]>([
    [{}, () => "mode = 'test'"],
    [{ mode: 'live' }, () => "mode = 'live'"],
    [{ states: ['OPEN', 'RESOLVED'] }, () => "mode = 'test' AND state IN ('OPEN', 'RESOLVED')"],
    [{ kinds: ['OVERCHARGED'] }, () => "mode = 'test' AND kind = 'OVERCHARGED'"],
    [{ accountIds: [accounts[1]] }, () => `mode = 'test' AND account_id = '${accounts[1]}'`],
    [{ createdFrom: FROM, createdTo: TO }, () => `mode = 'test' AND created_at >= '${FROM}' AND created_at < '${TO}'`],
    [{ settlementId: settlements[1] }, () => `mode = 'test' AND settlement_id = '${settlements[1]}'`],
    [{ ownerId: owner }, () => `mode = 'test' AND owner_id = '${owner}'`],
    [{ unowned: true }, () => "mode = 'test' AND owner_id IS NULL"],
    [{ unowned: false }, () => "mode = 'test' AND owner_id IS NOT NULL"],
    [{ amountFrom: 20 }, () => "mode = 'test' AND abs(coalesce(settled, 0) - coalesce(expected, 0)) >= 20"],
    [{ amountTo: 30 }, () => "mode = 'test' AND abs(coalesce(settled, 0) - coalesce(expected, 0)) <= 30"],
    [{ text: 'support' }, () => "mode = 'test' AND note LIKE '%support%'"],
    [{ text: 'order-1' }, () => `mode = 'test' AND payment_id = '${paymentId}'`],
  ])('sums and list equal SQL: %o', async (filter, condition) => {
    const sums = await ask(
      'settlementDiscrepancySums(filter: $filter)',
      'SettlementDiscrepancyFilter',
      '{ kind state currency count amount }',
      filter,
    );
    const expected = await sql(`
      SELECT kind::text, state::text, currency::text, count(*)::int AS count,
        trim_scale(sum(abs(coalesce(settled, 0) - coalesce(expected, 0))))::text AS amount
      FROM settlement_discrepancy WHERE ${own()} AND ${condition()} GROUP BY kind, state, currency`);
    expect(expected.length).toBeGreaterThan(0);
    expect(sums).toHaveLength(expected.length);
    expect(sums).toEqual(expect.arrayContaining(expected));
    const listed = await list('settlementDiscrepancies', 'SettlementDiscrepancyFilter', 'id amount', filter);
    expect(listed).toEqual(
      await sql(`SELECT id, trim_scale(abs(coalesce(settled, 0) - coalesce(expected, 0)))::text AS amount
        FROM settlement_discrepancy WHERE ${own()} AND ${condition()} ORDER BY created_at DESC, id DESC`),
    );
  });

  test('paymentId finds those of a payment', async () => {
    const listed = await list('settlementDiscrepancies', 'SettlementDiscrepancyFilter', 'paymentId', { paymentId });
    expect(listed).toEqual([{ paymentId }, { paymentId }, { paymentId }, { paymentId }]);
  });
});

describe('refunds that need a second person', () => {
  const NOW = 'now()';
  const STATE = `CASE WHEN state = 'WAITING' AND expires_at <= ${NOW} THEN 'EXPIRED' ELSE state::text END`;
  test.each<[object, () => string]>([
    [{}, () => "mode = 'test'"],
    [{ mode: 'live' }, () => "mode = 'live'"],
    [{ states: ['EXPIRED'] }, () => "mode = 'test' AND state = 'WAITING' AND expires_at <= now()"],
    [{ states: ['WAITING', 'DECLINED'] }, () => `mode = 'test' AND ${STATE} IN ('WAITING', 'DECLINED')`],
    [{ gateways: ['monnify'] }, () => "mode = 'test' AND gateway = 'monnify'"],
    [
      { createdFrom: dayOf(5).toISOString(), createdTo: dayOf(15).toISOString() },
      () => `mode = 'test' AND created_at >= '${textOf(5)}' AND created_at < '${textOf(15)}'`,
    ],
  ])('sums and list equal SQL: %o', async (filter, condition) => {
    const type = 'RefundApprovalFilter';
    const sums = await ask('refundApprovalSums(filter: $filter)', type, '{ state currency count amount }', filter);
    const expected = await sql(`SELECT ${STATE} AS state, currency::text, count(*)::int AS count, sum(amount)::float8 AS amount
      FROM refund_approval WHERE ${own()} AND ${condition()} GROUP BY 1, 2`);
    expect(expected.length).toBeGreaterThan(0);
    expect(sums).toHaveLength(expected.length);
    expect(sums).toEqual(expect.arrayContaining(expected));
    expect(await list('refundApprovals', type, 'id state', filter)).toEqual(
      await sql(
        `SELECT id, ${STATE} AS state FROM refund_approval WHERE ${own()} AND ${condition()} ORDER BY created_at DESC, id DESC`,
      ),
    );
  });

  test('paymentId finds those of a payment', async () => {
    const listed = await list('refundApprovals', 'RefundApprovalFilter', 'paymentId', { paymentId });
    expect(listed.length).toBeGreaterThan(3);
    expect(new Set(listed.map((each) => each.paymentId))).toEqual(new Set([paymentId]));
  });
});

describe('settlements', () => {
  test.each<[object, () => string]>([
    [{}, () => "mode = 'test'"],
    [{ mode: 'live' }, () => "mode = 'live'"],
    [{ states: ['PENDING', 'FAILED'] }, () => "mode = 'test' AND status <> 'PAID'"],
    [{ accountIds: [accounts[1]] }, () => `mode = 'test' AND account_id = '${accounts[1]}'`],
    [
      { settledFrom: textOf(5), settledTo: textOf(20) },
      () => `mode = 'test' AND settled_on BETWEEN '${textOf(5)}' AND '${textOf(20)}'`,
    ],
    [{ unexplainedOnly: true }, () => "mode = 'test' AND unexplained > 0"],
    [
      { createdFrom: dayOf(7).toISOString(), createdTo: dayOf(9).toISOString() },
      () => `mode = 'test' AND created_at >= '${dayOf(7).toISOString()}' AND created_at < '${dayOf(9).toISOString()}'`,
    ],
  ])('sums and list equal SQL: %o', async (filter, condition) => {
    const figures = ['gross', 'fees', 'deductions', 'net', 'explained', 'unexplained'];
    const sums = await ask(
      'settlementSums(filter: $filter)',
      'SettlementsFilter',
      `{ status currency count ${figures.join(' ')} }`,
      filter,
    );
    const expected = await sql(`
      SELECT status::text, currency::text, count(*)::int AS count,
        ${figures.map((figure) => `trim_scale(sum(${figure}))::text AS ${figure}`).join(', ')}
      FROM settlement WHERE ${own()} AND ${condition()} GROUP BY status, currency`);
    expect(expected.length).toBeGreaterThan(0);
    expect(sums).toHaveLength(expected.length);
    expect(sums).toEqual(expect.arrayContaining(expected));
    expect(await list('settlements', 'SettlementsFilter', 'id', filter)).toEqual(
      await sql(`SELECT id FROM settlement WHERE ${own()} AND ${condition()} ORDER BY created_at DESC, id DESC`),
    );
  });
});

describe('lines of settlements', () => {
  const mode = (value: Mode) => `settlement_id IN (SELECT id FROM settlement WHERE ${own()} AND mode = '${value}')`;
  test.each<[object, () => string]>([
    [{}, () => mode('test')],
    [{ mode: 'live' }, () => mode('live')],
    [{ settlementId: settlements[3] }, () => `settlement_id = '${settlements[3]}'`],
    [{ kinds: ['FEE', 'CHARGEBACK'] }, () => `${mode('test')} AND kind IN ('FEE', 'CHARGEBACK')`],
    [{ unmatchedOnly: true }, () => `${mode('test')} AND linked_by IS NULL`],
    [{ createdFrom: dayOf(12).toISOString() }, () => `${mode('test')} AND created_at >= '${dayOf(12).toISOString()}'`],
  ])('sums and list equal SQL: %o', async (filter, condition) => {
    const selection = '{ kind currency count amount unmatchedCount unmatchedAmount }';
    const sums = await ask('settlementLineSums(filter: $filter)', 'SettlementLineFilter', selection, filter);
    const expected = await sql(`
      SELECT kind::text, currency::text, count(*)::int AS count, trim_scale(sum(amount))::text AS amount,
        sum(CASE WHEN linked_by IS NULL THEN 1 ELSE 0 END)::int AS "unmatchedCount",
        trim_scale(sum(CASE WHEN linked_by IS NULL THEN amount ELSE 0 END))::text AS "unmatchedAmount"
      FROM settlement_line WHERE ${own()} AND ${condition()} GROUP BY kind, currency`);
    expect(expected.length).toBeGreaterThan(0);
    expect(sums).toHaveLength(expected.length);
    expect(sums).toEqual(expect.arrayContaining(expected));
    const listed = await list('settlementLines', 'SettlementLineFilter', 'id amount matched', filter);
    expect(listed).toEqual(
      await sql(`SELECT id, trim_scale(amount)::text AS amount, linked_by IS NOT NULL AS matched
        FROM settlement_line WHERE ${own()} AND ${condition()} ORDER BY created_at DESC, id DESC LIMIT 200`),
    );
  });
});

describe('lines of bank statements', () => {
  const period = { from: textOf(0), to: textOf(60) };
  const within = "mode = 'test'";
  const matched = () => `EXISTS (SELECT 1 FROM bank_match AS m WHERE m.${own()} AND m.bank_line_id = bank_line.id)`;
  test.each<[object, () => string]>([
    [period, () => within],
    [{ ...period, mode: 'live' }, () => "mode = 'live'"],
    [{ from: textOf(8), to: textOf(19) }, () => `${within} AND booked_on BETWEEN '${textOf(8)}' AND '${textOf(19)}'`],
    [{ ...period, statementId: statements[1] }, () => `${within} AND statement_id = '${statements[1]}'`],
    [{ ...period, bankAccounts: ['0123456789'] }, () => `${within} AND bank_account = '0123456789'`],
    [{ ...period, unmatchedOnly: true }, () => `${within} AND NOT ${matched()}`],
  ])('sums and list equal SQL: %o', async (filter, condition) => {
    const selection = '{ bankAccount currency count credits debits matched }';
    const sums = await ask('bankLineSums(filter: $filter)', 'BankLineFilter', selection, filter);
    const expected = await sql(`
      SELECT bank_account AS "bankAccount", currency::text, count(*)::int AS count,
        trim_scale(sum(greatest(amount, 0)))::text AS credits, trim_scale(sum(greatest(-amount, 0)))::text AS debits,
        trim_scale(sum(CASE WHEN amount > 0 AND ${matched()} THEN amount ELSE 0 END))::text AS matched
      FROM bank_line WHERE ${own()} AND ${condition()} GROUP BY bank_account, currency`);
    expect(expected.length).toBeGreaterThan(0);
    expect(sums).toHaveLength(expected.length);
    expect(sums).toEqual(expect.arrayContaining(expected));
    const listed = await list('bankLines', 'BankLineFilter', 'id amount settlementIds', filter);
    expect(listed).toEqual(
      await sql(`SELECT id, trim_scale(amount)::text AS amount,
          ARRAY(SELECT settlement_id FROM bank_match AS m WHERE m.${own()} AND m.bank_line_id = bank_line.id) AS "settlementIds"
        FROM bank_line WHERE ${own()} AND ${condition()} ORDER BY booked_on DESC, id DESC`),
    );
  });

  test('a page goes on after the one before it', async () => {
    const page = async (after: string | null) =>
      z
        .object({
          edges: z.array(z.object({ node: z.object({ id: z.string() }) })),
          pageInfo: z.object({ endCursor: z.string().nullable(), hasNextPage: z.boolean() }),
        })
        .parse(
          await ask(
            `bankLines(filter: $filter, first: 7${after === null ? '' : `, after: "${after}"`})`,
            'BankLineFilter',
            '{ edges { node { id } } pageInfo { endCursor hasNextPage } }',
            period,
          ),
        );
    const ids: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { edges, pageInfo } = await page(after);
      ids.push(...edges.map(({ node }) => node.id));
      ({ endCursor: after, hasNextPage: more } = pageInfo);
    }
    const rows = await sql(`SELECT id FROM bank_line WHERE ${own()} AND ${within} ORDER BY booked_on DESC, id DESC`);
    expect(ids).toEqual(rows.map(({ id }) => id));
  });

  test('a period of more than thirteen months is refused', async () => {
    const query = 'query ($filter: BankLineFilter!) { bankLineSums(filter: $filter) { count } }';
    const headers = browser.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query, variables: { filter: { mode: 'test', from: '2025-01-01', to: '2026-11-01' } } });
    const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
    expect(await (await sendGraphql(switchyard, request)).text()).toContain('BAD_USER_INPUT');
  });
});

describe('payouts and the bank', () => {
  const payouts = "mode = 'test' AND status = 'PAID'";
  test.each<[object, () => string]>([
    [{ from: textOf(0), to: textOf(60) }, () => payouts],
    [{ from: textOf(8), to: textOf(19) }, () => `${payouts} AND settled_on BETWEEN '${textOf(8)}' AND '${textOf(19)}'`],
    [{ from: textOf(0), to: textOf(60), accountIds: [accounts[0]] }, () => `${payouts} AND account_id = '${accounts[0]}'`],
    [{ from: textOf(0), to: textOf(60), mode: 'live' }, () => "mode = 'live' AND status = 'PAID'"],
  ])('by account and day equal SQL: %o', async (filter, condition) => {
    const sums = 'currency payouts paidOut arrived difference';
    const found = z
      .object({
        sums: z.array(z.record(z.string(), z.unknown())),
        days: z.array(
          z.object({ settledOn: z.string(), account: z.object({ id: z.string() }), sums: z.record(z.string(), z.unknown()) }),
        ),
        payouts: z.array(z.object({ settlementId: z.string(), arrived: z.string().nullable(), state: z.string() })),
      })
      .parse(
        await ask(
          'bank(filter: $filter)',
          'BankFilter',
          `{ sums { ${sums} } days { settledOn account { id } sums { ${sums} } } payouts { settlementId arrived state } }`,
          filter,
        ),
      );
    const came = `(SELECT sum(line.amount) FROM bank_match AS m JOIN bank_line AS line ON line.merchant_id = m.merchant_id AND line.id = m.bank_line_id
      WHERE m.merchant_id = settlement.merchant_id AND m.settlement_id = settlement.id)`;
    const figures = `currency::text, count(*)::int AS payouts, trim_scale(sum(net))::text AS "paidOut",
      trim_scale(coalesce(sum(${came}), 0))::text AS arrived,
      trim_scale(coalesce(sum(${came} - net), 0))::text AS difference`;
    const bySql = await sql(`SELECT ${figures} FROM settlement WHERE ${own()} AND ${condition()} GROUP BY currency`);
    expect(bySql.length).toBeGreaterThan(0);
    expect(found.sums).toHaveLength(bySql.length);
    expect(found.sums).toEqual(expect.arrayContaining(bySql));
    const days = await sql(`SELECT settled_on::text AS "settledOn", account_id, ${figures}
      FROM settlement WHERE ${own()} AND ${condition()} GROUP BY settled_on, account_id, currency`);
    expect(found.days).toHaveLength(days.length);
    expect(found.days).toEqual(
      expect.arrayContaining(days.map(({ settledOn, account_id: id, ...rest }) => ({ settledOn, account: { id }, sums: rest }))),
    );
    expect(found.payouts.map(({ settlementId, arrived }) => [settlementId, arrived]).toSorted()).toEqual(
      (await sql(`SELECT id, trim_scale(${came})::text AS arrived FROM settlement WHERE ${own()} AND ${condition()}`))
        .map(({ id, arrived }) => [id, arrived])
        .toSorted(),
    );
  });
});

describe('what was taken in', () => {
  test('files, profiles, statements and rules are those of the filter', async () => {
    const { prisma } = switchyard.resources.database;
    for (let at = 0; at < 6; at += 1) {
      const tenant = at === 5 ? otherId : merchantId;
      const taken = {
        merchantId: tenant,
        hash: String(at),
        name: `${at}.csv`,
        bytes: 9,
        takenBy: 'staff:ada',
        takenAt: dayOf(at),
      };
      const mode = at === 4 ? 'live' : 'test';
      const accountId = pick(accounts, at);
      await prisma.settlementFile.create({
        data: { ...taken, id: newId(), mode, accountId, mapping: { amount: 'Amount' }, rows: 3, settlements: 1, lines: at },
      });
      await prisma.bankStatement.create({
        data: { ...taken, id: newId(), mode, format: pick(['csv', 'mt940'], at), lines: at, known: 1 },
      });
      await prisma.settlementIgnoreRule.create({
        data: {
          merchantId: tenant,
          id: newId(),
          accountId: at % 2 === 0 ? null : accountId,
          kind: 'UNDER',
          amountMax: `${at}.5`,
          reason: `reason ${at}`,
          createdBy: 'staff:ada',
          createdAt: dayOf(at),
          endedAt: at === 3 ? dayOf(9) : null,
        },
      });
    }
    await prisma.settlementProfile.create({
      data: {
        merchantId,
        accountId: accounts[0],
        gateway: 'paystack',
        mapping: { net: 'Net' },
        updatedAt: dayOf(1),
      },
    });
    const namesOf = async (field: string, type: string, filter: object) =>
      (await list(field, type, 'name', filter)).map(({ name }) => name);
    expect(await namesOf('settlementFiles', 'SettlementFileFilter', {})).toEqual(['3.csv', '2.csv', '1.csv', '0.csv']);
    expect(await namesOf('settlementFiles', 'SettlementFileFilter', { mode: 'live' })).toEqual(['4.csv']);
    expect(await namesOf('settlementFiles', 'SettlementFileFilter', { accountIds: [accounts[1]] })).toEqual(['3.csv', '1.csv']);
    const during = { createdFrom: dayOf(1).toISOString(), createdTo: dayOf(3).toISOString() };
    expect(await namesOf('settlementFiles', 'SettlementFileFilter', during)).toEqual(['2.csv', '1.csv']);
    expect(await namesOf('bankStatements', 'BankStatementFilter', { formats: ['mt940'] })).toEqual(['3.csv', '1.csv']);
    expect(await namesOf('bankStatements', 'BankStatementFilter', during)).toEqual(['2.csv', '1.csv']);
    const profiles = (filter: object) =>
      ask('settlementProfiles(filter: $filter)', 'SettlementProfileFilter', '{ account { id } mapping }', filter);
    expect(await profiles({})).toEqual([{ account: { id: accounts[0] }, mapping: { net: 'Net' } }]);
    expect(await profiles({ accountIds: [accounts[1]] })).toEqual([]);
    const rules = (filter: object) =>
      ask('settlementIgnoreRules(filter: $filter)', 'SettlementIgnoreRuleFilter', '{ reason amountMax }', filter);
    expect(await rules({})).toEqual([
      { reason: 'reason 4', amountMax: '4.5' },
      { reason: 'reason 2', amountMax: '2.5' },
      { reason: 'reason 1', amountMax: '1.5' },
      { reason: 'reason 0', amountMax: '0.5' },
    ]);
    expect(await rules({ ended: true })).toHaveLength(5);
    expect(await rules({ mode: 'live' })).toHaveLength(3);
  });
});
