import { readFileSync } from 'node:fs';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { readTable } from '@switchyard/runtime/tables';
import { LISTS } from '@switchyard/scheduled-reports/lists';
import {
  buildSchema,
  GraphQLEnumType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLScalarType,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exportAudit } from './export/audit-log.ts';
import { handleExport } from './export/handle.ts';
import type { Switchyard } from './process.ts';
import { connectAgent, createTestStaff, issueTestToken } from './testing/agent.ts';
import { sessionOf } from './testing/dashboard.ts';
import { type Noun, plain, rowsOf } from './testing/nouns.ts';
import { sendGraphql, serveOverHttp } from './testing/served.ts';
import { Browser, createStaffWithGrants, ORIGIN, openTestSwitchyard } from './testing/switchyard.ts';
import { drawWorld } from './testing/world.ts';
import { createCallerFactory } from './trpc/procedure.ts';
import { appRouter } from './trpc/router.ts';

/*
 * Every column of every list in every form, held to rows whose every value is its own. A column that is called as the database calls it needs no
 * line; any other needs one, with the name that `NOUNS` has of what it shows. A column without one fails.
 */

type Shown = Readonly<Record<string, unknown>>;
/** The names that a form has of its own, and what each shows: a column of the noun. Null if it shows no column: its reason is beside it. */
type Lines = Readonly<Record<string, string | null>>;

const MODE = 'test' as const;
let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let browser: Browser;
let secretKey: string;
let merchantIds: readonly [string, string];
beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  ({ merchantIds } = await drawWorld(switchyard));
  served = await serveOverHttp(switchyard);
  browser = new Browser(switchyard);
  const grants = merchantIds.map((merchantId) => ({ merchantId, role: 'owner' as const }));
  await browser.signIn(await createStaffWithGrants(switchyard, 'owner@example.com', grants));
  const [merchantId] = merchantIds;
  const issued = await issueKey(switchyard, {
    merchantId,
    mode: MODE,
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
  });
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  secretKey = issued.secretKey;
  for (const noun of ['settlement', 'auditEntry', 'payment'] as const) {
    ids.set(noun, [...(await rowsOf(switchyard, noun, MODE)).keys()]);
  }
});
afterAll(async () => {
  await served.close();
  await close();
});

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Expects each shown row to be that of the noun with its id, value by value, and as many as there are. */
async function expectRows(
  noun: Noun,
  shown: readonly Shown[],
  id: string,
  lines: Lines,
  of: readonly string[] = merchantIds,
): Promise<void> {
  const known = await rowsOf(switchyard, noun, MODE);
  const wanted = [...known.values()].filter((row) => of.includes(String(row.merchant_id)));
  expect(shown.map((row) => row[id]).toSorted()).toEqual(wanted.map((row) => row.id).toSorted());
  for (const each of shown) {
    const row = known.get(String(each[id])) ?? {};
    const expected: Record<string, string | null> = {};
    const found: Record<string, string | null> = {};
    for (const [name, value] of Object.entries(each)) {
      const line = Object.hasOwn(lines, name) ? lines[name] : snake(name);
      if (line === null || line === undefined) continue;
      if (!Object.hasOwn(row, line)) throw new Error(`${noun} shows ${name}: add a line with the column that it is`);
      found[name] = plain(value);
      expected[name] = plain(row[line]);
    }
    expect(found).toEqual(expected);
  }
  const idle = Object.keys(lines).filter((name) => !shown.some((row) => Object.hasOwn(row, name)));
  expect(idle, 'lines of what is not shown').toEqual([]);
}

const FILES: Readonly<
  Record<string, { readonly noun: Noun; readonly id: string; readonly lines: Lines; readonly more?: readonly string[] }>
> = {
  payments: {
    noun: 'payment',
    id: 'payment_id',
    lines: { gateway: 'paid_gateway', merchant: 'merchant_name', checkout_gateway: 'recommended_gateway', method: 'used_method' },
    more: ['settled_on', 'merchant', 'checkout_gateway', 'method'],
  },
  refunds: { noun: 'refund', id: 'refund_id', lines: {} },
  'duplicate-charges': { noun: 'duplicateCharge', id: 'duplicate_charge_id', lines: {} },
  discrepancies: { noun: 'discrepancy', id: 'discrepancy_id', lines: { amount: 'amount_in_question' } },
  disputes: { noun: 'dispute', id: 'dispute_id', lines: {} },
  settlements: { noun: 'settlement', id: 'settlement_id', lines: {} },
  'settlement-lines': { noun: 'settlementLine', id: 'line_id', lines: {} },
  'settlement-discrepancies': { noun: 'settlementDiscrepancy', id: 'discrepancy_id', lines: {} },
  fees: {
    noun: 'fee',
    id: 'payment_id',
    lines: {
      expected_fee: 'expected',
      reported_fee: 'reported',
      settled_fee: 'settled',
      charged_fee: 'charged',
      overcharge: 'excess',
    },
  },
  'webhook-deliveries': { noun: 'delivery', id: 'delivery_id', lines: {} },
};

