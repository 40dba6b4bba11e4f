import { readFileSync } from 'node:fs';
import { NIL_ID } from '@switchyard/db';
import type { DrawnRow } from '@switchyard/db/testing';
import { disputeNoun } from '@switchyard/disputes/lists';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { duplicateChargeNoun, paymentNoun, refundNoun } from '@switchyard/payments/lists';
import { discrepancyNoun } from '@switchyard/reconciliation/discrepancy-noun';
import { createSchedule, removeSchedule, sendNow } from '@switchyard/scheduled-reports/console';
import { linkToken, openReportFile } from '@switchyard/scheduled-reports/links';
import { LISTS } from '@switchyard/scheduled-reports/lists';
import { makeReport } from '@switchyard/scheduled-reports/runs';
import { feeNoun } from '@switchyard/settlements/fees';
import { settlementDiscrepancyNoun, settlementLineNoun, settlementNoun } from '@switchyard/settlements/nouns';
import { deliveryNoun } from '@switchyard/webhooks/delivery-noun';
import { callTRPCProcedure } from '@trpc/server';
import { buildSchema, GraphQLInputObjectType, getNamedType } from 'graphql';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { exportAudit } from './export/audit-log.ts';
import { handleExport } from './export/handle.ts';
import { TOOLS } from './mcp/handle.ts';
import type { Switchyard } from './process.ts';
import { describeRest } from './rest/openapi.ts';
import { connectAgent, createTestStaff, issueTestToken, type TestAgent } from './testing/agent.ts';
import { sessionOf } from './testing/dashboard.ts';
import {
  anyOf,
  dayOf,
  type FilterLine,
  type FilterLines,
  filterLines,
  type MeantFilter,
  one,
  paymentFileLines,
} from './testing/filter-lines.ts';
import { drawFilterWorld, ZONES } from './testing/filter-world.ts';
import { isProcedure } from './testing/input-fields.ts';
import { type Noun, plain, rowsOf } from './testing/nouns.ts';
import { sendGraphql, serveOverHttp } from './testing/served.ts';
import { Browser, createStaffWithGrants, ORIGIN, openTestSwitchyard } from './testing/switchyard.ts';
import { appRouter } from './trpc/router.ts';

/*
 * Every filter and order of every list in every form, held to rows that were drawn: each field by the values that rows have, by others and at
 * their edges, alone and several together; each order page by page. What a field means is one line of `filterLines`, written without a look
 * at the product. A list, a field or an order without its line fails. Each change is tried with two values of each field, the night with all.
 */

/** True at night: every value, more fields together, and pages of the fewest rows. */
const IS_WHOLE = process.env.EVERY_CASE !== undefined;

let switchyard: Switchyard;
let close: () => Promise<void>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let browser: Browser;
/** Those that the caller may see; there is one more. */
let merchantIds: readonly [string, string];
let otherId: string;
let staffId: string;
const secretKeys = new Map<string, string>();
const stored = new Map<Noun, readonly DrawnRow[]>();

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  const world = await drawFilterWorld(switchyard);
  merchantIds = world.merchantIds;
  otherId = world.otherIds[0] ?? '';
  served = await serveOverHttp(switchyard);
  browser = new Browser(switchyard);
  await browser.signIn(await createStaffWithGrants(switchyard, 'owner@example.com', grants()));
  staffId = await createTestStaff(switchyard, 'Ada Obi', grants());
  for (const mode of ['test', 'live'] as const) {
    for (const merchantId of merchantIds) {
      const issued = await issueKey(switchyard, {
        merchantId,
        mode,
        name: 'server',
        expiresAt: null,
        scopes: ['full_access'],
        actor: 'staff:ada',
      });
      if (issued.kind !== 'issued') throw new Error(issued.kind);
      secretKeys.set(`${merchantId} ${mode}`, issued.secretKey);
    }
  }
});
afterAll(async () => {
  await served.close();
  await close();
});

const grants = () => merchantIds.map((merchantId) => ({ merchantId, role: 'owner' as const }));

/** The rows of a noun in both modes, of all merchants. */
async function rowsOfBoth(noun: Noun): Promise<readonly DrawnRow[]> {
  const known = stored.get(noun);
  if (known !== undefined) return known;
  const [test, live] = await Promise.all([rowsOf(switchyard, noun, 'test'), rowsOf(switchyard, noun, 'live')]);
  const rows = [...test.values(), ...live.values()];
  stored.set(noun, rows);
  return rows;
}

/** The values by which rows are sorted, the first of them first; a dash in front of one turns it around. */
type Order = readonly (string | ((row: DrawnRow) => number | string))[];
const moment = (column: string) => (row: DrawnRow) => Date.parse(String(row[column]));
/** Later than any moment and day while it is not known. */
const momentOrNever = (column: string) => (row: DrawnRow) =>
  row[column] === null ? Number.POSITIVE_INFINITY : moment(column)(row);

interface Sorted {
  readonly by: Order;
  readonly descending: boolean;
}

const newest = (column = 'created_at'): Sorted => ({ by: [moment(column), 'id'], descending: true });

function sortedRows(rows: readonly DrawnRow[], { by, descending }: Sorted): DrawnRow[] {
  const keysOf = (row: DrawnRow) => by.map((each) => (typeof each === 'string' ? row[each] : each(row)));
  return rows.toSorted((left, right) => {
    const [one, other] = [keysOf(left), keysOf(right)];
    const at = one.findIndex((value, place) => value !== other[place]);
    if (at === -1) return 0;
    return (isLess(one[at], other[at]) ? -1 : 1) * (descending ? -1 : 1);
  });
}

function isLess(one: unknown, other: unknown): boolean {
  return typeof one === 'number' && typeof other === 'number' ? one < other : String(one) < String(other);
}

/** A list in one form. */
interface Form {
  readonly noun: Noun;
  /** The lines of its fields, by the names that the form has of them. */
  readonly lines: FilterLines;
  /** Names of its fields, from its schema. */
  readonly fields: readonly string[];
  /** Fields that it cannot do without, from the rows that there are; `mode: test` where it is left out. */
  readonly base?: (rows: readonly DrawnRow[]) => MeantFilter;
  /** Fields that it cannot do without either, but has of any value. */
  readonly usual?: MeantFilter;
  /** The most rows that it shows, where it has no next page. */
  readonly most?: number;
  readonly sorted: Sorted;
  /** The other orders, with what asks for each. */
  readonly orders?: readonly (readonly [asked: MeantFilter, sorted: Sorted])[];
  /** The ids of all rows, page by page of a size. */
  read(filter: MeantFilter, size: number): Promise<readonly string[]>;
  /** The same page by page from the end. */
  readonly readBack?: (filter: MeantFilter, size: number) => Promise<readonly string[]>;
  /** The column with what it names a row by; `id` where it is left out. */
  readonly id?: string;
  /** True for the first form of a noun, which is tried with every value: the others have the conditions in common with it. */
  readonly isFirst?: boolean;
}

/** Fields that do not filter: they say which page, and how. */
const PAGING = new Set(['cursor', 'limit', 'direction', 'sort', 'newestFirst']);
/** Fields that change what others mean, with those. */
const TOGETHER: Readonly<Record<string, readonly string[]>> = { date: ['from', 'to'], zone: ['search'] };
/** How many filters of several fields are drawn: more for the first form of a list, whose conditions the others have. */
const PAIRS = IS_WHOLE ? { first: 10, others: 4 } : { first: 3, others: 1 };

/** Numbers below a bound, the same in every run. */
function openDraw(seed: string): (bound: number) => number {
  let state = [...seed].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  return (bound) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e37_79b9) >>> 0;
    return ((state ^ (state >>> 13)) >>> 0) % bound;
  };
}

