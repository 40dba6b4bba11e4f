import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { Bench, BenchTarget } from './environment.ts';
import type { LoadPlan } from './load/plan.ts';
import type { Operation } from './options.ts';
import type { Done } from './round.ts';
import { countDelivered, type Schema, seedDeliveries, seedPayments } from './seed-payments.ts';

/** How an operation is done, again and again, for so many seconds or until everything prepared for it is used up. */
export interface Work {
  /** Makes what is needed beforehand; is not measured. */
  prepare(seconds: number): Promise<void>;
  act(seconds: number): Promise<Done>;
  /** Throws when the database does not hold what was acknowledged. Is not measured, and leaves nothing to do for later rounds. */
  check(done: Pick<Done, 'operations'>): Promise<void>;
}

/** An operation to be measured from its start had started before. */
export class StartedEarlyError extends Error {}

/** Most of these operations that either side is expected to do in a second: so many are prepared. */
const PREPARED_PER_SECOND = 600;
/**
 * Background work is done at its own pace: there is so much of it for each second that is asked for. Enough that what the processes use
 * without any, in the time that a round takes, is a small part of it.
 */
const BACKGROUND_PER_SECOND = 500;
const READ_MAX = 10_000;
/** Between the preparation of background work and the moment it is due. */
const DUE_AFTER_MS = 4_000;
const BACKGROUND_LIMIT_MS = 120_000;
const CALLS_CHECK_MS = 50;

/** The work of an operation for one side. */
export function workOf(bench: Bench, target: BenchTarget, operation: Operation, pace: LoadPlan['pace']): Work {
  switch (operation) {
    case 'initiate':
      return initiating(bench, target, pace);
    case 'get':
      return getting(bench, target, pace);
    case 'verify':
      return verifying(bench, target, pace);
    case 'webhook':
      return receivingWebhooks(bench, target, pace);
    case 'delivery':
      return delivering(bench, target);
    case 'check':
      return checking(bench, target);
    default:
      return operation satisfies never;
  }
}

function initiating(bench: Bench, target: BenchTarget, pace: LoadPlan['pace']): Work {
  const orderPrefix = newLabel('order');
  return {
    prepare: async () => undefined,
    act: (seconds) => load(bench, target, { operation: 'initiate', pace, seconds, orderPrefix }),
    async check({ operations }) {
      expectRows(operations, await countPayments(bench, target, orderPrefix, 'PENDING'), 'open payments');
      await endChecks(bench, target);
    },
  };
}

function getting(bench: Bench, target: BenchTarget, pace: LoadPlan['pace']): Work {
  let paymentIds: string[] = [];
  return {
    async prepare() {
      paymentIds = await sampleOpenedPayments(bench.pool, target.schema, bench.merchant.merchantId);
    },
    act: (seconds) => load(bench, target, { operation: 'get', pace, seconds, paymentIds }),
    check: async () => undefined,
  };
}

function verifying(bench: Bench, target: BenchTarget, pace: LoadPlan['pace']): Work {
  let open: OpenPayments;
  return {
    async prepare(seconds) {
      open = await makeOpenPayments(bench, target, seconds * PREPARED_PER_SECOND, null);
      await bench.gateway({ paid: true });
    },
    act: (seconds) => load(bench, target, { operation: 'verify', pace, seconds, paymentIds: open.paymentIds }),
    async check({ operations }) {
      expectRows(operations, await countPayments(bench, target, open.label, 'SUCCESS'), 'paid payments');
    },
  };
}

