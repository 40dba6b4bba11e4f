import type { Database } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { openDatabase } from '@switchyard/db/process';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Code } from '../../kernel/code.ts';
import { bundleProduct } from '../open-model.ts';
import { planModel } from '../world/plan.ts';
import { type ModelRun, runModel } from '../world/run-model.ts';
import type { Call } from './client.ts';
import { canonical } from './numeric.ts';
import type { Tables } from './rows.ts';
import { STATEMENT_NAMES } from './statements.ts';

/*
 * The tables of the model are held to PostgreSQL: statements of whole worlds, with all that meets them, are repeated on a real server, one
 * after the other, at the same time by a clock that the suite sets. Each has to give the same answer, and all of them the same rows.
 */

const PAYMENTS = 25;
/** The functions of the database take the time from it, too. */
const CLOCK = `CREATE SCHEMA clock; CREATE FUNCTION clock.now() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT current_setting('model.now')::timestamptz $$`;
/** Answered by the job queue of the server, or by no table. */
const OF_QUEUE = ['give-hints'];
/** Made by the product in cases that no world has: an opening that throws, a webhook that is refused or given up, arrivals that are looked at. */
const UNMADE = ['release-initiation', 'count-refused-webhook', 'give-up-follow-up', 'read-webhook-arrivals'];

const TABLES: Readonly<Record<string, (tables: Tables) => Iterable<object>>> = {
  payment: ({ payments }) => payments.all(),
  payment_check: ({ checks }) => checks.all(),
  attempt: ({ attempts }) => attempts.all(),
  timeline_event: ({ timeline }) => timeline.all(),
  merchant_event: ({ events }) => events.all(),
  webhook_endpoint: ({ endpoints }) => endpoints.all(),
  webhook_delivery: ({ deliveries }) => deliveries.all(),
  due_delivery: ({ deliveries }) =>
    Array.from(deliveries.all()).flatMap(({ merchantId, endpointId, dueAt, id }) =>
      dueAt === null ? [] : [{ merchantId, endpointId, dueAt, deliveryId: id }],
    ),
  webhook_delivery_attempt: ({ deliveryAttempts }) => deliveryAttempts.all(),
  gateway_webhook: ({ gatewayWebhooks }) => gatewayWebhooks.all(),
  webhook_follow_up: ({ followUps }) => followUps.all(),
  refund: ({ refunds }) => refunds.all(),
  duplicate_charge: ({ duplicateCharges }) => duplicateCharges.all(),
  dispute: ({ disputes }) => disputes.all(),
  dispute_event: ({ disputeEvents }) => disputeEvents.all(),
  webhook_arrival: ({ arrivals }) => arrivals.all(),
  account_snapshot: ({ snapshots }) => snapshots.all(),
};

/**
 * Tests that the statements of these worlds have the answers and leave the rows that they do on PostgreSQL, and that none is left out. The same
 * seeds each time: of rows that are due in one millisecond either may come first.
 */
export function describeStore(seeds: readonly number[]): void {
  let template: TestDatabase;
  let database: Database;
  let code: Code;
  const made = new Set<string>();

  beforeAll(async () => {
    template = await createTestDatabase();
    await template.pool.query(CLOCK);
    const url = new URL(template.url);
    url.searchParams.set('options', '-c search_path=clock,pg_catalog,public');
    // One connection, which has the clock.
    database = openDatabase({ url: url.href, maxConnections: 1, acquireTimeoutMs: 20_000 });
    code = await bundleProduct();
  });

  afterAll(async () => {
    await database.close();
    await template.close();
  });

  describe.each(seeds)('the statements of the world of seed %i', (seed) => {
    test('have the same answers, and leave the same rows, as on PostgreSQL', async () => {
      const plan = planModel(seed, PAYMENTS);
      // The world itself ends the checks of the others.
      const payments = plan.payments.map((payment) => ({ ...payment, isFollowed: true }));
      const run = await runModel(code, { ...plan, payments }, { records: false, keepsStatements: true });
      const names = Object.keys(TABLES).join(', ');
      await database.pool.query(`TRUNCATE ${names} CASCADE`);
      await insertEndpoints(database, run);
      let clock: string | null = null;
      for (const { call, now, result } of run.committed) {
        const time = now.toISOString();
        if (time !== clock) await database.pool.query(`SELECT set_config('model.now', $1, false)`, [time]);
        clock = time;
        const answer = await repeat(database, call);
        if (call.method === 'query') made.add((call.given as [{ readonly name: string }])[0].name);
        const same = comparable(call, answer, result);
        expect(same.model, describeCall(call)).toEqual(same.server);
      }
      expect(run.committed.length).toBeGreaterThan(PAYMENTS);
      for (const [name, rowsOf] of Object.entries(TABLES)) {
        const { rows } = await database.pool.query<object>(`SELECT * FROM ${name}`);
        const stored = rows.map((row) => plain(inCamelCase(row)));
        const modelled = Array.from(rowsOf(run.observations.tables), plain);
        expect(sorted(modelled), name).toEqual(sorted(stored));
      }
    });
  });

  test('these worlds make every statement that the model answers, but for those of cases that no world has', () => {
    expect(STATEMENT_NAMES.filter((name) => !made.has(name) && !UNMADE.includes(name))).toEqual([]);
  });
}