/** The filters that a form is tried with: each field by its values, at most so many where it is not the first form of its list, and several fields together. */
function filtersOf(
  name: string,
  { lines, fields, base, usual, isFirst = false }: Form,
  rows: readonly DrawnRow[],
  most = 2,
): MeantFilter[] {
  const always: MeantFilter = { ...(fields.includes('mode') && { mode: 'test' }), ...usual, ...base?.(rows) };
  const seen = rows.filter((row) => always.mode === undefined || row.mode === always.mode);
  const based = seen.filter((row) => isListed(row, always, lines));
  const fixed = Object.keys(base?.(rows) ?? {});
  const tried = Object.entries(lines).flatMap(([field, line]) => {
    if (line === null || fixed.includes(field)) return [];
    if (field === 'mode') return [{ field, values: ['test', 'live'] }];
    const values = line.tried(seen);
    if ((isFirst && IS_WHOLE) || field in TOGETHER) return [{ field, values }];
    const among = isFirst ? based : seen;
    return [{ field, values: tellingValues(values, among, (row, value) => line.holds(row, value, always)).slice(0, most) }];
  });
  const valuesOf = (field: string) => tried.find((each) => each.field === field)?.values ?? [];
  const alone = tried.flatMap(({ field, values }) => values.map((value) => ({ [field]: value })));
  const together = Object.entries(TOGETHER).flatMap(([field, others]) =>
    valuesOf(field).flatMap((value) =>
      others.flatMap((other) => valuesOf(other).map((each) => ({ [field]: value, [other]: each }))),
    ),
  );
  const draw = openDraw(name);
  const pairs = Array.from({ length: tried.length < 2 ? 0 : PAIRS[isFirst ? 'first' : 'others'] }, (_, at) => {
    const drawn: Record<string, unknown> = {};
    for (let place = 0; place < 2 + (at % 2); place += 1) {
      const { field = '', values = [] } = tried[draw(tried.length)] ?? {};
      drawn[field] = values[draw(Math.max(1, values.length))];
    }
    return drawn;
  });
  return (
    [...alone, ...together, ...pairs]
      .map((filter): MeantFilter => ({ ...always, ...filter }))
      // Forms that need both days refuse a period that ends before it begins.
      .filter(({ from, to }) => usual === undefined || String(from) <= String(to))
  );
}

/** True if a row is the caller's and every field of a filter leaves it. */
function isListed(row: DrawnRow, filter: MeantFilter, lines: FilterLines): boolean {
  if (!merchantIds.some((merchantId) => merchantId === row.merchant_id)) return false;
  return Object.entries(filter).every(([field, value]) => {
    return PAGING.has(field) || value === undefined || (lines[field]?.holds(row, value, filter) ?? true);
  });
}

/** A value that leaves some rows and not others, and one that leaves others. */
function tellingValues(
  values: readonly unknown[],
  rows: readonly DrawnRow[],
  isLeft: (row: DrawnRow, value: unknown) => boolean,
) {
  const left = values.map((value) => ({ value, places: rows.flatMap((row, at) => (isLeft(row, value) ? [at] : [])) }));
  const first = left.find(({ places }) => places.length > 0 && places.length < rows.length);
  const second = left.find(({ places }) => places.join() !== first?.places.join());
  return [first, second].flatMap((each) => (each === undefined ? [] : [each.value]));
}

const ALL = 100;
/** Rows of a page of some rows: at night so few that some page ends among rows with the same moment. */
const pageOf = (rows: number) => Math.max(rows < 20 ? 2 : 5, IS_WHOLE ? 0 : Math.ceil(rows / 6));

async function expectFilters(name: string, form: Form): Promise<void> {
  const { lines, fields, sorted, id = 'id' } = form;
  const without = fields.filter((field) => !PAGING.has(field) && !Object.hasOwn(lines, field));
  expect(without, `fields of ${name} without a line: add what each leaves to filterLines`).toEqual([]);
  expect(
    Object.keys(lines).filter((field) => !fields.includes(field)),
    `lines of ${name} without a field`,
  ).toEqual([]);
  const rows = await rowsOfBoth(form.noun);
  const own = rows.filter((row) => merchantIds.some((merchantId) => merchantId === row.merchant_id));
  const seen = new Map<string, Set<string>>();
  for (const filter of filtersOf(name, form, own)) {
    const wanted = sortedRows(
      rows.filter((row) => isListed(row, filter, lines)),
      sorted,
    )
      .map((row) => String(row[id]))
      .slice(0, form.most);
    expect(await form.read(filter, ALL), `${name} with ${JSON.stringify(filter)}`).toEqual(wanted);
    for (const field of Object.keys(filter)) {
      seen.set(field, (seen.get(field) ?? new Set()).add(wanted.join()));
    }
  }
  // A field that leaves the same rows whatever it says is held to nothing.
  const fixed = Object.keys(form.base?.(own) ?? {});
  const idle = [...seen].filter(([field, found]) => found.size < 2 && !fixed.includes(field) && !Object.hasOwn(TOGETHER, field));
  expect(
    idle.map(([field]) => field),
    `fields of ${name} that tell no rows apart`,
  ).toEqual([]);
  await expectRefusal(name, form, own, (filter) => form.read(filter, ALL));
}

type Refused = Pick<Form, 'fields' | 'base' | 'usual'>;

/** Filters that name a merchant of whom the caller may see nothing, alone and beside one of theirs. */
function foreignFilters({ fields, base, usual }: Refused, rows: readonly DrawnRow[]): MeantFilter[] {
  const named = base?.(rows) ?? {};
  const always = { ...(fields.includes('mode') && { mode: 'test' }), ...usual, ...named };
  if (fields.includes('merchantIds'))
    return [[otherId], [merchantIds[0], otherId]].map((ids) => ({ ...always, merchantIds: ids }));
  // Keys of the REST API are of one merchant.
  return fields.includes('merchantId') && !Object.hasOwn(named, 'mode') ? [{ ...always, merchantId: otherId }] : [];
}

/** Expects a list of a merchant of others to be refused: an answer without their rows would be taken for all there are. */
async function expectRefusal(
  name: string,
  form: Refused,
  rows: readonly DrawnRow[],
  read: (filter: MeantFilter) => Promise<unknown>,
) {
  for (const filter of foreignFilters(form, rows)) {
    await expect(read(filter), `${name} of a merchant of others`).rejects.toThrow(/no access|may not|reach|role/i);
  }
}

async function expectPages(name: string, form: Form): Promise<void> {
  const { lines, id = 'id' } = form;
  const rows = await rowsOfBoth(form.noun);
  const own = rows.filter((row) => merchantIds.some((merchantId) => merchantId === row.merchant_id));
  const base = { ...(form.fields.includes('mode') && { mode: 'test' }), ...form.usual, ...form.base?.(own) };
  for (const [asked, sorted] of [[{}, form.sorted] as const, ...(form.orders ?? [])]) {
    const filter = { ...base, ...asked };
    const wanted = sortedRows(
      rows.filter((row) => isListed(row, filter, lines)),
      sorted,
    ).map((row) => String(row[id]));
    expect(wanted.length, `rows of ${name}`).toBeGreaterThan(3);
    const size = pageOf(wanted.length);
    expect(await form.read(filter, size), `${name} by ${size} with ${JSON.stringify(filter)}`).toEqual(wanted);
    if (form.readBack !== undefined)
      expect(await form.readBack(filter, size), `${name} by ${size} from the end, with ${JSON.stringify(filter)}`).toEqual(
        wanted,
      );
  }
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()));
const idsIn = (rows: readonly Readonly<Record<string, unknown>>[], id: string) => rows.map((row) => String(row[id]));

/** The lines of some fields, by a form's own names of them. */
function pick(lines: FilterLines, names: readonly string[], own: Readonly<Record<string, string>> = {}): FilterLines {
  return Object.fromEntries(
    names.map((name) => {
      const meant = own[name] ?? name;
      if (!Object.hasOwn(lines, meant)) throw new Error(`add a line for ${name}`);
      return [name, lines[meant] ?? null];
    }),
  );
}

