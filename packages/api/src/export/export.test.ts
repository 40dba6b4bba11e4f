import { newId } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { readTable } from '@switchyard/runtime/tables';
import { LISTS as KNOWN_LISTS } from '@switchyard/scheduled-reports/lists';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { issueTestToken } from '../testing/agent.ts';
import { CALLERS, hasRight, linesOf } from '../testing/rights.ts';
import { sendGraphql } from '../testing/served.ts';
import {
  Browser,
  createStaffWithGrants,
  createTestMerchant,
  ORIGIN,
  openTestSwitchyard,
  recordPayment,
} from '../testing/switchyard.ts';
import { handleExport } from './handle.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;
const finance = { browser: Browser.prototype, token: '' };
let viewer: Browser;
let ours = '';
let theirs = '';

const ROWS = 6;
const LISTS = [
  'payments',
  'refunds',
  'duplicate-charges',
  'discrepancies',
  'disputes',
  'settlements',
  'settlement-lines',
  'settlement-discrepancies',
  'fees',
  'webhook-deliveries',
] as const;
type ListName = (typeof LISTS)[number];

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  ours = await createTestMerchant(switchyard, 'Balogun Books');
  theirs = await createTestMerchant(switchyard, 'Ade Fabrics');
  for (const merchantId of [ours, theirs]) await fill(merchantId);
  const email = await createStaffWithGrants(switchyard, 'finance@example.com', [{ merchantId: ours, role: 'finance' }]);
  finance.browser = new Browser(switchyard);
  await finance.browser.signIn(email);
  viewer = new Browser(switchyard);
  await viewer.signIn(await createStaffWithGrants(switchyard, 'viewer@example.com', [{ merchantId: ours, role: 'viewer' }]));
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
  const issued = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds: [ours, theirs],
    modes: ['test'],
    staffId,
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  finance.token = issued.token;
});
afterAll(() => close());