/** The endpoints are there before the first statement: as they were then. */
async function insertEndpoints(database: Database, { observations }: ModelRun): Promise<void> {
  for (const endpoint of observations.tables.endpoints.all()) {
    const untried = { failingSince: null, lastFailedAt: null, lastDeliveredAt: null };
    await database.prisma.webhookEndpoint.create({ data: { ...endpoint, ...untried } });
  }
}

async function repeat(database: Database, { table, method, given }: Call): Promise<unknown> {
  const target: object =
    table === null ? (method === 'query' ? database.pool : database.prisma) : Reflect.get(database.prisma, table);
  const run: (...values: unknown[]) => Promise<unknown> = Reflect.get(target, method).bind(target);
  return run(...given.map(asSql));
}

/** A part of a statement: the product's code has another copy of its class. */
function asSql(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('strings' in value) || !Array.isArray(value.strings)) return value;
  return Prisma.raw(value.strings.join(''));
}

/** Both answers to a statement, in a form in which they have to be the same. */
function comparable(call: Call, server: unknown, model: unknown): { readonly server: unknown; readonly model: unknown } {
  if (call.method === 'query') {
    const [{ name }] = call.given as [{ readonly name: string }];
    if (OF_QUEUE.includes(name)) return { server: null, model: null };
    const rowsIn = (answer: unknown): unknown => sorted((answer as { readonly rows: readonly object[] }).rows.map(plain));
    return { server: rowsIn(server), model: rowsIn(model) };
  }
  const [query] = call.given;
  const selects = typeof query === 'object' && query !== null && 'select' in query && server !== null && model !== null;
  const modelled = selects ? pick(plain(model), Object.keys(query.select as object)) : plain(model);
  // Lists without an order of their own.
  if (Array.isArray(server) && Array.isArray(modelled)) return { server: sorted(server.map(plain)), model: sorted(modelled) };
  return { server: plain(server), model: modelled };
}

function pick(row: unknown, names: readonly string[]): unknown {
  if (Array.isArray(row)) return row.map((one) => pick(one, names));
  return Object.fromEntries(Object.entries(row as object).filter(([name]) => names.includes(name)));
}

/** Columns that the model leaves out: the recorded call, and what a trigger or another feature writes. */
const LEFT_OUT = ['call', 'packedCall', 'unusualStatus'];

/** A value with times, numbers and amounts as text. */
function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'string') return /^-?\d+\.\d+$/.test(value) ? canonical(value) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return value;
  if ('toFixed' in value && typeof value.toFixed === 'function') return value.toFixed();
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !LEFT_OUT.includes(name))
      .map(([name, one]) => [name, plain(one)]),
  );
}

function sorted(rows: readonly unknown[]): readonly unknown[] {
  if (rows.length < 2) return rows;
  const keyed = rows.map((row): [string, unknown] => [JSON.stringify(Object.entries(row as object).sort()), row]);
  return keyed.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
}

function inCamelCase(row: object): object {
  const name = (column: string): string => column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [name(column), value]));
}

function describeCall({ table, method, given }: Call): string {
  const said = JSON.stringify(given, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return `${table ?? ''} ${method} ${said.slice(0, 2_000)}`;
}