const LINES = filterLines();

// --- Files

/** The noun and the filter of each exported list. */
const FILES: Readonly<
  Record<string, { readonly noun: Noun; readonly filter: z.ZodObject; readonly id: string; readonly lines?: FilterLines }>
> = {
  payments: { noun: 'payment', filter: paymentNoun.filter, id: 'payment_id', lines: paymentFileLines },
  refunds: { noun: 'refund', filter: refundNoun.filter, id: 'refund_id' },
  'duplicate-charges': { noun: 'duplicateCharge', filter: duplicateChargeNoun.filter, id: 'duplicate_charge_id' },
  discrepancies: { noun: 'discrepancy', filter: discrepancyNoun.filter, id: 'discrepancy_id' },
  disputes: { noun: 'dispute', filter: disputeNoun.filter, id: 'dispute_id' },
  settlements: { noun: 'settlement', filter: settlementNoun.filter, id: 'settlement_id' },
  'settlement-lines': { noun: 'settlementLine', filter: settlementLineNoun.filter, id: 'line_id' },
  'settlement-discrepancies': {
    noun: 'settlementDiscrepancy',
    filter: settlementDiscrepancyNoun.filter,
    id: 'discrepancy_id',
  },
  fees: { noun: 'fee', filter: feeNoun.filter, id: 'payment_id' },
  'webhook-deliveries': { noun: 'delivery', filter: deliveryNoun.filter, id: 'delivery_id' },
};

/** Lists whose files have a merchant's rows by their ids. */
const BY_ID = new Set(['fees', 'settlements', 'settlement-lines', 'settlement-discrepancies', 'webhook-deliveries']);

async function readFile(list: string, id: string, filter: MeantFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const search = new URLSearchParams({ format: 'ndjson', filter: JSON.stringify(filter), limit: String(limit) });
    if (after !== null) search.set('after', after);
    const request = new Request(`${ORIGIN}/api/export/${list}?${search}`, { headers: browser.headers() });
    const response = await handleExport(switchyard, list, request);
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    for (const line of text.split('\n'))
      if (line !== '') ids.push(String(z.record(z.string(), z.unknown()).parse(JSON.parse(line))[id]));
    after = response.headers.get('x-next-cursor');
  } while (after !== null);
  return ids;
}

const FILE_FORMS: readonly (readonly [string, Form])[] = Object.entries(FILES).map(([list, { noun, filter, id, lines }]) => [
  list,
  {
    noun,
    lines: lines ?? pick(LINES[noun], Object.keys(filter.shape)),
    fields: Object.keys(filter.shape),
    sorted: { by: BY_ID.has(list) ? ['merchant_id', 'id'] : ['merchant_id', moment('created_at'), 'id'], descending: false },
    read: (given, size) => readFile(list, id, given, size),
  },
]);

describe('files', () => {
  test('have a line for each list and each filter', () => {
    expect(Object.keys(FILES).toSorted()).toEqual(Object.keys(LISTS).toSorted());
    for (const [name, { filter }] of Object.entries(FILES)) expect(LISTS[name]?.filter, `filter of ${name}`).toBe(filter);
  });

  test.each(FILE_FORMS)('of %s have what their filter says', (list, form) => expectFilters(`file ${list}`, form));
  test.each(FILE_FORMS)('of %s go on after any row', (list, form) => expectPages(`file ${list}`, form));
});

// --- tRPC

type Ctx = Parameters<typeof callTRPCProcedure>[0]['ctx'];
const ctx = (): Ctx => ({ switchyard, session: { ...sessionOf('owner', null, staffId), grants: grants() } });

/** Calls a query of the dashboard by its path. */
function query(path: string, input: unknown): Promise<unknown> {
  return callTRPCProcedure({
    router: appRouter,
    path,
    getRawInput: async () => input,
    ctx: ctx(),
    type: 'query',
    signal: undefined,
    batchIndex: 0,
  });
}

const pageSchema = z
  .looseObject({
    items: rowsSchema.optional(),
    deliveries: rowsSchema.optional(),
    webhooks: rowsSchema.optional(),
    next: z.unknown(),
  })
  .transform(({ items, deliveries, webhooks, next }) => ({ rows: items ?? deliveries ?? webhooks ?? [], next }));

async function readTable(path: string, id: string, input: MeantFilter, limit: number): Promise<string[]> {
  const ids: string[] = [];
  let cursor: unknown = null;
  do {
    const page = pageSchema.parse(await query(path, { ...input, limit, cursor }));
    ids.push(...idsIn(page.rows, id));
    cursor = page.next;
  } while (cursor !== null);
  return ids;
}

const MOMENT = /^\d{4}-\d\d-\d\dT/;
/** A filter whose moments are dates, as the dashboard sends them. */
const dated = (filter: MeantFilter) =>
  Object.fromEntries(
    Object.entries(filter).map(([name, value]) => [
      name,
      typeof value === 'string' && MOMENT.test(value) ? new Date(value) : value,
    ]),
  );

function inputOf(path: string): string[] {
  const procedure: unknown = Object.entries(appRouter._def.procedures).find(([name]) => name === path)?.[1];
  if (!isProcedure(procedure)) throw new Error(`${path} is no procedure`);
  return procedure._def.inputs.flatMap((input) => (input instanceof z.ZodObject ? Object.keys(input.shape) : []));
}

const table = (path: string, noun: Noun, id: string, sorted: Sorted, more: Partial<Form> = {}): [string, Form] => {
  const fields = inputOf(path);
  const names = fields.filter((name) => !PAGING.has(name));
  return [
    path,
    {
      noun,
      fields: names,
      lines: pick({ merchantId: one('merchant_id', null), ...LINES[noun] }, names),
      sorted,
      isFirst: true,
      read: (filter, size) => readTable(path, id, dated(filter), size),
      ...more,
    },
  ];
};

const sortedBy = (by: string, column: Order[number], descending: boolean): readonly [MeantFilter, Sorted] => [
  { sort: { by, descending } },
  { by: [column, 'id'], descending },
];
const byMoney = (...names: readonly string[]) =>
  names.flatMap((name) =>
    [true, false].map((descending) => sortedBy(name, name === 'created' ? moment('created_at') : 'amount', descending)),
  );
const bySortedOrder = (by: string, column: Order[number]): (readonly [MeantFilter, Sorted])[] =>
  (['asc', 'desc'] as const).map((order) => [{ sort: { by, order } }, { by: [column, 'id'], descending: order === 'desc' }]);
const eachWay = (column: string, id = 'id'): (readonly [MeantFilter, Sorted])[] =>
  [true, false].map((newestFirst) => [{ newestFirst }, { by: [moment(column), id], descending: newestFirst }]);

/** The values of some columns that most rows have in common: lists of one endpoint, account or settlement. */
const mostOf = (rows: readonly DrawnRow[], columns: Readonly<Record<string, string>>): MeantFilter => {
  const inTest = rows.filter(({ mode }) => mode === 'test');
  const valuesOf = (row: DrawnRow) => Object.fromEntries(Object.entries(columns).map(([field, column]) => [field, row[column]]));
  const groups = [...Map.groupBy(inTest, (row) => JSON.stringify(valuesOf(row))).values()];
  const [most = []] = groups.toSorted((left, right) => right.length - left.length);
  return valuesOf(most[0] ?? {});
};

/** Pending deliveries by when they are tried next, then the others, the newest first whatever the direction. */
const byNextAttempt = (descending: boolean): readonly [MeantFilter, Sorted] => {
  const waits = (row: DrawnRow) => row.state === 'PENDING' && row.next_attempt_at !== null;
  const turned = descending ? -1 : 1;
  const key = (row: DrawnRow) => (waits(row) ? moment('next_attempt_at')(row) * turned : -moment('created_at')(row));
  // Ids turn around with their part.
  const idKey = (row: DrawnRow) => (waits(row) === descending || !waits(row) ? turnedId(String(row.id)) : String(row.id));
  return [{ sort: { by: 'next', descending } }, { by: [(row) => (waits(row) ? 0 : 1), key, idKey], descending: false }];
};
const turnedId = (id: string) =>
  [...id].map((each) => (/[0-9a-f]/.test(each) ? (15 - Number.parseInt(each, 16)).toString(16) : each)).join('');