/** Rows of every list, several with the same timestamp, with texts that a spreadsheet would execute. */
async function fill(merchantId: string): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const account = await prisma.gatewayAccount.findFirstOrThrow({ where: { merchantId } });
  const endpointId = newId();
  const made = { createdAt: new Date(), updatedAt: new Date() };
  const shape = { mode: 'test' as Mode, description: '', types: [], secrets: ['x'], enabled: true, ...made };
  await prisma.webhookEndpoint.create({ data: { ...shape, merchantId, id: endpointId, url: 'https://example.com/' } });
  const settlementId = newId();
  const sums = { gross: '12', fees: '0', deductions: '0', net: '12', explained: '12', unexplained: '0' };
  await prisma.settlement.create({
    data: {
      merchantId,
      id: settlementId,
      mode: 'test',
      accountId: account.id,
      gateway: 'paystack',
      reference: '3090024',
      road: 'POLLED',
      status: 'PAID',
      currency: 'NGN',
      settledOn: new Date('2026-10-01'),
      ...sums,
      ...made,
    },
  });
  for (let at = 1; at < ROWS; at += 1) {
    await prisma.settlement.create({
      data: {
        merchantId,
        id: newId(),
        mode: 'test',
        accountId: account.id,
        gateway: 'paystack',
        reference: `=${at}`,
        road: 'POLLED',
        status: 'PENDING',
        currency: 'NGN',
        ...sums,
        ...made,
      },
    });
  }
  for (let at = 0; at < ROWS; at += 1) {
    const paymentId = await recordPayment(switchyard, merchantId, `=order,"${at}`);
    const times = { createdAt: new Date(Date.UTC(2026, 9, 1, Math.floor(at / 3))), updatedAt: new Date() };
    const found = { merchantId, mode: 'test' as Mode, gateway: 'paystack', accountId: account.id, createdAt: times.createdAt };
    const common = { ...found, updatedAt: times.updatedAt };
    const attempt = { ...common, id: newId(), paymentId, position: 0, reference: `r${at}`, state: 'PAID' as const };
    const charge = { paymentId, attemptId: attempt.id, currency: 'NGN', transactionId: `t${at}`, reference: `@${at}` };
    const eventId = newId();
    await prisma.refund.create({
      data: { ...common, ...charge, id: newId(), amount: 100n, state: 'SUCCEEDED', requestedBy: 'api', reason: '=1+1' },
    });
    await prisma.duplicateCharge.create({ data: { ...common, ...charge, id: newId(), amount: '99.5', state: 'OPEN' } });
    const dispute = { paymentId, attemptId: attempt.id, gatewayDisputeId: `=d${at}`, amount: '99.5', currency: 'NGN' };
    const opened = { openedAt: times.createdAt, category: '=fraud' };
    await prisma.dispute.create({ data: { ...common, ...dispute, ...opened, id: newId(), state: 'WON' } });
    await prisma.reconciliationDiscrepancy.create({
      data: {
        ...found,
        id: newId(),
        day: new Date('2026-10-01'),
        kind: 'AMOUNT',
        subject: `s${at}`,
        state: 'OPEN',
        ledger: { amount: at },
        note: '-2',
      },
    });
    await prisma.settlementLine.create({
      data: {
        merchantId,
        id: newId(),
        settlementId,
        accountId: account.id,
        position: at,
        kind: at % 2 === 0 ? 'PAYMENT' : 'FEE',
        amount: at % 2 === 0 ? '1' : '-16.13',
        currency: 'NGN',
        reference: `=r${at}`,
        paymentId,
        subjects: [`payment/${paymentId}`],
        createdAt: times.createdAt,
      },
    });
    const bankLineId = newId();
    const booked = { bookedOn: new Date('2026-10-02'), amount: '5', currency: 'NGN', dedupeKey: String(at) };
    await prisma.bankLine.create({
      data: {
        merchantId,
        id: bankLineId,
        mode: 'test',
        statementId: newId(),
        bankAccount: '0123456789',
        text: `=PAYSTACK ${at}`,
        createdAt: times.createdAt,
        ...booked,
      },
    });
    const shortBy = { kind: 'UNDER' as const, expected: '10', settled: '-16.13', subject: `payment/${paymentId}`, paymentId };
    const credit = { kind: 'UNMATCHED' as const, settled: '5', subject: `bank/${bankLineId}` };
    await prisma.settlementDiscrepancy.create({
      data: { ...found, currency: 'NGN', id: newId(), state: 'OPEN', note: '=1+1', ...(at % 2 === 0 ? shortBy : credit) },
    });
    await prisma.paymentFee.create({
      data: {
        merchantId,
        paymentId,
        mode: 'test',
        accountId: account.id,
        gateway: 'paystack',
        currency: 'NGN',
        amount: '1',
        expected: '1',
        charged: '1.5',
        reported: '1.5',
        excess: '0.5',
        createdAt: times.createdAt,
        paidAt: times.createdAt,
      },
    });
    await prisma.merchantEvent.create({
      data: {
        merchantId,
        id: eventId,
        mode: 'test',
        paymentId,
        position: at,
        type: 'payment.succeeded',
        packedBody: new Uint8Array(),
        createdAt: times.createdAt,
      },
    });
    await prisma.webhookDelivery.create({
      data: {
        merchantId,
        id: newId(),
        endpointId,
        eventId,
        paymentId,
        position: at,
        type: 'payment.succeeded',
        state: 'PENDING',
        attempts: 0,
        ...times,
      },
    });
  }
}

interface Query {
  readonly format?: string;
  readonly after?: string;
  readonly limit?: string;
  readonly columns?: string;
  readonly bom?: string;
  readonly filter?: object;
}

function get(list: string, { filter = {}, ...query }: Query, headers: Headers): Promise<Response> {
  const search = new URLSearchParams({ ...query, filter: JSON.stringify({ mode: 'test', ...filter }) });
  return handleExport(switchyard, list, new Request(`${ORIGIN}/api/export/${list}?${search}`, { headers }));
}
const asFinance = () => finance.browser.headers();
const byToken = () => new Headers({ authorization: `Bearer ${finance.token}` });

