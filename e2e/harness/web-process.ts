import { createServer, type Server } from 'node:http';
import { serveNodeRequest } from '@switchyard/api/node';
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { listenForWakes } from '@switchyard/db/process';
import { TEST_CONNECTION } from '@switchyard/db/testing';
import { openPayments, type PaymentsContext } from '@switchyard/payments/context';
import { openWebhookFollower } from '@switchyard/payments/gateway-webhooks';
import { openResources } from '@switchyard/runtime/resources';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import { z } from 'zod';
import { type HttpAnswer, type Mount, outgoing, sendToNode, type TestRequest, webMount } from './mounts.ts';

export interface Reply extends HttpAnswer {
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown;
}

export interface WebProcessOptions {
  readonly requestsPerSecond?: number;
  /** Time one initiate may take over all its attempts. */
  readonly initiateBudgetMs?: number;
  /** Another way to the same database. */
  readonly databaseUrl?: string;
  /** A clock other than the machine's for payments; health then moves only by explicit ticks. */
  readonly clock?: () => Date;
}

/** A `web` process: the handlers on their resources, behind Node's HTTP server and as web handlers. */
export interface WebProcess {
  readonly switchyard: Switchyard;
  /**
   * Sends a request through one of the two mounts. Checks answers under `/v1` against the description served at
   * `/v1/openapi.json`: a field or a status that is not described fails the test at once, and so does an internal error.
   */
  send(mount: Mount, method: string, path: string, request?: TestRequest): Promise<Reply>;
  /** Lines of the log so far. */
  readonly log: readonly string[];
  /** Headers and body of every answer so far. */
  readonly answers: readonly string[];
  close(): Promise<void>;
}

export interface FreeServer {
  readonly server: Server;
  readonly url: string;
}

/** An HTTP server on a free port, which answers nothing yet. */
export async function freeServer(): Promise<FreeServer> {
  // Longer than any suite, so that no idle connection is closed while a request is being sent on it.
  const server = createServer({ keepAliveTimeout: 600_000 });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, url: `http://127.0.0.1:${address.port}` };
}

export function webProcess(
  { server, url }: FreeServer,
  environment: Readonly<Record<string, string>>,
  options: WebProcessOptions,
): WebProcess {
  const log: string[] = [];
  const answers: string[] = [];
  const settings = {
    ...environment,
    SWITCHYARD_REQUESTS_PER_SECOND: String(options.requestsPerSecond ?? 100_000),
    SWITCHYARD_LOOKUPS_PER_SECOND: '10000',
    SWITCHYARD_LOOKUPS_AT_ONCE: '100',
    LOG_LEVEL: 'trace',
    ...(options.databaseUrl !== undefined && { DATABASE_URL: options.databaseUrl }),
  };
  // The product's own limit where the test is about a database that does not answer.
  const connecting = options.databaseUrl === undefined ? TEST_CONNECTION : {};
  const opened = openSwitchyard(settings, { write: (line) => log.push(line) }, connecting);
  const payments = options.clock === undefined ? opened.payments : onClock(opened, options.clock);
  const { initiateBudgetMs = payments.initiateBudgetMs } = options;
  const switchyard = { ...opened, payments: { ...payments, initiateBudgetMs } };
  server.on('request', (request, response) => {
    if (!serveNodeRequest(switchyard, request, response)) response.writeHead(404).end();
  });
  const sendToWeb = webMount(switchyard);
  let described: DescribedAnswers | undefined;

  async function send(mount: Mount, method: string, path: string, request: TestRequest = {}): Promise<Reply> {
    const wire = outgoing(url, method, path, request);
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
    switchyard,
    send,
    log,
    answers,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await switchyard.close();
    },
  };
}

function onClock({ payments, resources }: Switchyard, now: () => Date): PaymentsContext {
  payments.close();
  return openPayments(resources, { now, healthTickMs: null });
}

function parse(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return json;
  } catch {
    return undefined;
  }
}

const SWEEP_INTERVAL_MS = 500;