async function exported(list: string, format: string, columns?: readonly string[]): Promise<Response> {
  const search = new URLSearchParams({ format, filter: JSON.stringify({ mode: MODE }) });
  if (columns !== undefined) search.set('columns', columns.join(','));
  const request = new Request(`${ORIGIN}/api/export/${list}?${search}`, { headers: browser.headers() });
  const response = await handleExport(switchyard, list, request);
  expect(response.status).toBe(200);
  return response;
}

async function exportedRows(list: string, format: string, columns?: readonly string[]): Promise<Shown[]> {
  return readRows(await exported(list, format, columns), format);
}

async function readRows(response: Response, format: string): Promise<Shown[]> {
  if (format === 'ndjson')
    return (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  const table = await readTable(new Uint8Array(await response.arrayBuffer()), { rowsMax: 1_000 });
  if (table.kind !== 'read') throw new Error(JSON.stringify(table.problem));
  const [titles, ...rows] = table.rows;
  return rows.map(({ cells }) => Object.fromEntries((titles?.cells ?? []).map((title, at) => [title, cells[at] ?? null])));
}

describe('files', () => {
  test('have a line for each list', () => expect(Object.keys(FILES).toSorted()).toEqual(Object.keys(LISTS).toSorted()));

  test.each(Object.entries(FILES))(
    'of %s have in each column what it is called, in every format',
    async (list, { noun, id, lines, more = [] }) => {
      const standard = Object.keys((await exportedRows(list, 'ndjson'))[0] ?? {});
      for (const format of ['ndjson', 'csv', 'xlsx']) {
        await expectRows(noun, await exportedRows(list, format, [...standard, ...more]), id, lines);
      }
    },
  );
});

const CONNECTIONS: Readonly<Record<string, { readonly noun: Noun; readonly lines: Lines }>> = {
  payments: {
    noun: 'payment',
    lines: {
      'merchant.id': 'merchant_id',
      'merchant.name': 'merchant_name',
      'merchant.number': 'merchant_number',
      'customer.email': 'customer_email',
      'customer.id': 'customer_id',
      'customer.phone': 'customer_phone',
      'customer.country': 'customer_country',
      'account.id': 'account_id',
      'account.gateway': 'account_gateway',
      'account.label': 'account_label',
      'decision.ruleId': 'rule_id',
      'decision.ruleSetVersion': 'rule_set_version',
      'decision.routingMode': 'routing_mode',
      'decision.requestedGateway': 'requested_gateway',
      gateway: 'recommended_gateway',
      received: 'received_amount',
      fee: 'fee_amount',
      refunded: 'refunded_amount',
      reversed: 'reversed_amount',
      underReview: 'is_under_review',
      // Fields of the stored decision, which the world does not draw.
      'decision.rationale': null,
      'decision.rationaleCode': null,
      'decision.contextKey': null,
    },
  },
  refunds: { noun: 'refund', lines: accountLines() },
  duplicateCharges: { noun: 'duplicateCharge', lines: accountLines() },
  reconciliation: { noun: 'discrepancy', lines: accountLines() },
  disputes: { noun: 'dispute', lines: accountLines() },
  settlements: { noun: 'settlement', lines: accountLines() },
  settlementLines: { noun: 'settlementLine', lines: { matched: 'is_matched' } },
  settlementDiscrepancies: { noun: 'settlementDiscrepancy', lines: accountLines() },
  refundApprovals: { noun: 'refundApproval', lines: { state: 'current_state' } },
  webhookDeliveries: { noun: 'delivery', lines: {} },
  bankStatements: { noun: 'bankStatement', lines: {} },
  // Its payouts are a list.
  bankLines: { noun: 'bankLine', lines: { settlementIds: null } },
  settlementFiles: { noun: 'settlementFile', lines: accountLines() },
};

function accountLines(): Lines {
  return { 'account.id': 'account_id', 'account.gateway': 'gateway', 'account.label': 'account_label' };
}

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
const queries = schema.getQueryType()?.getFields() ?? {};
const connections = Object.values(queries).filter(({ type }) => String(type).endsWith('Connection!'));

/** All days that the world has. */
const EVER = { from: '2026-08-01', to: '2027-07-31' };

const bare = (type: GraphQLOutputType) => (type instanceof GraphQLNonNull ? type.ofType : type);

/** Selects all that a type has, of objects in it their values too; lists of objects are lists of their own. */
function selectionOf(type: GraphQLObjectType, depth = 1): string {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: of, args }) => {
    const inner = bare(of);
    if (args.length > 0) return [];
    if (inner instanceof GraphQLObjectType) return depth === 0 ? [] : [`${name} { ${selectionOf(inner, depth - 1)} }`];
    return inner instanceof GraphQLScalarType || inner instanceof GraphQLEnumType || String(inner) === '[ID!]' ? [name] : [];
  });
  return fields.join(' ');
}