const TABLES: readonly [string, Form][] = [
  table('payments.list', 'payment', 'paymentId', newest(), { orders: byMoney('created', 'amount') }),
  table('refunds.list', 'refund', 'refundId', newest(), { orders: byMoney('created', 'amount') }),
  table('refunds.approvals.list', 'refundApproval', 'approvalId', newest(), { orders: byMoney('created', 'amount') }),
  table('refunds.duplicates.list', 'duplicateCharge', 'duplicateChargeId', newest(), { orders: byMoney('created') }),
  table('refunds.reviews.list', 'review', 'paymentId', newest(), { isFirst: false, orders: byMoney('created') }),
  table('disputes.list', 'dispute', 'disputeId', { by: [momentOrNever('due_at'), 'id'], descending: false }),
  table('settlements.list', 'settlement', 'settlementId', { by: [momentOrNever('settled_on'), 'id'], descending: true }),
  table(
    'settlements.lines',
    'settlementLine',
    'lineId',
    { by: ['position'], descending: false },
    {
      base: (rows) => mostOf(rows, { settlementId: 'settlement_id' }),
    },
  ),
  table('settlements.discrepancies.list', 'settlementDiscrepancy', 'discrepancyId', newest(), {
    orders: [...bySortedOrder('created', moment('created_at')), ...bySortedOrder('amount', (row) => Number(row.amount))],
  }),
  table(
    'reconciliation.discrepancies',
    'discrepancy',
    'discrepancyId',
    { by: ['day', 'id'], descending: true },
    {
      orders: [...bySortedOrder('day', 'day'), ...bySortedOrder('amount', (row) => Number(row.amount_in_question))],
    },
  ),
  table('reconciliation.runs', 'reconciliationRun', 'runId', { by: ['day', 'id'], descending: true }),
  table('fees.list', 'fee', 'paymentId', newest('paid_at')),
  table('webhooks.deliveries.list', 'delivery', 'deliveryId', newest(), {
    base: (rows) => mostOf(rows, { merchantId: 'merchant_id', endpointId: 'endpoint_id' }),
    orders: [
      ...[true, false].map((descending) => sortedBy('created', moment('created_at'), descending)),
      ...[true, false].map((descending): readonly [MeantFilter, Sorted] => [
        { sort: { by: 'attempts', descending } },
        { by: ['attempts', moment('created_at'), 'id'], descending },
      ]),
      byNextAttempt(true),
      byNextAttempt(false),
    ],
  }),
  table('gateways.webhooks', 'gatewayWebhook', 'id', newest('received_at'), {
    base: (rows) => mostOf(rows, { accountId: 'account_id' }),
    orders: eachWay('received_at'),
  }),
  table('requests.list', 'apiRequest', 'apiRequestId', { by: ['id'], descending: true }),
  table('audit.list', 'auditEntry', 'entryId', newest(), { orders: eachWay('created_at') }),
  table('alerts.history', 'closedIncident', 'incidentId', newest('since'), {
    orders: [true, false].flatMap((descending) => [
      sortedBy('began', moment('since'), descending),
      sortedBy('ended', moment('closed_at'), descending),
      sortedBy('lasted', (row) => moment('closed_at')(row) - moment('since')(row), descending),
      sortedBy('severity', (row) => Number(row.severity === 'critical'), descending),
    ]),
  }),
  table(
    'alerts.messages',
    'notification',
    'notificationId',
    { by: ['id'], descending: true },
    {
      orders: [true, false].map((newestFirst) => [{ newestFirst }, { by: ['id'], descending: newestFirst }]),
    },
  ),
];

/** Queries with pages that are of one thing, and have no filter but which. */
const NO_LISTS: readonly string[] = [
  'routing.movedPayments',
  'routing.drafts.shadow.differences',
  'routing.versions.list',
  'health.feed',
  'health.paymentsBehind',
];

describe('tables of the dashboard', () => {
  test('have a line for each query with pages', () => {
    const paged = Object.keys(appRouter._def.procedures).filter((path) => inputOf(path).includes('limit'));
    expect([...TABLES.map(([path]) => path), ...NO_LISTS].toSorted()).toEqual(paged.toSorted());
  });

  test.each(TABLES)('%s has what its filter says', (path, form) => expectFilters(path, form));
  test.each(TABLES)('%s has each row on one page, in every order', (path, form) => expectPages(path, form));
});

// --- GraphQL

const schema = buildSchema(readFileSync(new URL('../schema.graphql', import.meta.url), 'utf8'));
const filtered = Object.values(schema.getQueryType()?.getFields() ?? {}).filter(({ args }) =>
  args.some(({ name }) => name === 'filter'),
);

function filterTypeOf(list: string): { readonly type: string; readonly fields: string[] } {
  const argument = filtered.find(({ name }) => name === list)?.args.find(({ name }) => name === 'filter');
  const type = argument === undefined ? undefined : getNamedType(argument.type);
  if (!(type instanceof GraphQLInputObjectType)) throw new Error(`${list} has no filter`);
  return { type: String(argument?.type), fields: Object.keys(type.getFields()) };
}

const graphqlAnswer = z.object({ data: z.record(z.string(), z.unknown()) });

async function ask(text: string, variables: object): Promise<Readonly<Record<string, unknown>>> {
  const headers = browser.headers({ 'content-type': 'application/json' });
  const body = JSON.stringify({ query: text, variables });
  const response = await sendGraphql(switchyard, new Request(`${ORIGIN}/api/graphql`, { method: 'POST', headers, body }));
  const answer: unknown = await response.json();
  const parsed = graphqlAnswer.safeParse(answer);
  if (!parsed.success) throw new Error(JSON.stringify(answer));
  return parsed.data.data;
}

const edgesSchema = z.object({
  edges: z.array(z.object({ node: z.object({ id: z.string() }) })),
  pageInfo: z.object({
    hasNextPage: z.boolean(),
    hasPreviousPage: z.boolean(),
    startCursor: z.string().nullable(),
    endCursor: z.string().nullable(),
  }),
});

/** Values of enums, which GraphQL writes in capitals. */
const CAPITALS = new Set(['date', 'abouts']);
const capitals = (value: unknown): unknown => (Array.isArray(value) ? value.map(capitals) : String(value).toUpperCase());
const inGraphql = (filter: MeantFilter) =>
  Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, CAPITALS.has(name) ? capitals(value) : value]));

async function readConnection(list: string, { order, ...filter }: MeantFilter, size: number, back: boolean): Promise<string[]> {
  const { type } = filterTypeOf(list);
  const [ids, page] = [back ? 'last' : 'first', back ? 'before' : 'after'];
  const text = `query ($filter: ${type}, $size: Int, $cursor: String) { ${list}(filter: $filter, ${ids}: $size, ${page}: $cursor
    ${order === undefined ? '' : `, order: ${order}`}) {
    edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }`;
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const answer = await ask(text, { filter: inGraphql(filter), size, cursor });
    const { edges, pageInfo } = edgesSchema.parse(answer[list]);
    const read = edges.map(({ node }) => node.id);
    if (back) found.unshift(...read);
    else found.push(...read);
    cursor = back ? (pageInfo.hasPreviousPage ? pageInfo.startCursor : null) : pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (cursor !== null);
  return found;
}

const GRAPHQL_LINES = filterLines('');
/** All days that rows have, for lists of a period. */
const EVER = { from: '2026-08-01', to: '2027-07-31' };

