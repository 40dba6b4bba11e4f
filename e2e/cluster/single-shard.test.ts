import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type TestDatabase, untilHintsGiven } from '@switchyard/db/testing';
import { flushKeyUse } from '@switchyard/merchants/api-keys';
import { followRefunds } from '@switchyard/payments/refunds';
import { settleOverdue } from '@switchyard/payments/sweeping';
import { openDispatcher } from '@switchyard/webhooks/deliveries';
import { createEndpoint } from '@switchyard/webhooks/endpoints';
import { openReceiver, type Receiver } from '@switchyard/webhooks/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { order, readPayment } from '../harness/contract.ts';
import { startDatabaseProxy } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { interruptPayment } from '../life/interrupt-payment.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from '../life/refund-harness.ts';
import { readText, splitMessages } from '../simulate/database/wire.ts';

/** Statements that begin, end or prepare a transaction or a session, and read or write no table. A new connection sends the last kind. */
const NO_PLAN =
  /^\s*((BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET|LISTEN|UNLISTEN|DEALLOCATE|DISCARD|SHOW)\b|SELECT set_config\([^()]*\) (WHERE|FROM) )/i;

/** The number of tasks that the cluster makes of a statement; 0 for one about reference and local tables alone, null for one without a plan. */
async function countTasks({ pool }: TestDatabase, { text, parameters }: SentStatement): Promise<number | null> {
  if (NO_PLAN.test(text)) return null;
  const client = await pool.connect();
  const literal = (value: string | null | undefined): string =>
    value === null || value === undefined ? 'NULL' : client.escapeLiteral(value);
  const statement = text.replaceAll(/\$(\d+)/g, (_, number: string) => literal(parameters[Number(number) - 1]));
  const { rows } = await client
    .query<{ 'QUERY PLAN': string }>(`EXPLAIN (COSTS off) ${statement}`)
    .finally(() => client.release());
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  const counts = [...plan.matchAll(/Task Count: (\d+)/g)].map(([, count]) => Number(count));
  if (counts.length === 0 && /Custom Scan \(Citus/.test(plan)) return Number.POSITIVE_INFINITY;
  return counts.reduce((sum, count) => sum + count, 0);
}

const TWO_PHASE = `
SELECT coalesce(sum(result::int), 0)::int AS count
FROM run_command_on_all_nodes('SELECT count(*) FROM pg_dist_transaction') WHERE success`;

/** How many transactions were prepared on a node so far, by any server: the record of each stays, as the cluster of the tests removes none. */
async function countPreparedTransactions({ pool }: TestDatabase): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(TWO_PHASE);
  return rows[0]?.count ?? 0;
}

/** A statement as it was sent, with its parameters in the order of their numbers. */
interface SentStatement {
  readonly text: string;
  readonly parameters: readonly (string | null)[];
}

/** A way to PostgreSQL that reads along. */
interface RecordingProxy {
  readonly url: string;
  /** The statements that were sent since the last call, over all connections. */
  take(): SentStatement[];
  close(): Promise<void>;
}

/** Opens a proxy in front of a database: a process that connects through it can send it nothing that is not recorded. */
async function openRecordingProxy(databaseUrl: string): Promise<RecordingProxy> {
  const sent: SentStatement[] = [];
  const proxy = await startDatabaseProxy(databaseUrl, () => frontendReader((statement) => sent.push(statement)));
  return { url: proxy.url, take: () => sent.splice(0), close: proxy.shut };
}

/** Reads the bytes that one connection sends: a startup message, then messages that have a type. */
function frontendReader(record: (statement: SentStatement) => void): (bytes: Buffer) => void {
  const prepared = new Map<string, string>();
  let isStarted = false;
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    if (!isStarted) {
      if (rest.length < 4 || rest.length < rest.readUInt32BE(0)) return;
      rest = rest.subarray(rest.readUInt32BE(0));
      isStarted = true;
    }
    const { messages, rest: left } = splitMessages(rest);
    rest = left;
    for (const { type, bytes: message } of messages) {
      if (type === 'Q') record({ text: readText(message, 5).text, parameters: [] });
      if (type === 'P') {
        const name = readText(message, 5);
        prepared.set(name.text, readText(message, name.end).text);
      }
      if (type === 'B') record(readBind(message, prepared));
    }
  };
}

const TEXT_FORMAT = 0;