/** Complete lines of an NDJSON file. */
async function lines(list: string, query: Query = {}, headers = asFinance()): Promise<string[]> {
  const response = await get(list, { format: 'ndjson', ...query }, headers);
  expect(response.status).toBe(200);
  return (await response.text()).split('\n').slice(0, -1);
}

/** Cells of a CSV file or a workbook, each row as long as its titles. */
async function cellsIn(response: Response): Promise<string[][]> {
  expect(response.status).toBe(200);
  const table = await readTable(new Uint8Array(await response.arrayBuffer()), { rowsMax: 1_000 });
  if (table.kind !== 'read') throw new Error(JSON.stringify(table.problem));
  const width = table.rows[0]?.cells.length ?? 0;
  return table.rows.map(({ cells }) => Array.from({ length: width }, (_, at) => cells[at] ?? ''));
}

function placeOf(line: string): string {
  return Object.values<string>(JSON.parse(line)).slice(0, 3).join(',');
}

/** Where GraphQL has the list. */
const CONNECTIONS: Readonly<Partial<Record<ListName, [string, string]>>> = {
  payments: ['payments', 'PaymentFilter'],
  refunds: ['refunds', 'RefundFilter'],
  'duplicate-charges': ['duplicateCharges', 'DuplicateChargeFilter'],
  discrepancies: ['reconciliation', 'DiscrepancyFilter'],
  disputes: ['disputes', 'DisputesFilter'],
  settlements: ['settlements', 'SettlementsFilter'],
  'settlement-lines': ['settlementLines', 'SettlementLineFilter'],
  'settlement-discrepancies': ['settlementDiscrepancies', 'SettlementDiscrepancyFilter'],
  'webhook-deliveries': ['webhookDeliveries', 'WebhookDeliveryFilter'],
};

/** The ids that GraphQL lists, page by page. */
async function listed([field, type]: readonly [string, string]): Promise<string[]> {
  const query = `query ($filter: ${type}!, $after: String) {
    ${field}(filter: $filter, first: 5, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }`;
  const ids: string[] = [];
  let after: string | null = null;
  for (let page = 0; page < 10; page += 1) {
    const headers = finance.browser.headers({ 'content-type': 'application/json' });
    const body = JSON.stringify({ query, variables: { filter: { mode: 'test' }, after } });
    const request = new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body });
    const { data } = await (await sendGraphql(switchyard, request)).json();
    const { edges, pageInfo } = data[field];
    ids.push(...edges.map(({ node }: { node: { id: string } }) => node.id));
    if (!pageInfo.hasNextPage) break;
    after = pageInfo.endCursor;
  }
  return ids;
}