const connection = (
  list: string,
  noun: Noun,
  own: Readonly<Record<string, string>> = {},
  more: Partial<Form> = {},
): [string, Form] => {
  const { fields } = filterTypeOf(list);
  return [
    list,
    {
      noun,
      fields,
      lines: pick(GRAPHQL_LINES[noun], fields, own),
      sorted: newest(),
      read: (filter, size) => readConnection(list, filter, size, false),
      readBack: (filter, size) => readConnection(list, filter, size, true),
      ...more,
    },
  ];
};

const STATES = { states: 'statuses', settledFrom: 'from', settledTo: 'to' };
const SETTLED = { settledFrom: 'from', settledTo: 'to' };
const CONNECTIONS: readonly [string, Form][] = [
  connection(
    'payments',
    'payment',
    {},
    {
      orders: [
        [{ order: 'NEWEST_FIRST' }, newest()],
        [{ order: 'OLDEST_FIRST' }, { ...newest(), descending: false }],
      ],
    },
  ),
  connection('refunds', 'refund'),
  connection('duplicateCharges', 'duplicateCharge'),
  connection('reconciliation', 'discrepancy'),
  connection('disputes', 'dispute'),
  connection('refundApprovals', 'refundApproval'),
  connection('settlements', 'settlement', STATES),
  connection('settlementLines', 'settlementLine', SETTLED),
  connection('settlementDiscrepancies', 'settlementDiscrepancy'),
  connection('webhookDeliveries', 'delivery'),
  connection('bankStatements', 'bankStatement', {}, { sorted: newest('taken_at'), isFirst: true }),
  connection('bankLines', 'bankLine', {}, { sorted: newest('booked_on'), isFirst: true, usual: EVER }),
  connection('settlementFiles', 'settlementFile', {}, { sorted: newest('taken_at'), isFirst: true }),
];

/** Queries with a filter that are not lists: reports, settings, and the sums below. */
const NO_CONNECTIONS: readonly string[] = [
  'bank',
  'currencies',
  'gatewayErrorCodes',
  'gatewayPerformance',
  'incidents',
  'journal',
  'monthClose',
  'routingEarned',
  'settlement',
  'settlementIgnoreRules',
  'settlementProfiles',
  'volume',
];

// --- Counts and sums

/** Numbers beside a list: those of the rows that a filter leaves. */
interface Figures extends Pick<Form, 'noun' | 'lines' | 'fields' | 'base' | 'usual' | 'isFirst'> {
  read(filter: MeantFilter): Promise<readonly Figure[]>;
  of(rows: readonly DrawnRow[], filter: MeantFilter): readonly Figure[];
}
/** One group with its numbers, all as text. */
type Figure = Readonly<Record<string, string | null>>;

/** An exact sum of amounts with at most two decimals. */
function sumOf(rows: readonly DrawnRow[], read: string | ((row: DrawnRow) => unknown)): string {
  const value = (row: DrawnRow) => Number((typeof read === 'string' ? row[read] : read(row)) ?? 0);
  return plain(rows.reduce((sum, row) => sum + Math.round(value(row) * 100), 0) / 100) ?? '';
}
const countOf = (rows: readonly DrawnRow[], isOne: (row: DrawnRow) => boolean = () => true) => String(rows.filter(isOne).length);

type GroupFigures = Readonly<Record<string, (rows: readonly DrawnRow[]) => string | null>>;

/** Rows by the values of some columns, with the numbers of each group. */
function groupsOf(
  rows: readonly DrawnRow[],
  by: Readonly<Record<string, string | ((row: DrawnRow) => unknown)>>,
  figures: GroupFigures,
): Figure[] {
  const keyOf = (row: DrawnRow) =>
    Object.entries(by).map(([name, read]): [string, string | null] => [
      name,
      plain(typeof read === 'string' ? row[read] : read(row)),
    ]);
  return [...Map.groupBy(rows, (row) => JSON.stringify(keyOf(row))).values()].map((group) => ({
    ...Object.fromEntries(keyOf(group[0] ?? {})),
    ...Object.fromEntries(Object.entries(figures).map(([name, read]) => [name, read(group)])),
  }));
}

const ordered = (figures: readonly Figure[]) =>
  figures.map((figure) => JSON.stringify(Object.entries(figure).toSorted())).toSorted();

async function expectFigures(name: string, { lines, read, of, ...form }: Figures): Promise<void> {
  const without = form.fields.filter((field) => !PAGING.has(field) && !Object.hasOwn(lines, field));
  expect(without, `fields of ${name} without a line: add what each leaves to filterLines`).toEqual([]);
  const rows = await rowsOfBoth(form.noun);
  const own = rows.filter((row) => merchantIds.some((merchantId) => merchantId === row.merchant_id));
  const unsorted = { ...form, lines, sorted: newest(), read: async () => [] };
  // The list has the same filter, and is tried with more.
  for (const filter of filtersOf(name, unsorted, own, 1)) {
    const wanted = of(
      rows.filter((row) => isListed(row, filter, lines)),
      filter,
    );
    expect(ordered(await read(filter)), `${name} with ${JSON.stringify(filter)}`).toEqual(ordered(wanted));
  }
  await expectRefusal(name, form, own, read);
}

/** Reads of rows what figures name, as text. */
const figuresIn = (rows: readonly Readonly<Record<string, unknown>>[], names: readonly string[]): Figure[] =>
  rows.map((row) => Object.fromEntries(names.map((name) => [name, plain(row[name])])));

/** A field that the numbers are not by: they are of each of its values. */
const ofEach = (line: FilterLine | null | undefined): FilterLine => ({
  tried: (rows) => line?.tried(rows) ?? [],
  holds: () => true,
});

const sums = (
  list: string,
  noun: Noun,
  by: Readonly<Record<string, string>>,
  figures: GroupFigures,
  own: Readonly<Record<string, string>> = {},
): [string, Figures] => {
  const { type, fields } = filterTypeOf(list);
  const names = [...Object.keys(by), ...Object.keys(figures)];
  const isFees = list === 'fees';
  const text = `query ($filter: ${type}) { ${list}(filter: $filter) { ${isFees ? `sums { ${names.join(' ')} }` : names.join(' ')} } }`;
  return [
    list,
    {
      noun,
      fields,
      lines: pick(GRAPHQL_LINES[noun], fields, own),
      read: async (filter) => {
        const answer = (await ask(text, { filter: inGraphql(filter) }))[list];
        return figuresIn(rowsSchema.parse(isFees ? z.object({ sums: z.unknown() }).parse(answer).sums : answer), names);
      },
      of: (rows) => groupsOf(rows, by, figures),
    },
  ];
};

const counted: GroupFigures = { count: (rows) => countOf(rows) };
const added = (...columns: readonly string[]): GroupFigures =>
  Object.fromEntries(columns.map((column) => [column, (rows: readonly DrawnRow[]) => sumOf(rows, column)]));
const isUnmatched = (row: DrawnRow) => row.linked_by === null;
const isCompared = (row: DrawnRow) => row.expected !== null && row.charged !== null;
const excess = (row: DrawnRow) => Number(row.excess);

const FEE_SUMS: GroupFigures = {
  payments: (rows) => countOf(rows),
  ...added('amount'),
  compared: (rows) => countOf(rows, isCompared),
  expected: (rows) => sumOf(rows.filter(isCompared), 'expected'),
  charged: (rows) => sumOf(rows.filter(isCompared), 'charged'),
  difference: (rows) => sumOf(rows.filter(isCompared), (row) => Number(row.charged) - Number(row.expected)),
  overcharged: (rows) => countOf(rows, (row) => excess(row) > 0),
  overcharge: (rows) => sumOf(rows, (row) => Math.max(0, excess(row))),
  undercharged: (rows) => countOf(rows, (row) => excess(row) < 0),
  undercharge: (rows) => sumOf(rows, (row) => Math.max(0, -excess(row))),
};