function receivingWebhooks(bench: Bench, target: BenchTarget, pace: LoadPlan['pace']): Work {
  const { merchantId, accounts, gatewayKeys } = bench.merchant;
  const path = `/webhooks/paystack/${accounts.paystack}`;
  const { secretKey: secret = '' } = gatewayKeys.paystack;
  let open: OpenPayments;
  return {
    async prepare(seconds) {
      open = await makeOpenPayments(bench, target, seconds * PREPARED_PER_SECOND, null);
      await bench.gateway({ paid: true });
    },
    act(seconds) {
      const webhooks = { path, secret, references: open.references };
      return load(bench, target, { operation: 'webhook', pace, seconds, webhooks });
    },
    async check({ operations }) {
      const { rows } = await bench.pool.query<{ count: number }>(
        `SELECT count(*)::int AS count FROM ${target.schema}.gateway_webhook WHERE merchant_id = $1 AND reference = ANY ($2)`,
        [merchantId, open.references],
      );
      expectRows(operations, rows[0]?.count ?? 0, 'webhooks');
    },
  };
}

function delivering(bench: Bench, target: BenchTarget): Work {
  const { merchantId, endpoint } = bench.merchant;
  const { schema } = target;
  let made: Parameters<typeof seedDeliveries>[1];
  return {
    async prepare(seconds) {
      const dueAt = new Date(Date.now() + DUE_AFTER_MS);
      const count = Math.round(seconds * BACKGROUND_PER_SECOND);
      made = { schema, merchantId, endpointId: endpoint.id, label: newLabel('delivery'), count, dueAt };
      await seedDeliveries(bench.pool, made);
      await bench.gateway({ reset: true });
    },
    act: () => inBackground(bench, target, { kind: 'events', path: 'deliver-events', ...made }),
    check: async () => expectRows(made.count, await countDelivered(bench.pool, made), 'delivered events'),
  };
}

function checking(bench: Bench, target: BenchTarget): Work {
  let due: { readonly count: number; readonly dueAt: Date };
  let open: OpenPayments;
  return {
    async prepare(seconds) {
      due = { count: Math.round(seconds * BACKGROUND_PER_SECOND), dueAt: new Date(Date.now() + DUE_AFTER_MS) };
      open = await makeOpenPayments(bench, target, due.count, due.dueAt);
      await bench.gateway({ paid: false, reset: true });
    },
    act: () => inBackground(bench, target, { kind: 'verified', path: 'check-overdue', ...due }),
    async check() {
      expectRows(due.count, await countScheduled(bench, target, open.label), 'scheduled payments');
      await endChecks(bench, target);
    },
  };
}

/** Payments of this round are not asked about during a later one. */
async function endChecks({ pool }: Bench, { schema }: BenchTarget): Promise<void> {
  await pool.query(schema === 'floor' ? 'UPDATE floor.payment SET next_check_at = NULL' : 'DELETE FROM payment_check');
}

async function load(
  bench: Bench,
  { origins }: BenchTarget,
  plan: Partial<LoadPlan> & Pick<LoadPlan, 'operation' | 'pace' | 'seconds'>,
): Promise<Done> {
  const { answered, seconds, latency, bytes } = await bench.load({ ...plan, origins: [...origins] });
  return { operations: answered, seconds, latency, answerBytes: bytes };
}

interface Background {
  /** The gateway's calls by which its progress is counted. */
  readonly kind: 'events' | 'verified';
  /** The floor's path that begins the work. */
  readonly path: string;
  readonly count: number;
  readonly dueAt: Date;
}

/** Work that no request begins, from the moment it is due; the floor begins by a request. */
async function inBackground(bench: Bench, target: BenchTarget, { kind, path, count, dueAt }: Background): Promise<Done> {
  if (Date.now() > dueAt.getTime()) throw new StartedEarlyError();
  await pause(dueAt.getTime() - Date.now());
  if (target.name === 'floor') {
    const headers = { authorization: `Bearer ${bench.merchant.testKey}` };
    const answer = await fetch(`${target.origins[0]}/v1/payments/${path}`, { method: 'POST', headers });
    if (answer.status !== 200) throw new Error(`the floor answered ${answer.status}`);
  }
  const deadline = performance.now() + BACKGROUND_LIMIT_MS;
  let calls = await bench.gateway({});
  while (calls[kind] < count) {
    if (performance.now() > deadline) throw new Error(`the gateway had ${calls[kind]} of ${count} calls (${kind})`);
    await pause(CALLS_CHECK_MS);
    calls = await bench.gateway({});
  }
  return { operations: count, seconds: (calls.lastAt - calls.firstAt) / 1_000, latency: null, answerBytes: null };
}

