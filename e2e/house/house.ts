import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { serveNodeRequest } from '@switchyard/api/rest';
import { migrateJobs } from '@switchyard/db';
import { createTestDatabase, type TestDatabase } from '@switchyard/db/testing';
import { followUpWebhook, openPayments, openResources } from '@switchyard/payments';
import { Logger, run } from 'graphile-worker';
import { z } from 'zod';
import { type DescribedAnswers, describedAnswers } from './described-answers.ts';
import { type Gateways, startGateways } from './gateways.ts';
import { type HouseMerchant, type MerchantWishes, takeInMerchant } from './merchants.ts';
import { type HouseRequest, type Mount, outgoing, sendToNode, type Wire, webMount } from './mounts.ts';

export interface Reply extends Wire {
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

/** The whole product in one process, on a database of its own, with both gateways' stand-ins on the other side of the wire. */
export interface House {
  /** Address of the Node server, which is also what gateways and customers are told. */
  readonly publicUrl: string;
  readonly switchyard: Switchyard;
  readonly database: TestDatabase;
  readonly gateways: Gateways;
  /** Tries Paystack first. */
  readonly first: HouseMerchant;
  /** Tries Flutterwave first. */
  readonly second: HouseMerchant;
  merchant(wishes?: MerchantWishes): Promise<HouseMerchant>;
  /**
   * Sends a request through one of the two mounts. Answers under `/v1` are held against the description served at
   * `/v1/openapi.json` before they are given back: a field or a status that is not described fails the test at once.
   */
  send(mount: Mount, method: string, path: string, request?: HouseRequest): Promise<Reply>;
  /** Every secret the house knows: API keys, gateways' keys and hashes, its own encryption keys. */
  readonly secrets: readonly string[];
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** Bodies and headers of every answer so far. */
  readonly answers: readonly string[];
  close(): Promise<void>;
}

export interface HouseWishes {
  readonly requestsPerSecond?: number;
  /** Time one initiate may take over all its attempts. */
  readonly initiateBudgetMs?: number;
  /** False leaves webhooks stored and not followed up. */
  readonly worker?: boolean;
}

export async function startHouse(wishes: HouseWishes = {}): Promise<House> {
  const database = await createTestDatabase();
  await migrateJobs(database);
  const { server, publicUrl } = await listen();
  const environment = environmentOf(database.url, publicUrl, wishes);
  const secrets = [environment.SWITCHYARD_KEY_PEPPER, environment.SWITCHYARD_ENCRYPTION_KEYS.slice('k1:'.length)];
  const [log, answers]: [string[], string[]] = [[], []];
  const opened = openSwitchyard(environment, { write: (line) => log.push(line) });
  const { initiateBudgetMs = opened.payments.initiateBudgetMs } = wishes;
  const switchyard = { ...opened, payments: { ...opened.payments, initiateBudgetMs } };
  server.on('request', (request, response) => {
    if (!serveNodeRequest(switchyard, request, response)) response.writeHead(404).end();
  });
  const gateways = await startGateways();
  const worker = wishes.worker === false ? null : await startWorker(environment);
  const merchant = (asked: MerchantWishes = {}) => takeInMerchant(switchyard, gateways, secrets, asked);
  const first = await merchant();
  const second = await merchant({ order: ['flutterwave', 'paystack'] });
  const sendToWeb = webMount(switchyard);
  let described: DescribedAnswers | undefined;

  async function send(mount: Mount, method: string, path: string, request: HouseRequest = {}): Promise<Reply> {
    const wire = outgoing(publicUrl, method, path, request);
    const answer = mount === 'node' ? await sendToNode(wire) : await sendToWeb(wire);
    const reply = { ...answer, json: parse(answer.text) };
    answers.push(`${JSON.stringify(answer.headers)}\n${answer.text}`);
    if (answer.status === 500) throw new Error(`${method} ${path} → 500: ${log.at(-1)}`);
    if (path.startsWith('/v1/') && path !== '/v1/openapi.json') {
      described ??= describedAnswers((await send(mount, 'GET', '/v1/openapi.json')).json);
      described.check(method, path, reply);
    }
    return reply;
  }

  return {
    publicUrl,
    switchyard,
    database,
    gateways,
    first,
    second,
    merchant,
    send,
    secrets,
    log,
    answers,
    async close() {
      await gateways.close();
      await worker?.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await switchyard.resources.close();
      await database.close();
    },
  };
}

async function listen(): Promise<{ server: Server; publicUrl: string }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, publicUrl: `http://127.0.0.1:${address.port}` };
}

function environmentOf(databaseUrl: string, publicUrl: string, { requestsPerSecond }: HouseWishes) {
  return {
    DATABASE_URL: databaseUrl,
    SWITCHYARD_PUBLIC_URL: publicUrl,
    SWITCHYARD_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    SWITCHYARD_KEY_PEPPER: randomBytes(32).toString('base64'),
    SWITCHYARD_REQUESTS_PER_SECOND: String(requestsPerSecond ?? 100_000),
    LOG_LEVEL: 'trace',
  };
}

const jobSchema = z.object({ merchantId: z.uuid(), attemptId: z.uuid(), webhookId: z.uuid() });

/** What the worker does with webhooks, on connections and a picture of the configuration of its own. */
async function startWorker(environment: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }> {
  const resources = openResources(environment, () => undefined);
  await resources.configuration.refresh();
  const payments = openPayments(resources);
  const runner = await run({
    pgPool: resources.database.pool,
    concurrency: 4,
    pollInterval: 200,
    noHandleSignals: true,
    logger: new Logger(() => () => undefined),
    taskList: {
      'check-attempt': async (payload) => {
        await resources.configuration.refresh();
        await followUpWebhook(payments, jobSchema.parse(payload));
      },
    },
  });
  return {
    async stop() {
      await runner.stop();
      await resources.close();
    },
  };
}

function parse(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}