const answerSchema = z.object({
  data: z.record(z.string(), z.object({ edges: z.array(z.object({ node: z.record(z.string(), z.unknown()) })) })),
});

/** A node with the values of its objects beside its own: `account.label`. */
function flat(node: Shown, json: ReadonlySet<string>): Shown {
  const entries = Object.entries(node).flatMap(([name, value]): [string, unknown][] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value) && !json.has(name);
    return isObject ? Object.entries(value).map(([inner, each]) => [`${name}.${inner}`, each]) : [[name, value]];
  });
  return Object.fromEntries(entries);
}

describe('GraphQL', () => {
  test('has a line for each list', () =>
    expect(Object.keys(CONNECTIONS).toSorted()).toEqual(connections.map(({ name }) => name).toSorted()));

  test.each(Object.entries(CONNECTIONS))('shows of %s in each field what it is called', async (list, { noun, lines }) => {
    const field = queries[list];
    const filter = field?.args.find(({ name }) => name === 'filter');
    const type = schema.getType(String(field?.type).replace('!', '').replace('Connection', 'Edge'));
    const node = type instanceof GraphQLObjectType ? type.getFields().node?.type : undefined;
    const inner = node === undefined ? undefined : bare(node);
    if (!(inner instanceof GraphQLObjectType)) throw new Error(`${list} has no nodes`);
    const json = new Set(
      Object.values(inner.getFields()).flatMap((each) => (String(bare(each.type)) === 'JSON' ? [each.name] : [])),
    );
    const shown: Shown[] = [];
    for (const merchantId of merchantIds) {
      const query = `query ($filter: ${filter?.type}) { ${list}(first: 50, filter: $filter) { edges { node { ${selectionOf(inner)} } } } }`;
      const body = JSON.stringify({
        query,
        variables: { filter: { mode: MODE, merchantIds: [merchantId], ...(list === 'bankLines' ? EVER : {}) } },
      });
      const headers = browser.headers({ 'content-type': 'application/json' });
      const response = await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }));
      const answer = await response.json();
      const parsed = answerSchema.safeParse(answer);
      if (!parsed.success) throw new Error(JSON.stringify(answer));
      for (const { node: each } of parsed.data.data[list]?.edges ?? []) shown.push(flat(each, json));
    }
    await expectRows(noun, shown.map(withoutObjects), 'id', lines);
  });
});

/** An object that is null has no values: none is compared. */
function withoutObjects(node: Shown): Shown {
  return Object.fromEntries(
    Object.entries(node).filter(([name, value]) => value !== null || !['account', 'merchant', 'decision'].includes(name)),
  );
}

const caller = () => {
  const session = {
    ...sessionOf('owner', null),
    grants: merchantIds.map((merchantId) => ({ merchantId, role: 'owner' as const })),
  };
  return createCallerFactory(appRouter)({ switchyard, session });
};
const scope = () => ({ mode: MODE, merchantIds: [...merchantIds] });
const titled: Lines = { gatewayTitle: null };

/** Lists of the dashboard: what its tables are given. */
const TABLES: Readonly<
  Record<string, { readonly noun: Noun; readonly id: string; readonly lines: Lines; read(): Promise<readonly object[]> }>