interface OpenPayments {
  readonly label: string;
  readonly paymentIds: string[];
  readonly references: string[];
}

async function makeOpenPayments(
  { pool, merchant, templateId }: Bench,
  { schema }: BenchTarget,
  wanted: number,
  dueAt: Date | null,
): Promise<OpenPayments> {
  const { merchantId } = merchant;
  const label = newLabel('open');
  const count = Math.round(wanted);
  await seedPayments(pool, { schema, merchantId, templateId, label, count, ageSeconds: [60, 1], status: 'PENDING', dueAt });
  const { rows } = await pool.query<{ id: string; reference: string }>(
    `SELECT id, gateway_reference AS reference FROM ${schema}.payment WHERE merchant_id = $1 AND mode = 'test'
    AND merchant_order_id LIKE $2`,
    [merchantId, `${label}-%`],
  );
  return { label, paymentIds: rows.map(({ id }) => id), references: rows.map(({ reference }) => reference) };
}

async function countPayments(
  { pool, merchantIds }: Bench,
  { schema }: BenchTarget,
  label: string,
  status: 'PENDING' | 'SUCCESS',
): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${schema}.payment WHERE merchant_id = ANY ($1) AND mode = 'test' AND merchant_order_id LIKE $2
    AND status::text = $3`,
    [merchantIds, `${label}-%`, status],
  );
  return rows[0]?.count ?? 0;
}

async function countScheduled({ pool, merchant }: Bench, { schema }: BenchTarget, label: string): Promise<number> {
  const checked =
    'public.payment JOIN (SELECT merchant_id, payment_id AS id, next_check_at FROM payment_check) AS c USING (merchant_id, id)';
  const checks = schema === 'floor' ? 'floor.payment' : checked;
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${checks} WHERE merchant_id = $1 AND mode = 'test' AND merchant_order_id LIKE $2
    AND next_check_at > now() + interval '10 seconds'`,
    [merchant.merchantId, `${label}-%`],
  );
  return rows[0]?.count ?? 0;
}

/** Ids of payments that were opened at a gateway, from all over the table. Throws where there is none. */
export async function sampleOpenedPayments(pool: pg.Pool, schema: Schema, merchantId: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM ${schema}.payment TABLESAMPLE SYSTEM (least(100, 100.0 * $2 * 4 / greatest($3::float8, 1)))
    WHERE merchant_id = $1 AND current_attempt_id IS NOT NULL ORDER BY md5(id::text) LIMIT $2`,
    [merchantId, READ_MAX, await estimatePayments(pool, schema)],
  );
  if (rows.length === 0) throw new Error(`no payment in ${schema} was opened`);
  return rows.map(({ id }) => id);
}

async function estimatePayments(pool: pg.Pool, schema: Schema): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(`SELECT pg_relation_size($1::regclass)::float8 AS bytes`, [
    `${schema}.payment`,
  ]);
  return (rows[0]?.bytes ?? 0) / ROW_BYTES;
}

/** Approximate size of a payment in its table: from it follows how large a sample holds ten thousand. */
const ROW_BYTES = 1_500;

function expectRows(acknowledged: number, found: number, what: string): void {
  if (acknowledged !== found) throw new Error(`${acknowledged} were acknowledged, and there are ${found} ${what}`);
}

let labels = 0;

/** Text that no other round has. */
function newLabel(what: string): string {
  labels += 1;
  return `${what}-${Date.now().toString(36)}-${labels}`;
}