function withUsual(usual: MeantFilter, [list, figures]: [string, Figures]): [string, Figures] {
  return [list, { ...figures, usual }];
}

const SUMS: readonly [string, Figures][] = [
  sums(
    'disputeSums',
    'dispute',
    { state: 'state', currency: 'currency' },
    {
      ...counted,
      ...added('amount'),
      takenBack: (rows) => sumOf(rows, 'taken_back'),
      fees: (rows) => sumOf(rows, 'fee'),
    },
  ),
  sums(
    'refundApprovalSums',
    'refundApproval',
    { state: 'current_state', currency: 'currency' },
    { ...counted, ...added('amount') },
  ),
  sums(
    'settlementDiscrepancySums',
    'settlementDiscrepancy',
    { kind: 'kind', state: 'state', currency: 'currency' },
    { ...counted, ...added('amount') },
  ),
  sums(
    'settlementLineSums',
    'settlementLine',
    { kind: 'kind', currency: 'currency' },
    {
      ...counted,
      ...added('amount'),
      unmatchedCount: (rows) => countOf(rows, isUnmatched),
      unmatchedAmount: (rows) => sumOf(rows.filter(isUnmatched), 'amount'),
    },
    SETTLED,
  ),
  sums(
    'settlementSums',
    'settlement',
    { status: 'status', currency: 'currency' },
    {
      ...counted,
      ...added('gross', 'fees', 'deductions', 'net', 'explained', 'unexplained'),
    },
    STATES,
  ),
  sums('fees', 'fee', { currency: 'currency' }, FEE_SUMS),
  withUsual(
    EVER,
    sums(
      'bankLineSums',
      'bankLine',
      { merchantId: 'merchant_id', bankAccount: 'bank_account', currency: 'currency' },
      {
        ...counted,
        credits: (rows) => sumOf(rows, (row) => Math.max(0, Number(row.amount))),
        debits: (rows) => sumOf(rows, (row) => Math.max(0, -Number(row.amount))),
        matched: (rows) =>
          sumOf(
            rows.filter((row) => row.is_matched === true),
            (row) => Math.max(0, Number(row.amount)),
          ),
      },
    ),
  ),
];

const byEach = z.looseObject({
  all: z.looseObject({ count: z.number() }),
  byStatus: z.record(z.string(), z.looseObject({ count: z.number() })).optional(),
  byState: z.record(z.string(), z.looseObject({ count: z.number() })).optional(),
});

/** Counts by a state, and of all of them. */
function countsIn(answer: unknown): Figure[] {
  const { all, byStatus, byState } = byEach.parse(answer);
  const each = Object.entries(byStatus ?? byState ?? {}).filter(([, { count }]) => count > 0);
  return [...each, ['all', all] as const].map(([state, { count }]) => ({ state, count: String(count) }));
}

const ofNames = (answer: unknown): Figure[] =>
  Object.entries(z.record(z.string(), z.number()).parse(answer)).flatMap(([state, count]) =>
    count === 0 ? [] : [{ state, count: String(count) }],
  );

const inStates = (column: string) => (rows: readonly DrawnRow[]) => [
  ...groupsOf(rows, { state: column }, counted),
  { state: 'all', count: countOf(rows) },
];

const counts = (
  path: string,
  noun: Noun,
  eachOf: readonly string[],
  read: (answer: unknown) => Figure[],
  of: Figures['of'],
  more: Partial<Figures> = {},
): [string, Figures] => {
  const fields = inputOf(path);
  const lines = pick({ merchantId: one('merchant_id', null), ...LINES[noun] }, more.fields ?? fields);
  return [
    path,
    {
      noun,
      fields,
      lines: { ...lines, ...Object.fromEntries(eachOf.map((field) => [field, ofEach(lines[field])])) },
      read: async (filter) => read(await query(path, dated(filter))),
      of,
      ...more,
    },
  ];
};

const bandOf = (row: DrawnRow) => [0, 2_500, 10_000, 50_000, 200_000].filter((start) => Number(row.amount) >= start).length - 1;
const BAND_STARTS = [0, 2_500, 10_000, 50_000, 200_000];
const bandSchema = z.array(z.looseObject({ band: z.object({ from: z.number() }) }));
const TODAY = '2026-11-02';
const ageOf = (row: DrawnRow) => {
  const days = (Date.parse(TODAY) - Date.parse(String(row.day))) / 86_400_000;
  return [2, 7, 30].find((most) => days <= most) ?? null;
};

const COUNTS: readonly [string, Figures][] = [
  counts('payments.counts', 'payment', ['statuses', 'displayStatuses'], countsIn, inStates('display_status')),
  counts('refunds.counts', 'refund', ['states'], countsIn, inStates('state')),
  counts('refunds.duplicates.counts', 'duplicateCharge', ['states'], countsIn, inStates('state')),
  counts(
    'disputes.counts',
    'dispute',
    [],
    (answer) => figuresIn(rowsSchema.parse(answer), ['state', 'currency', 'count', 'amount']),
    (rows) => groupsOf(rows, { state: 'state', currency: 'currency' }, { ...counted, ...added('amount') }),
  ),
  counts(
    'settlements.discrepancies.counts',
    'settlementDiscrepancy',
    [],
    (answer) => figuresIn(rowsSchema.parse(answer), ['kind', 'state', 'count']),
    (rows) => groupsOf(rows, { kind: 'kind', state: 'state' }, counted),
  ),
  counts(
    'reconciliation.counts',
    'discrepancy',
    [],
    (answer) => figuresIn(rowsSchema.parse(answer), ['kind', 'state', 'count']),
    (rows) => groupsOf(rows, { kind: 'kind', state: 'state' }, counted),
  ),
  counts(
    'reconciliation.byAge',
    'discrepancy',
    [],
    () => [],
    (rows) =>
      groupsOf(
        rows,
        { maxDays: ageOf, currency: () => 'NGN' },
        {
          ...counted,
          unowned: (group) => countOf(group, (row) => row.owner_id === null),
          amount: (group) => sumOf(group, 'amount_in_question'),
        },
      ),
    {
      fields: Object.keys(discrepancyNoun.filter.shape),
      read: async (filter) =>
        figuresIn(rowsSchema.parse(await query('reconciliation.byAge', { filter, today: TODAY })), [
          'maxDays',
          'currency',
          'count',
          'unowned',
          'amount',
        ]),
    },
  ),
  // Settled sums are of payouts that were paid, whatever statuses the list below shows, and whatever is searched for in it.
  counts(
    'settlements.explained',
    'settlement',
    ['statuses', 'unexplainedOnly', 'search'],
    (answer) =>
      figuresIn(rowsSchema.parse(answer), ['currency', 'settled', 'explained', 'unexplained']).filter(
        ({ settled, explained }) => settled !== '0' || explained !== '0',
      ),
    (rows, { from, to }) =>
      groupsOf(
        rows.filter(
          (row) => row.status === 'PAID' && (row.settled_on !== null || ((from ?? null) === null && (to ?? null) === null)),
        ),
        { currency: 'currency' },
        { settled: (group) => sumOf(group, 'net'), ...added('explained', 'unexplained') },
      ),
  ),
  counts(
    'fees.sums',
    'fee',
    [],
    (answer) => figuresIn(rowsSchema.parse(answer), ['currency', ...Object.keys(FEE_SUMS)]),
    (rows) => groupsOf(rows, { currency: 'currency' }, FEE_SUMS),
  ),
  counts(
    'fees.months',
    'fee',
    [],
    (answer) => figuresIn(rowsSchema.parse(answer), ['accountId', 'month', 'currency', ...Object.keys(FEE_SUMS)]),
    (rows, filter) =>
      groupsOf(
        rows,
        {
          accountId: 'account_id',
          month: (row) => dayBy(row, String(filter.date ?? 'paid'))?.slice(0, 7) ?? null,
          currency: 'currency',
        },
        FEE_SUMS,
      ),
  ),
  counts(
    'fees.rates',
    'fee',
    [],
    (answer) =>
      figuresIn(
        bandSchema.parse(answer).map(({ band, ...rate }): Readonly<Record<string, unknown>> => ({ ...rate, from: band.from })),
        ['accountId', 'method', 'currency', 'from', 'payments', 'amount', 'charged'],
      ),
    (rows) =>
      groupsOf(
        rows.filter((row) => row.charged !== null && Number(row.amount) > 0),
        { accountId: 'account_id', method: 'method', currency: 'currency', from: (row) => BAND_STARTS[bandOf(row)] },
        { payments: (group) => countOf(group), ...added('amount', 'charged') },
      ),
  ),
  counts('webhooks.deliveries.counts', 'delivery', ['states'], countsIn, inStates('state'), {
    base: (rows) => mostOf(rows, { merchantId: 'merchant_id', endpointId: 'endpoint_id' }),
  }),
  counts('gateways.webhookCounts', 'gatewayWebhook', [], countsIn, inStates('counted_state'), {
    base: (rows) => mostOf(rows, { accountId: 'account_id' }),
  }),
  counts(
    'audit.count',
    'auditEntry',
    [],
    (answer) => figuresIn([z.record(z.string(), z.unknown()).parse(answer)], ['count']),
    (rows) => [{ count: countOf(rows) }],
  ),
  counts('alerts.historyCounts', 'closedIncident', [], ofNames, (rows) =>
    groupsOf(rows, { state: (row) => (row.severity === 'critical' ? 'critical' : 'warning') }, counted),
  ),
  counts('alerts.messageCounts', 'notification', [], ofNames, (rows) => groupsOf(rows, { state: 'state' }, counted)),
];