> = {
  payments: {
    noun: 'payment',
    id: 'paymentId',
    // Only a search fills `matched`.
    lines: { gateway: 'recommended_gateway', paymentMethod: 'used_method', matched: null },
    read: async () => (await caller().payments.list({ ...scope(), limit: 50 })).items,
  },
  refunds: {
    noun: 'refund',
    id: 'refundId',
    lines: { reasonTitle: null, held: null, unresolved: null },
    read: async () => (await caller().refunds.list({ ...scope(), limit: 50 })).items,
  },
  approvals: {
    noun: 'refundApproval',
    id: 'approvalId',
    lines: { reasonTitle: null, requesterName: null, deciderName: null, isOwn: null, state: 'current_state' },
    read: async () => (await caller().refunds.approvals.list({ ...scope(), limit: 50 })).items,
  },
  duplicates: {
    noun: 'duplicateCharge',
    id: 'duplicateChargeId',
    lines: {},
    read: async () => (await caller().refunds.duplicates.list({ ...scope(), limit: 50 })).items,
  },
  disputes: {
    noun: 'dispute',
    id: 'disputeId',
    lines: titled,
    read: async () => (await caller().disputes.list({ ...scope(), limit: 50 })).items,
  },
  settlements: {
    noun: 'settlement',
    id: 'settlementId',
    lines: titled,
    read: async () => (await caller().settlements.list({ ...scope(), limit: 50 })).items,
  },
  'discrepancies of settlements': {
    noun: 'settlementDiscrepancy',
    id: 'discrepancyId',
    lines: { ...titled, ownerName: null, resolvedByName: null, ageDays: null },
    read: async () => (await caller().settlements.discrepancies.list({ ...scope(), limit: 50 })).items,
  },
  discrepancies: {
    noun: 'discrepancy',
    id: 'discrepancyId',
    lines: { ...titled, ownerName: null, resolvedByName: null, amount: null },
    read: async () => (await caller().reconciliation.discrepancies({ ...scope(), limit: 50 })).items,
  },
  fees: {
    noun: 'fee',
    id: 'paymentId',
    lines: { ...titled, discrepancyId: null, discrepancyState: null },
    read: async () => (await caller().fees.list({ ...scope(), limit: 50 })).items,
  },
  'lines of settlements': {
    noun: 'settlementLine',
    id: 'lineId',
    lines: { discrepancyId: null },
    read: async () => {
      const pages = await Promise.all(
        idsOf('settlement').map((settlementId) => caller().settlements.lines({ settlementId, limit: 50 })),
      );
      return pages.flatMap((page) => page?.items ?? []);
    },
  },
  'webhook deliveries': {
    noun: 'delivery',
    id: 'deliveryId',
    lines: {},
    read: async () => {
      const { webhookEndpoint } = switchyard.resources.database.prisma;
      const endpoints = await webhookEndpoint.findMany({ where: { mode: MODE } });
      const pages = await Promise.all(
        endpoints.map(({ merchantId, id: endpointId }) =>
          caller().webhooks.deliveries.list({ merchantId, endpointId, limit: 50 }),
        ),
      );
      return pages.flatMap(({ items }) => items);
    },
  },
  'gateway webhooks': {
    noun: 'gatewayWebhook',
    id: 'id',
    lines: {},
    read: async () => {
      const accounts = await switchyard.resources.database.prisma.gatewayAccount.findMany({ where: { mode: MODE } });
      const pages = await Promise.all(accounts.map(({ id: accountId }) => caller().gateways.webhooks({ accountId })));
      return pages.flatMap(({ webhooks }) => webhooks);
    },
  },
  requests: {
    noun: 'apiRequest',
    id: 'apiRequestId',
    lines: {},
    read: async () => (await caller().requests.list({ ...scope(), limit: 50 })).items,
  },
  'the audit log': {
    noun: 'auditEntry',
    id: 'entryId',
    lines: { objectName: null },
    read: async () => {
      const { items } = await caller().audit.list({});
      return items.filter(({ entryId }) => idsOf('auditEntry').includes(entryId));
    },
  },
};

/** Ids of the rows of a noun as they were drawn. */
const ids = new Map<Noun, readonly string[]>();
const idsOf = (noun: Noun) => ids.get(noun) ?? [];

describe('tables of the dashboard', () => {
  test.each(Object.entries(TABLES))('of %s show in each column what it is called', async (_, { noun, id, lines, read }) => {
    await expectRows(
      noun,
      (await read()).map((row) => ({ ...row })),
      id,
      lines,
    );
  });
});

const RESOURCES: Readonly<
  Record<string, { readonly noun: Noun; readonly list: string; readonly id: string; readonly lines: Lines }>
> = {
  '/v1/payments': {
    noun: 'payment',
    list: 'payments',
    id: 'paymentId',
    lines: {
      'recommendedGateway.name': 'recommended_gateway',
      'recommendedGateway.session': null,
      'routing.paymentId': 'payment_id',
      fallbackGateways: null,
    },
  },
  '/v1/disputes': { noun: 'dispute', list: 'disputes', id: 'disputeId', lines: { state: 'public_state' } },
  '/v1/settlements': { noun: 'settlement', list: 'settlements', id: 'settlementId', lines: { account: 'account_label' } },
};