describe.each(LISTS)('the file of %s', (list) => {
  test('contains exactly what GraphQL lists, where it has the list, with the row count in a header', async () => {
    const response = await get(list, { format: 'ndjson' }, asFinance());
    expect(response.headers.get('x-row-count')).toBe(String(ROWS));
    const rows = (await response.text()).split('\n').slice(0, -1);
    const connection = CONNECTIONS[list];
    if (connection === undefined) return;
    expect(rows.map((row) => Object.values(JSON.parse(row))[2]).sort()).toEqual((await listed(connection)).sort());
  });

  test('resumes after any row with exactly the rest, in either format', async () => {
    const whole = await lines(list);
    const csv = await (await get(list, {}, asFinance())).text();
    for (const [at, line] of whole.entries()) {
      const after = placeOf(line);
      expect(await lines(list, { after })).toEqual(whole.slice(at + 1));
      const response = await get(list, { after }, asFinance());
      expect(response.headers.get('x-row-count')).toBe(String(ROWS - at - 1));
      expect(csv.endsWith(await response.text())).toBe(true);
    }
  });

  test('is split into pages, each with the cursor of the next', async () => {
    const parts: string[] = [];
    const whole = await lines(list);
    for (let after: string | null = ''; after !== null; ) {
      const query = { format: 'ndjson', limit: '5', ...(after !== '' && { after }) };
      const response = await get(list, query, asFinance());
      parts.push(...(await response.text()).split('\n').slice(0, -1));
      after = response.headers.get('x-next-cursor');
    }
    expect(parts).toEqual(whole);
  });

  test('never contains a row of another merchant, for any caller', async () => {
    for (const headers of [asFinance(), byToken()]) {
      const rows = await lines(list, {}, headers);
      expect(new Set(rows.map((row) => JSON.parse(row).merchant_id))).toEqual(new Set([ours]));
      expect((await get(list, { filter: { merchantIds: [theirs] } }, headers)).status).toBe(403);
      const beyond = `${theirs},2020-01-01T00:00:00.000Z,${newId()}`;
      expect(await lines(list, { after: beyond }, headers)).toEqual(theirs < ours ? rows : []);
    }
  });

  test('starts with a byte order mark on request', async () => {
    const plain = Buffer.from(await (await get(list, {}, asFinance())).arrayBuffer());
    const marked = Buffer.from(await (await get(list, { bom: 'true' }, asFinance())).arrayBuffer());
    expect(marked.toString('utf8')).toBe(`\uFEFF${plain.toString('utf8')}`);
    expect(plain.toString('utf8').startsWith('merchant_id,')).toBe(true);
  });

  test('is a workbook with the same cells as CSV, whose escapes it does not need', async () => {
    const response = await get(list, { format: 'xlsx' }, asFinance());
    expect(response.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(response.headers.get('content-disposition')).toMatch(new RegExp(`filename="${list}-[0-9-]{10}.xlsx"`));
    const workbook = await cellsIn(response);
    const csv = await cellsIn(await get(list, {}, asFinance()));
    expect(workbook).toHaveLength(ROWS + 1);
    expect(workbook.map((row) => row.map((cell) => cell.replace(/T00:00:00$/, '')))).toEqual(
      csv.map((row) => row.map((cell) => cell.replace(/^'(?=[=+\-@])/, ''))),
    );
  });

  test('of one page is a workbook with its own titles', async () => {
    const [line = ''] = await lines(list);
    const response = await get(list, { format: 'xlsx', limit: '2', after: placeOf(line) }, asFinance());
    const [titles, ...rows] = await cellsIn(response);
    expect(titles?.[0]).toBe('merchant_id');
    expect(rows).toHaveLength(2);
    expect(response.headers.get('x-next-cursor')).toMatch(/\S/);
  });

  test('has no cell that a spreadsheet would execute', async () => {
    const csv = await (await get(list, {}, asFinance())).text();
    expect(csv).not.toMatch(/(^|[,\n])"?[=+@]/);
  });

  test('is audited before it is sent', async () => {
    await lines(list, {}, byToken());
    const action = `${list.replaceAll('-', '_')}.exported`;
    const row = await switchyard.resources.database.prisma.auditEntry.findFirst({
      where: { action },
      orderBy: { id: 'desc' },
    });
    expect(row).toMatchObject({ actor: expect.stringMatching(/^token:/), after: { count: ROWS, format: 'ndjson' } });
  });
});

test('a file has the requested columns, each once and in order, and keeps them when resumed after any row', async () => {
  const requested = { columns: 'status,merchant,method,checkout_gateway,status' };
  const rows = (await (await get('payments', requested, asFinance())).text()).trimEnd().split('\r\n');
  expect(rows[0]).toBe('status,merchant,method,checkout_gateway');
  for (const row of rows.slice(1)) expect(row).toBe('INITIATED,Balogun Books,CARD,paystack');
  expect(rows).toHaveLength(ROWS + 1);
  const [, , , fourth = ''] = await lines('payments');
  const rest = await get('payments', { ...requested, after: placeOf(fourth) }, asFinance());
  expect((await rest.text()).trimEnd().split('\r\n')).toEqual(rows.slice(5));
  const [json = ''] = await lines('payments', requested);
  expect(Object.keys(JSON.parse(json))).toEqual(['status', 'merchant', 'method', 'checkout_gateway']);
  const row = await switchyard.resources.database.prisma.auditEntry.findFirst({
    where: { action: 'payments.exported' },
    orderBy: { id: 'desc' },
  });
  expect(row).toMatchObject({ after: { columns: requested.columns.split(',') } });
});

test('a file of payments matches the list, including payments without gateway or rule', async () => {
  const rows = async (filter: object) => (await lines('payments', { filter })).length;
  expect([await rows({ openedAt: 'NONE' }), await rows({ openedAt: 'paystack' })]).toEqual([ROWS, 0]);
  expect([await rows({ ruleIds: ['NONE'] }), await rows({ ruleIds: ['x'] })]).toEqual([ROWS, 0]);
  expect([await rows({ gateways: ['NONE'] }), await rows({ gateways: ['NONE', 'paystack'] })]).toEqual([0, ROWS]);
});

test('amounts below zero are numbers in CSV and in a workbook, and text beside them is escaped', async () => {
  const amountsOf = async (list: string, query: Query) => {
    const [titles = [], ...rows] = await cellsIn(await get(list, query, asFinance()));
    return rows.map((row) => [row[titles.indexOf('amount')], row[titles.indexOf('settled')], row[titles.indexOf('reference')]]);
  };
  const [fee] = await amountsOf('settlement-lines', { filter: { kinds: ['FEE'] } });
  expect(fee).toEqual(['-16.13', undefined, "'=r1"]);
  const [short] = await amountsOf('settlement-discrepancies', { filter: { kinds: ['UNDER'] } });
  expect(short?.slice(0, 2)).toEqual(['26.13', '-16.13']);
  expect((await amountsOf('settlement-lines', { format: 'xlsx', filter: { kinds: ['FEE'] } }))[0]).toEqual([
    '-16.13',
    undefined,
    '=r1',
  ]);
});

test('a file of discrepancies of settlements has those of the bank with the words of the bank', async () => {
  const rows = (await lines('settlement-discrepancies', { filter: { abouts: ['bank'] } })).map((line) => JSON.parse(line));
  expect(rows).toHaveLength(ROWS / 2);
  const facts = { about: 'bank', kind: 'UNMATCHED', amount: '5', booked_on: '2026-10-02', bank_account: '0123456789' };
  expect(rows[0]).toMatchObject({ ...facts, bank_text: '=PAYSTACK 1', payment_id: null });
  const others = (await lines('settlement-discrepancies', { filter: { abouts: ['payment'] } })).map((line) => JSON.parse(line));
  expect(others[0]).toMatchObject({
    about: 'payment',
    expected: '10',
    settled: '-16.13',
    merchant_order_id: '=order,"0',
  });
});

test('settlements and their lines of a period go by the day of the payout, whenever they became known', async () => {
  const rowsOf = async (list: 'settlements' | 'settlement-lines', month: string, states: object) => {
    const days = { firstDay: `${month}-01`, lastDay: `${month}-30` };
    const moments = { from: new Date(`${month}-01T00:00:00Z`), to: new Date(`${month}-30T00:00:00Z`) };
    const filter = { ...states, ...KNOWN_LISTS[list]?.within({ ...days, ...moments }, {}) };
    return (await lines(list, { filter })).map((line) => JSON.parse(line));
  };
  // The payout of 1 October and its lines were recorded just now, the other settlements have no day yet.
  for (const [month, paidOut] of [
    ['2026-10', 1],
    ['2026-11', 0],
  ] as const) {
    expect(await rowsOf('settlements', month, { statuses: ['PAID'] })).toHaveLength(paidOut);
    expect(await rowsOf('settlement-lines', month, {})).toHaveLength(paidOut * ROWS);
    expect(await rowsOf('settlements', month, { statuses: ['PENDING'] })).toHaveLength(ROWS - 1);
  }
});

describe('access', () => {
  test('is refused to viewers, anonymous callers, foreign origins and modes outside a token', async () => {
    expect((await get('payments', {}, viewer.headers())).status).toBe(403);
    expect((await get('payments', {}, new Headers({ origin: ORIGIN }))).status).toBe(401);
    const elsewhere = finance.browser.headers({ origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' });
    expect((await get('payments', {}, elsewhere)).status).toBe(403);
    expect((await get('payments', { filter: { mode: 'live' } }, byToken())).status).toBe(403);
  });

  test('the table of rights has a line for every list', () => {
    expect(Object.keys(KNOWN_LISTS).toSorted()).toEqual(linesOf('export').toSorted());
    expect(linesOf('export').toSorted()).toEqual([...LISTS].toSorted());
  });

  test.each(CALLERS)('of %s is as the table of rights says, to each list', async (caller) => {
    const browser = new Browser(switchyard);
    const grants = caller === null ? [] : [{ merchantId: ours, role: caller }];
    await browser.signIn(await createStaffWithGrants(switchyard, `${caller ?? 'none'}-exports@example.com`, grants));
    for (const list of LISTS) {
      expect((await get(list, {}, browser.headers())).status, list).toBe(hasRight(caller, `export ${list}`) ? 200 : 403);
      const foreign = await get(list, { filter: { merchantIds: [theirs] } }, browser.headers());
      expect([foreign.status, (await foreign.text()).includes(theirs)], list).toEqual([403, false]);
    }
  });

  test('is refused to tokens that expired, were revoked, are an agent’s, or of the other mode, for each list', async () => {
    const { prisma } = switchyard.resources.database;
    const { id: staffId } = await prisma.staffUser.findUniqueOrThrow({ where: { email: 'finance@example.com' } });
    const issue = async (mode: Mode, data: { expiresAt?: Date; revokedAt?: Date }) => {
      const of = { name: 'Ended', merchantIds: [ours], modes: [mode], staffId, expiresAt: new Date(Date.now() + 86_400_000) };
      const issued = await issueToken(switchyard, { scopes: ['reports'], ...of });
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      await prisma.machineToken.updateMany({ where: { id: issued.listed.id }, data });
      return issued.token;
    };
    const refused = [
      [await issue('test', { expiresAt: new Date(Date.now() - 1_000) }), 401],
      [await issue('test', { revokedAt: new Date() }), 401],
      [await issue('live', {}), 403],
      [(await issueTestToken(switchyard, staffId)).token, 403],
    ] as const;
    for (const list of LISTS) {
      expect((await get(list, {}, byToken())).status).toBe(200);
      for (const [token, status] of refused) {
        expect((await get(list, {}, new Headers({ authorization: `Bearer ${token}` }))).status).toBe(status);
      }
    }
  });

  test('names the invalid parameter', async () => {
    expect((await get('secrets', {}, asFinance())).status).toBe(404);
    expect((await get('constructor', {}, asFinance())).status).toBe(404);
    for (const query of [
      { format: 'xls' },
      { after: 'x' },
      { limit: '0' },
      { columns: 'status,secrets' },
      { columns: '' },
      { filter: { nonsense: 1 } },
      { filter: { mode: 'both' } },
      { filter: { merchantIds: ['zz'] } },
      { filter: { accountIds: ['zz'] } },
      { filter: { gateways: ['pay\u0000stack'] } },
      // Names that GraphQL lacks.
      { filter: { merchantId: ours } },
      { filter: { from: '2026-10-01T00:00:00Z' } },
    ]) {
      const response = await get('payments', query, asFinance());
      expect(response.status).toBe(400);
      expect((await response.json()).message).toMatch(/\S/);
    }
  });
});