/** The day by which a fee is of a month. */
const dayBy = (row: DrawnRow, date: string): string | null => {
  if (date === 'settled') return row.settled_on === null ? null : String(row.settled_on);
  return dayOf(row[date === 'paid' ? 'paid_at' : 'created_at'], 'Africa/Lagos');
};

describe('counts and sums', () => {
  test.each(SUMS)('of %s by GraphQL are those of the rows', (list, figures) => expectFigures(`graphql ${list}`, figures));
  test.each(COUNTS)('of %s are those of the rows', (path, figures) => expectFigures(path, figures));
});

describe('GraphQL', () => {
  test('has a line for each query with a filter', () =>
    expect([...CONNECTIONS.map(([list]) => list), ...NO_CONNECTIONS, ...SUMS.map(([list]) => list)].toSorted()).toEqual(
      filtered.map(({ name }) => name).toSorted(),
    ));

  test.each(CONNECTIONS)('%s has what its filter says', (list, form) => expectFilters(`graphql ${list}`, form));
  test.each(CONNECTIONS)('%s has each row on one page, from both ends', (list, form) => expectPages(`graphql ${list}`, form));
});

// --- REST

const openapi = z
  .looseObject({
    paths: z.record(
      z.string(),
      z.looseObject({
        get: z.looseObject({ parameters: z.array(z.looseObject({ name: z.string(), in: z.string() })).default([]) }).optional(),
      }),
    ),
  })
  .parse(describeRest('https://pay.example'));

const parametersOf = (path: string) =>
  (openapi.paths[path]?.get?.parameters ?? []).flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));

const restAnswer = z.object({ data: z.looseObject({ nextCursor: z.string().nullable() }) });

/** Reads a list with the key of the filter's merchant and mode. */
async function readResource(path: string, list: string, id: string, filter: MeantFilter, limit: number): Promise<string[]> {
  const { merchantId, mode, settlementId, ...asked } = filter;
  const parameters = Object.entries(asked)
    .filter(([, value]) => !Array.isArray(value) || value.length > 0)
    .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : String(value)]);
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const search = new URLSearchParams([
      ...parameters,
      ['limit', String(limit)],
      ...(cursor === null ? [] : [['cursor', cursor]]),
    ]);
    const headers = { authorization: `Bearer ${secretKeys.get(`${merchantId} ${mode}`)}` };
    const url = `${served.url}${path.replace('{settlementId}', String(settlementId))}?${search}`;
    const answer: unknown = await (await fetch(url, { headers })).json();
    const parsed = restAnswer.safeParse(answer);
    if (!parsed.success) throw new Error(`${url}: ${JSON.stringify(answer)}`);
    found.push(...idsIn(rowsSchema.parse(parsed.data.data[list]), id));
    cursor = parsed.data.data.nextCursor;
  } while (cursor !== null);
  return found;
}

const resource = (
  path: string,
  noun: Noun,
  [list, id]: [string, string],
  own: Readonly<Record<string, string>>,
  more: Partial<Form> = {},
): [string, Form] => {
  const named = path.includes('{settlementId}') ? ['settlementId'] : [];
  const fields = ['merchantId', 'mode', ...named, ...parametersOf(path)].filter((name) => !PAGING.has(name));
  return [
    path,
    {
      noun,
      fields,
      lines: pick(
        {
          ...LINES[noun],
          merchantId: one('merchant_id', null),
          mode: one('mode', null),
          merchantOrderId: one('merchant_order_id', 'no-such'),
          lowerState: anyOf((row) => String(row.state).toLowerCase()),
        },
        fields,
        own,
      ),
      sorted: newest(),
      base: () => ({ merchantId: merchantIds[0], mode: 'test' }),
      read: (filter, size) => readResource(path, list, id, filter, size),
      ...more,
    },
  ];
};

const RESOURCES: readonly [string, Form][] = [
  resource('/v1/payments', 'payment', ['payments', 'paymentId'], { status: 'statuses' }),
  resource('/v1/disputes', 'dispute', ['disputes', 'disputeId'], { state: 'lowerState' }),
  resource('/v1/events', 'event', ['events', 'id'], {}, { isFirst: true }),
  resource(
    '/v1/settlements',
    'settlement',
    ['settlements', 'settlementId'],
    { status: 'statuses', ...SETTLED },
    {
      sorted: { by: [momentOrNever('settled_on'), 'id'], descending: true },
    },
  ),
  resource(
    '/v1/settlements/{settlementId}/lines',
    'settlementLine',
    ['lines', 'lineId'],
    { kind: 'kinds' },
    {
      sorted: { by: ['position'], descending: false },
      base: (rows) => mostOf(rows, { merchantId: 'merchant_id', mode: 'mode', settlementId: 'settlement_id' }),
    },
  ),
];

describe('REST', () => {
  test('has a line for each list', () => {
    const lists = Object.keys(openapi.paths).filter((path) => parametersOf(path).includes('limit'));
    // The refunds of a payment have no filter.
    expect([...RESOURCES.map(([path]) => path), '/v1/payments/{paymentId}/refunds'].toSorted()).toEqual(lists.toSorted());
  });

  test.each(RESOURCES)('%s has what its query says', (path, form) => expectFilters(`GET ${path}`, form));
  test.each(RESOURCES)('%s has each row on one page', (path, form) => expectPages(`GET ${path}`, form));
});

// --- Tools of agents

let agent: { readonly connected: TestAgent; calls: number } | undefined;
/** An agent may call so often in a minute. */
const CALLS_MAX = 80;

async function call(tool: string, given: MeantFilter): Promise<Readonly<Record<string, unknown>>> {
  if (agent === undefined || agent.calls >= CALLS_MAX) {
    const { token } = await issueTestToken(switchyard, staffId);
    agent = { connected: await connectAgent(served.url, token), calls: 0 };
  }
  agent.calls += 1;
  const { refused, text, data } = await agent.connected.call(tool, given);
  if (refused) throw new Error(text);
  return data;
}

/** An agent sees as many at once. */
const TOOL_MAX = 50;