/** Lists of the rows that are of another: where each is found, by that one's id. */
const PARTS: Readonly<
  Record<string, { readonly noun: Noun; readonly of: Noun; readonly list: string; readonly id: string; readonly lines: Lines }>
> = {
  '/v1/settlements/{id}/lines': {
    noun: 'settlementLine',
    of: 'settlement',
    list: 'lines',
    id: 'lineId',
    lines: { matched: 'is_matched' },
  },
  '/v1/payments/{id}/refunds': {
    noun: 'refund',
    of: 'payment',
    list: 'refunds',
    id: 'refundId',
    lines: { status: 'public_status', failureReason: 'public_failure' },
  },
};

const pageSchema = z.object({ data: z.record(z.string(), z.unknown()) });
const rowsSchema = z.array(z.record(z.string(), z.unknown()));

async function fetchRows(path: string, list: string): Promise<Shown[]> {
  const response = await fetch(`${served.url}${path}?limit=50`, { headers: { authorization: `Bearer ${secretKey}` } });
  return rowsSchema.parse(pageSchema.parse(await response.json()).data[list]).map((row) => flat(row, new Set()));
}

describe('REST', () => {
  test.each(Object.entries(RESOURCES))('%s shows in each field what it is called', async (path, { noun, list, id, lines }) => {
    await expectRows(noun, await fetchRows(path, list), id, lines, [merchantIds[0]]);
  });

  test.each(Object.entries(PARTS))('%s shows in each field what it is called', async (path, { noun, of, list, id, lines }) => {
    const { rows } = await switchyard.resources.database.pool.query<{ id: string }>(
      `SELECT id FROM ${of} WHERE merchant_id = $1 AND mode = $2::mode`,
      [merchantIds[0], MODE],
    );
    const pages = await Promise.all(rows.map((row) => fetchRows(path.replace('{id}', row.id), list)));
    await expectRows(noun, pages.flat(), id, lines, [merchantIds[0]]);
  });
});

describe('the audit log as a file', () => {
  const AUDIT: Lines = { time: 'created_at', merchant: 'merchant_name' };
  test.each(['ndjson', 'csv', 'xlsx'])('shows in each column what it is called, as %s', async (format) => {
    const request = new Request(`${ORIGIN}/api/export/audit?format=${format}`, { headers: browser.headers() });
    const rows = await readRows(await exportAudit(switchyard, request), format);
    const drawn = rows.filter((row) => idsOf('auditEntry').includes(String(row.entry_id)));
    await expectRows('auditEntry', drawn, 'entry_id', AUDIT);
  });
});

/** Tools of agents that list: where their rows are, and what texts from outside are called. */
const TOOLS: Readonly<
  Record<string, { readonly noun: Noun; readonly list: string; readonly id: string; readonly lines: Lines }>
> = {
  find_payments: {
    noun: 'payment',
    list: 'payments',
    id: 'paymentId',
    lines: {
      method: 'used_method',
      gateway: 'recommended_gateway',
      attempts: 'attempt_count',
      refunded: 'refunded_amount',
      underReview: 'is_under_review',
      'untrusted.warning': null,
      'untrusted.merchantOrderId': 'merchant_order_id',
      'untrusted.customerEmail': 'customer_email',
      'untrusted.customerId': 'customer_id',
    },
  },
  find_disputes: { noun: 'dispute', list: 'disputes', id: 'disputeId', lines: {} },
  list_settlements: {
    noun: 'settlement',
    list: 'settlements',
    id: 'settlementId',
    lines: {
      account: 'account_label',
      'amounts.gross': 'gross',
      'amounts.fees': 'fees',
      'amounts.deductions': 'deductions',
      'amounts.net': 'net',
      'amounts.unexplained': 'unexplained',
      'untrusted.warning': null,
      'untrusted.reference': 'reference',
    },
  },
};

describe('tools of agents', () => {
  test.each(Object.entries(TOOLS))('%s shows in each field what it is called', async (tool, { noun, list, id, lines }) => {
    const staff = await createTestStaff(
      switchyard,
      'Agent',
      merchantIds.map((merchantId) => ({ merchantId, role: 'owner' })),
    );
    const { token } = await issueTestToken(switchyard, staff);
    const agent = await connectAgent(served.url, token);
    const { data } = await agent.call(tool, { mode: MODE, limit: 50 });
    await expectRows(
      noun,
      rowsSchema.parse(data[list]).map((row) => flat(row, new Set())),
      id,
      lines,
    );
    await agent.client.close();
  });
});