/** Follows up webhooks as the worker process does, on connections and a configuration of its own. */
export async function startWorker(environment: Readonly<Record<string, string>>): Promise<{ stop(): Promise<void> }> {
  const resources = openResources(environment, () => undefined, TEST_CONNECTION);
  await resources.configuration.refresh();
  const payments = openPayments(resources, { healthTickMs: null });
  const follower = openWebhookFollower(payments, { onEnded: () => undefined, onError: () => undefined });
  const timer = setInterval(() => follower.sweep().catch(() => undefined), SWEEP_INTERVAL_MS);
  const wakes = listenForWakes(resources.database, {
    onWake: ({ name, payload }) => name === 'follow-webhooks' && void follower.wake(payload.merchantId),
    onError: () => undefined,
  });
  return {
    async stop() {
      clearInterval(timer);
      wakes.close();
      await follower.stop();
      payments.close();
      await resources.close();
    },
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Expects what every answer under `/v1` carries, whatever its status, and nothing it must not carry. */
export function expectOurHeaders({ headers }: Reply): void {
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  expect(headers['x-request-id']).toMatch(uuid);
  expect(headers['server-timing']).toMatch(
    /^auth;dur=\d+\.\d{3}, route;dur=\d+\.\d{3}, db;dur=\d+\.\d{3}, gateway;dur=\d+\.\d{3}$/,
  );
  expect(headers['cache-control']).toBe('no-store');
  expect(Object.keys(headers).filter((name) => /^(etag|location|access-control-.*)$/.test(name))).toEqual([]);
}

/** Checks answers against an OpenAPI document. */
interface DescribedAnswers {
  /** Throws, naming the path, when an answer is not as described. */
  check(method: string, path: string, answer: { status: number; json: unknown; text: string }): void;
}

const documentSchema = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) });
const ID = 'openapi';

/** The document read last, as text without addresses of this machine: the suites of a process read the same. */
let last: { readonly text: string; readonly answers: DescribedAnswers } | undefined;

/** Reads a document; answers of paths and methods it does not have must be its failure envelope. */
function describedAnswers(json: unknown): DescribedAnswers {
  const document = documentSchema.parse(json);
  const text = JSON.stringify(document).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
  if (last?.text !== text) last = { text, answers: readDocument(document) };
  return last.answers;
}

function readDocument(document: z.output<typeof documentSchema>): DescribedAnswers {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, ID);
  const validators = new Map<string, ReturnType<typeof ajv.compile>>();

  function validatorAt(pointer: string) {
    const known = validators.get(pointer);
    if (known !== undefined) return known;
    const validator = ajv.compile({ $ref: `${ID}#${pointer}` });
    validators.set(pointer, validator);
    return validator;
  }

  return {
    check(method, path, { status, json: body, text }) {
      const where = `${method} ${path} → ${status}`;
      if (method === 'HEAD') return;
      const template = Object.keys(document.paths).find((known) => matches(known, path.split('?')[0] ?? ''));
      const operation = template === undefined ? undefined : document.paths[template]?.[method.toLowerCase()];
      const pointer =
        template === undefined || operation === undefined
          ? '/components/schemas/Failure'
          : `/paths/${escaped(template)}/${method.toLowerCase()}/responses/${status}/content/application~1json/schema`;
      if (operation !== undefined && !hasResponse(operation, status)) throw new Error(`${where} is not described: ${text}`);
      const validate = validatorAt(pointer);
      if (!validate(body)) throw new Error(`${where} is not as described: ${ajv.errorsText(validate.errors)}\n${text}`);
    },
  };
}

const responsesSchema = z.object({ responses: z.record(z.string(), z.unknown()) });

function hasResponse(operation: unknown, status: number): boolean {
  return String(status) in responsesSchema.parse(operation).responses;
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const given = path.split('/');
  return expected.length === given.length && expected.every((part, at) => part.startsWith('{') || part === given[at]);
}

function escaped(template: string): string {
  return encodeURIComponent(template.replaceAll('~', '~0').replaceAll('/', '~1'));
}