/** The statement and the parameters of a Bind message. */
function readBind(message: Buffer, prepared: ReadonlyMap<string, string>): SentStatement {
  const name = readText(message, readText(message, 5).end);
  let at = name.end;
  const readInt16 = (): number => {
    at += 2;
    return message.readInt16BE(at - 2);
  };
  const formats = Array.from({ length: readInt16() }, readInt16);
  const parameters = Array.from({ length: readInt16() }, (_, index): string | null => {
    const length = message.readInt32BE(at);
    at += 4;
    if (length === -1) return null;
    const value = message.subarray(at, at + length);
    at += length;
    const format = formats.length === 1 ? formats[0] : formats[index];
    return (format ?? TEXT_FORMAT) === TEXT_FORMAT ? value.toString('utf8') : `\\x${value.toString('hex')}`;
  });
  const text = prepared.get(name.text);
  if (text === undefined) throw new Error(`a statement is bound that was never parsed: ${name.text}`);
  return { text, parameters };
}

/** Statements of several tasks, each with the reason. */
const SEVERAL_TASKS: readonly { readonly text: RegExp; readonly reason: string }[] = [
  {
    text: /FROM \(SELECT merchant_id FROM (payment_check|refund|gateway_webhook) WHERE/,
    reason: 'a claim: finds the merchants with due rows, which are then claimed merchant by merchant',
  },
  {
    text: /FROM webhook_endpoint AS e\s+CROSS JOIN LATERAL/,
    reason: 'a claim: finds the endpoints with due deliveries',
  },
  { text: /INSERT INTO api_key_use AS counts/, reason: 'a roll-up: counts the requests of all keys, every ten seconds' },
  { text: /INSERT INTO api_request\s/, reason: 'a log: writes the requests of all keys, every second' },
];

/** Tables and functions on the coordinator alone. */
const LOCAL = /graphile_worker|process_heartbeat|rows_share_a_node/;

/** The figures of the last run, as rows of a table. */
const FIGURES = join(import.meta.dirname, '..', '..', '.local', 'test-results', 'tasks-by-use-case.md');

let proxy: RecordingProxy;
let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
let receiver: Receiver;
const figures: string[] = [];

beforeAll(async () => {
  harness = await startHarness({
    worker: false,
    // Health is shared once a second for all merchants, beside whatever else happens; here it is not.
    clock: () => new Date(),
    async through(url) {
      proxy = await openRecordingProxy(url);
      return proxy.url;
    },
  });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
  receiver = await openReceiver();
  const { merchantId } = merchant;
  const endpoint = { merchantId, mode: 'test', url: receiver.url, description: '', types: [], actor: 'system:test' } as const;
  await createEndpoint(harness.switchyard, endpoint);
  // Everything that a process asks once has been asked.
  await refundHarness.pay(merchant, 'paystack');
});
afterAll(async () => {
  await receiver?.close();
  await harness?.close();
  await proxy?.close();
  mkdirSync(dirname(FIGURES), { recursive: true });
  writeFileSync(FIGURES, `${figures.join('\n')}\n`);
});

/** Runs a use case, and expects each statement that was sent meanwhile to be planned for one node. */
async function expectSingleShard<Result>(
  useCase: string,
  run: () => Promise<Result>,
): Promise<{ result: Result; prepared: number }> {
  // Counts of requests are written beside, ten seconds after the first.
  await flushKeyUse(harness.switchyard);
  proxy.take();
  const before = await countPreparedTransactions(harness.database);
  const result = await run();
  const sent = proxy.take();
  const prepared = (await countPreparedTransactions(harness.database)) - before;
  const counted = await Promise.all(sent.map(async (one) => ({ ...one, tasks: await countTasks(harness.database, one) })));
  const planned = counted.filter(({ tasks }) => tasks !== null);
  const claims = planned.filter(({ text }) => SEVERAL_TASKS.some((known) => known.text.test(text)));
  const others = planned.filter((one) => !claims.includes(one));
  const single = others.filter(({ tasks }) => tasks === 1);
  const local = others.filter(({ tasks, text }) => tasks === 0 && LOCAL.test(text));
  const beyond = others.filter((one) => !single.includes(one) && !local.includes(one));
  expect(beyond.map(({ text, tasks }) => `${tasks} tasks: ${text}`)).toEqual([]);
  expect(single).not.toEqual([]);
  figures.push(`| ${useCase} | ${single.length} | ${local.length} | ${claims.length} | ${prepared} |`);
  return { result, prepared };
}

const initiate = () => harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body: order() });
const report = (error: unknown) => {
  throw error;
};