async function readTool(tool: string, list: string, id: string, filter: MeantFilter, size: number): Promise<string[]> {
  const found: string[] = [];
  let cursor: unknown = null;
  do {
    const data = await call(tool, { ...filter, limit: Math.min(size, TOOL_MAX), ...(cursor !== null && { cursor }) });
    found.push(...idsIn(rowsSchema.parse(data[list]), id));
    cursor = data.cursor ?? null;
  } while (cursor !== null);
  return found;
}

const fieldsOf = (tool: string) =>
  Object.keys(TOOLS.find(({ name }) => name === tool)?.input.shape ?? {}).filter((name) => !PAGING.has(name));

const tool = (
  name: string,
  noun: Noun,
  [list, id]: [string, string],
  sorted: Sorted,
  more: Partial<Form> = {},
): [string, Form] => [
  name,
  {
    noun,
    fields: fieldsOf(name),
    lines: pick(LINES_OF_TOOLS[noun], fieldsOf(name)),
    sorted,
    read: (filter, size) => readTool(name, list, id, filter, size),
    ...more,
  },
];

/** Tools have no word for none. */
const LINES_OF_TOOLS = filterLines('');

const AGENT_LISTS: readonly [string, Form][] = [
  tool('find_payments', 'payment', ['payments', 'paymentId'], newest()),
  tool(
    'find_disputes',
    'dispute',
    ['disputes', 'disputeId'],
    { by: [momentOrNever('due_at'), 'id'], descending: false },
    { most: TOOL_MAX },
  ),
  tool('list_settlements', 'settlement', ['settlements', 'settlementId'], {
    by: [momentOrNever('settled_on'), 'id'],
    descending: true,
  }),
];

/** Tools with pages of what has no filter, or of one thing. */
const NO_TOOL_LISTS = ['list_merchants', 'list_rules', 'get_settlement'];

describe('tools of agents', () => {
  test('have a line for each list', () => {
    const paged = TOOLS.filter(({ input }) => 'limit' in input.shape).map(({ name }) => name);
    expect([...AGENT_LISTS.map(([name]) => name), ...NO_TOOL_LISTS].toSorted()).toEqual(paged.toSorted());
  });

  test.each(AGENT_LISTS)('%s finds what its filter says', (name, form) => expectFilters(`tool ${name}`, form));
  // An agent narrows the filter of disputes instead of reading on.
  test.each(AGENT_LISTS.filter(([name]) => name !== 'find_disputes'))('%s has each row on one page', (name, form) =>
    expectPages(`tool ${name}`, form),
  );
});

// --- The file of the audit log

/** How the address of the file calls each field of the filter. */
const AUDIT_PARAMETERS: Readonly<Record<string, string>> = { actors: 'actor', actions: 'action', objectTypes: 'objectType' };

async function readAuditFile(filter: MeantFilter): Promise<string[]> {
  const search = new URLSearchParams({ format: 'ndjson' });
  for (const [name, value] of Object.entries(filter))
    for (const each of [value].flat()) search.append(AUDIT_PARAMETERS[name] ?? name, String(each));
  const response = await exportAudit(switchyard, new Request(`${ORIGIN}/api/audit?${search}`, { headers: browser.headers() }));
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text.split('\n').flatMap((line) => (line === '' ? [] : idsIn(rowsSchema.parse([JSON.parse(line)]), 'entry_id')));
}

test('the file of the audit log has what its filter says', () =>
  expectFilters('file of the audit log', {
    noun: 'auditEntry',
    lines: LINES.auditEntry,
    fields: inputOf('audit.count'),
    sorted: newest(),
    isFirst: true,
    read: readAuditFile,
  }));

// --- Scheduled reports

const NOVEMBER = new Date('2026-11-05T12:00:00Z');
/** October in each zone: from the first moment, until before the second. */
const OCTOBER: Readonly<Record<(typeof ZONES)[number], MeantFilter>> = {
  'Africa/Lagos': { createdFrom: '2026-09-30T23:00:00Z', createdTo: '2026-10-31T23:00:00Z' },
  UTC: { createdFrom: '2026-10-01T00:00:00Z', createdTo: '2026-11-01T00:00:00Z' },
  'America/New_York': { createdFrom: '2026-10-01T04:00:00Z', createdTo: '2026-11-01T04:00:00Z' },
};
const OCTOBER_DAYS = { from: '2026-10-01', to: '2026-10-31' };
/** Lists whose rows are of the period by a day. */
const BY_DAY = new Set(['settlements', 'settlement-lines', 'fees']);
/** Fields that a schedule has itself, in place of its filter. */
const OF_SCHEDULE = new Set([
  'merchantIds',
  'mode',
  'createdFrom',
  'createdTo',
  'dayFrom',
  'dayTo',
  'from',
  'to',
  'settlementId',
]);

/** The ids in the report that a schedule makes in November for the month before. */
async function readReport(
  list: string,
  id: string,
  filter: MeantFilter,
  merchantId: string,
  timeZone: string,
): Promise<string[]> {
  const { resources, newId } = switchyard;
  const fail = (error: unknown): never => {
    throw error;
  };
  const context = { resources, newId, now: () => NOVEMBER, mailer: null, report: fail };
  const fields = { name: list, format: 'ndjson', frequency: 'monthly', hour: 6, timeZone, recipients: [] };
  const created = await createSchedule(context, { merchantId, mode: 'test', list, filter, fields, staffId });
  if (created.kind !== 'created') throw new Error(JSON.stringify(created));
  const key = { merchantId, scheduleId: created.scheduleId };
  const sent = await sendNow(context, { ...key, staffId });
  if (sent.kind !== 'queued') throw new Error(sent.kind);
  await makeReport(context, { merchantId, runId: sent.runId });
  const file = await openReportFile(context, linkToken(resources.keyPepper, sent.runId));
  if (file === null) throw new Error(`${list} has no report`);
  const bytes: Uint8Array[] = [];
  for await (const piece of file.content) bytes.push(piece);
  await removeSchedule(context, { ...key, staffId });
  const lines = Buffer.concat(bytes).toString('utf8').split('\n');
  return lines.flatMap((line) => (line === '' ? [] : idsIn(rowsSchema.parse([JSON.parse(line)]), id)));
}

describe('scheduled reports', () => {
  test.each(FILE_FORMS)('of %s have what their filter says, of their period', async (list, form) => {
    const rows = await rowsOfBoth(form.noun);
    const own = rows.filter((row) => row.mode === 'test' && merchantIds.some((merchantId) => merchantId === row.merchant_id));
    const id = FILES[list]?.id ?? '';
    const asked = Object.entries(form.lines).flatMap(([field, line]): MeantFilter[] => {
      if (line === null || OF_SCHEDULE.has(field)) return [];
      if (field === 'date') return line.tried(own).map((value) => ({ date: value }));
      const [value] = tellingValues(line.tried(own), own, (row, each) => line.holds(row, each, {}));
      return [{ [field]: value }];
    });
    const tried = IS_WHOLE ? asked : asked.slice(0, 2);
    for (const [at, filter] of [{}, {}, {}, ...tried].entries()) {
      const zone = ZONES[at % ZONES.length] ?? 'UTC';
      const merchantId = at % 4 === 3 ? merchantIds[0] : NIL_ID;
      const isByDay = BY_DAY.has(list) || ['paid', 'settled'].includes(String(filter.date));
      const period = isByDay ? OCTOBER_DAYS : OCTOBER[zone];
      const meant = { mode: 'test', ...filter, ...period, ...(merchantId === NIL_ID ? {} : { merchantIds: [merchantId] }) };
      const wanted = sortedRows(
        rows.filter((row) => isListed(row, meant, form.lines)),
        form.sorted,
      );
      const found = await readReport(
        list,
        id,
        { ...filter, createdFrom: '2020-01-01T00:00:00Z', merchantIds: [otherId] },
        merchantId,
        zone,
      );
      expect(found, `report of ${list} in ${zone} with ${JSON.stringify(meant)}`).toEqual(wanted.map((row) => String(row.id)));
    }
  });
});