/** Makes what was requested or opened due, so that nothing but the product writes while its statements are counted. */
const makeDue = (table: 'payment_check' | 'refund') =>
  harness.database.pool.query(`UPDATE ${table} SET next_check_at = now() - interval '1 second' WHERE next_check_at IS NOT NULL`);

test('a plan over all merchants, and a transaction over several nodes, are seen as such', async () => {
  const text = "UPDATE payment SET metadata = '{}' WHERE merchant_id <> $1";
  expect(await countTasks(harness.database, { text, parameters: [merchant.merchantId] })).toBeGreaterThan(1);
  const before = await countPreparedTransactions(harness.database);
  await harness.database.pool.query("UPDATE payment SET metadata = '{}'");
  expect(await countPreparedTransactions(harness.database)).toBeGreaterThan(before);
});

test('an initiate is single-shard and prepares no transaction, whether it opens, falls back, fails or is resumed', async () => {
  const opened = await expectSingleShard('initiate, opened', initiate);
  await harness.gateways.setFault('paystack', 'down');
  const fellBack = await expectSingleShard('initiate, opened at the second gateway', initiate);
  await harness.gateways.setFault('flutterwave', 'down');
  const failed = await expectSingleShard('initiate, failed', initiate);
  await harness.gateways.heal();
  const { paymentId } = await refundHarness.initiate(merchant, 'paystack');
  await interruptPayment(harness.database, paymentId, new Date(Date.now() - 1_000));
  const resumed = await expectSingleShard('initiate, resumed by a worker', () =>
    settleOverdue(harness.switchyard.payments, report),
  );
  const statuses = [opened, fellBack, failed].map(({ result }) => readPayment(result).status);
  expect(statuses).toEqual(['PENDING', 'PENDING', 'FAILED']);
  expect((await refundHarness.payment(paymentId)).status).toBe('PENDING');
  expect([opened, fellBack, failed, resumed].map(({ prepared }) => prepared)).toEqual([0, 0, 0, 0]);
});

test('verify, a webhook, the sweep, a refund and a delivery are single-shard', async () => {
  const settleAtGateway = async ({ reference }: PaidPayment) => {
    await harness.gateways.settle('paystack', reference, 'success');
    await eventually('the webhook to be stored', () =>
      harness.database.prisma.gatewayWebhook.findFirst({ where: { reference } }),
    );
  };
  const verified = await refundHarness.initiate(merchant, 'paystack');
  await settleAtGateway(verified);
  await expectSingleShard('verify', () =>
    harness.send('node', 'POST', `/v1/payments/${verified.paymentId}/verify`, { key: merchant.testKey }),
  );
  await refundHarness.runJobs();
  const paid = await refundHarness.initiate(merchant, 'paystack');
  await expectSingleShard('gateway webhook, received', async () => {
    await settleAtGateway(paid);
    await untilHintsGiven(harness.switchyard.payments.resources.database);
  });
  await expectSingleShard('gateway webhook, followed up', () => refundHarness.runJobs());
  expect((await refundHarness.payment(paid.paymentId)).status).toBe('SUCCESS');
  await refundHarness.initiate(merchant, 'paystack');
  await makeDue('payment_check');
  await expectSingleShard('sweep of an open payment', () => settleOverdue(harness.switchyard.payments, report));
  await expectSingleShard('refund, requested', async () => {
    await refundHarness.request(merchant, paid.paymentId);
    await eventually('its job', async () => ((await queued()) > 0 ? true : null));
  });
  await expectSingleShard('refund, sent', () => refundHarness.runJobs());
  await refundHarness.end(paid, 'processed');
  await makeDue('refund');
  await expectSingleShard('refund, ended', () => followRefunds(harness.switchyard.payments, report));
  expect((await refundHarness.payment(paid.paymentId)).status).toBe('REFUNDED');
  const dispatcher = openDispatcher(harness.switchyard, { onError: report });
  const deliverAll = async () => {
    await dispatcher.sweep();
    const pending = () => harness.database.prisma.webhookDelivery.count({ where: { state: 'PENDING' } });
    await eventually('all events to be delivered', async () => ((await pending()) === 0 ? true : null));
  };
  await deliverAll();
  await refundHarness.pay(merchant, 'paystack');
  await expectSingleShard('delivery of one event', async () => {
    await deliverAll();
    await dispatcher.stop();
  });
  expect(receiver.received.length).toBeGreaterThan(0);
});

async function queued(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM graphile_worker.jobs',
  );
  return rows[0]?.count ?? 0;
}
