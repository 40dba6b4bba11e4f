import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { runOperation } from '../certification/operations.ts';
import type { Certification, Recording } from '../certification/report.ts';
import { describeOutcome } from '../certification/run.ts';
import { maskText, readable } from '../certification/wire-recorder.ts';
import type { AccountAccess } from '../gateway.ts';
import { createRedactor } from '../redact.ts';
import { findGateway } from '../registry.ts';
import { delivered, wireReply } from './script.ts';
import { type StubServer, startStubServer } from './stub-server.ts';

const TIMEOUT_MS = 10_000;

/** A call without its credentials, which differ. */
interface ReplayedCall {
  /** `POST /transaction/initialize` */
  readonly call: string;
  readonly query: string | null;
  readonly request: unknown;
}

/** Outcome that a connector reads from a recording, in a form that can be compared. */
interface Replayed {
  readonly calls: readonly ReplayedCall[];
  readonly outcome: Recording['outcome'];
  readonly code: string | null;
  readonly value: unknown;
}

/** A recording beside what the connector made of the same answers. */
export interface ReplayedRecording {
  /** `verify_unpaid: verify` */
  readonly name: string;
  readonly recorded: Replayed;
  readonly replayed: Replayed;
}

/**
 * Runs each recorded operation again, against a server that gives the recorded answers, with the credentials of the documented examples:
 * those of the recording are in no report.
 */
export async function replayRecordings({ gateway: name, recordings }: Certification): Promise<readonly ReplayedRecording[]> {
  const gateway = findGateway(name);
  if (gateway === null) throw new Error(`there is no gateway ${name}`);
  const { credentials, token, examples } = readDocumented(name);
  const redactor = createRedactor(Object.values(credentials));
  const issued = examples.find((example) => example.name === token?.example);
  let current: Recording | undefined;
  const server = await startStubServer((call) => {
    if (token === undefined || issued === undefined || call.path.split('?')[0]?.endsWith(token.path) !== true) return null;
    const refused = current?.exchanges.find(({ login, status }) => login && status !== null && status >= 400);
    return wireReply({ status: refused?.status ?? issued.status, json: refused === undefined ? issued.body : refused.answer });
  });
  try {
    const replayed: ReplayedRecording[] = [];
    for (const [at, recording] of recordings.entries()) {
      current = recording;
      // A base address of its own, so that no token of another recording is used.
      const account: AccountAccess = { accountId: `recording-${at}`, mode: 'test', credentials, baseUrl: `${server.url}/r${at}` };
      const outcome = await replayOne(server, recording, () =>
        runOperation(gateway, account, recording.operation, recording.input, { timeoutMs: TIMEOUT_MS }),
      );
      const { failure, ...rest } = describeOutcome(outcome, createRedactor([]));
      const calls = server.calls.map(({ method, path, body }) => ({
        method,
        path: maskText(redactor.text(path.slice(`/r${at}`.length))),
        request: body === '' ? null : readable(body, redactor),
      }));
      replayed.push({
        name: `${recording.check}: ${recording.operation}`,
        recorded: recordedAs(recording, calls),
        replayed: { calls: calls.map(describeCall), code: failure?.code ?? null, ...rest },
      });
    }
    return replayed;
  } finally {
    await server.close();
  }
}

async function replayOne<T>(server: StubServer, { exchanges }: Recording, run: () => Promise<T>): Promise<T> {
  const answers = exchanges.filter(({ login }) => !login);
  server.script((_call, count) => {
    const exchange = answers[count - 1];
    if (exchange === undefined) return { kind: 'answer', status: 418, body: 'a call that was not recorded' };
    if (exchange.status === null) return { kind: 'reset' };
    const { answer, status } = exchange;
    return { kind: 'answer', status, body: typeof answer === 'string' ? answer : JSON.stringify(answer) };
  });
  return run();
}

/** Paths as far as they do not depend on the base address: that of the recording may have had a path of its own. */
function recordedAs({ exchanges, outcome, failure, value }: Recording, calls: readonly SentCall[]): Replayed {
  const recorded = exchanges.filter(({ login }) => !login);
  return {
    calls: recorded.map(({ method, path, request }, at) => {
      const own = calls[at]?.path ?? '';
      return describeCall({ method, path: own !== '' && path.endsWith(own) ? own : path, request });
    }),
    outcome,
    code: failure?.code ?? null,
    value,
  };
}

type SentCall = Pick<Recording['exchanges'][number], 'method' | 'path' | 'request'>;

function describeCall({ method, path, request }: SentCall): ReplayedCall {
  const [name = '', query = null] = path.split('?');
  return { call: `${method} ${name}`, query, request };
}

/** Readings of the recorded webhooks, as recorded and as the connector reads the same bodies, signed anew by the documented rule. */
export function replayWebhooks({ gateway: name, webhooks }: Certification) {
  const gateway = findGateway(name);
  if (gateway === null) throw new Error(`there is no gateway ${name}`);
  const collection = readDocumented(name);
  const { credentials, signature } = collection;
  const account: AccountAccess = { accountId: 'recorded-webhooks', mode: 'test', credentials, baseUrl: null };
  return webhooks
    .filter(({ reading }) => reading.kind !== 'refused')
    .map(({ body, reading }) => {
      const signed = signDocumented(collection, credentials[signature.key] ?? '', body);
      const read = gateway.readWebhook(account, delivered(body, headersWith(collection, signed)));
      return { recorded: withoutDigest(reading), replayed: withoutDigest(JSON.parse(maskText(JSON.stringify(read)))) };
    });
}

/** Some keys of webhooks are digests of their bodies, which were redacted. */
function withoutDigest({ dedupeKey: _key, ...reading }: Readonly<Record<string, unknown>>) {
  return reading;
}

/**
 * Examples of the gateways' own documentation, one file for each gateway in `packages/gateways/documented`. Names of fields, types, nulls,
 * words for states, codes and messages are as the source prints them; ids, people, references and times are replaced. `expected` is
 * written from the source's text, never from what a connector answers.
 */

/** One answer under an HTTP status. */
const answerSchema = z.strictObject({ status: z.number().int(), body: z.unknown() });

const exampleSchema = z.strictObject({
  /** Says what the source shows: `verify: a transaction that was reversed`. */
  name: z.string(),
  kind: z.enum(['request', 'answer', 'webhook']),
  /** Subject of the example. */
  topic: z.enum([
    'open',
    'success',
    'failed',
    'pending',
    'reversed',
    'refund',
    'dispute',
    'settlement',
    'list',
    'error',
    'token',
    'other',
  ]),
  /** Address and section. */
  source: z.string().regex(/^https:\/\//),
  /** Day of the copy that was read. */
  date: z.iso.date(),
  /** Meaning, by the source. */
  means: z.string(),
  /** Examples of the same shape have the same name here, for schemas made from them; absent where no schema is made. */
  shape: z.string().optional(),
  /** Flows of a simulator that it shows, for the checks of simulators: `failed`, `refund done`, `wrong key`. */
  flows: z.array(z.string()).optional(),
  /** True for a shape made from a list of fields, where the source prints no whole body. */
  partial: z.literal(true).optional(),
  status: z.number().int().default(200),
  body: z.unknown(),
  /** Contradiction within the documentation, or with another page, and how it was settled. */
  contradiction: z.string().optional(),
  /** The connector's function that the example goes through. Absent where no function reads it. */
  operation: z.string().optional(),
  input: z.record(z.string(), z.unknown()).default({}),
  /** Answers to the calls before the one that the example answers. */
  before: z.array(answerSchema).default([]),
  /** Answers to the calls after it. */
  after: z.array(answerSchema).default([]),
  /** Part of the outcome, of the reading of a webhook, or of the call that is sent. */
  expected: z.record(z.string(), z.unknown()).default({}),
  /** Webhooks: the header's value by the documented rule, over the body as `JSON.stringify` writes it. */
  signature: z.string().optional(),
  /** Requests: JSON types by field, and which are required. */
  fields: z.record(z.string(), z.string()).optional(),
  required: z.array(z.string()).optional(),
});

const collectionSchema = z.strictObject({
  gateway: z.string(),
  /** The documented rule. `key` names the credential. */
  signature: z.strictObject({
    source: z.string(),
    header: z.string(),
    algorithm: z.enum(['sha256', 'sha512', 'none']),
    encoding: z.enum(['hex', 'HEX', 'base64', 'text']),
    over: z.enum(['body', 'data', 'nothing', 'fields']),
    /** Paths of the signed fields, in their order, where it is over fields: joined by colons, absent ones empty, then the headers' values. */
    fields: z.array(z.string()).default([]),
    /** Headers that come with the signature, and that it covers where it is over fields. */
    headers: z.record(z.string(), z.string()).default({}),
    key: z.string(),
  }),
  /** A secret, a body and its signature, exactly as a document prints them together. */
  printedSignature: z
    .strictObject({
      source: z.string(),
      date: z.iso.date(),
      secret: z.string(),
      body: z.string(),
      signature: z.string(),
      contradiction: z.string().optional(),
    })
    .optional(),
  credentials: z.record(z.string(), z.string()),
  /** The call that gets a token, where calls carry one: its path's end, and the example that answers it. */
  token: z.strictObject({ path: z.string(), example: z.string() }).optional(),
  /** Words for states as published: each list with its source. */
  states: z.record(z.string(), z.strictObject({ source: z.string(), words: z.array(z.string()) })),
  /** Kinds of answers that the documentation has no example of, each with the reason. */
  gaps: z.record(z.string(), z.string()),
  examples: z.array(exampleSchema),
});

export type DocumentedExample = z.output<typeof exampleSchema>;

/** The documented examples of a gateway. */
export type DocumentedCollection = z.output<typeof collectionSchema>;

const folder = new URL('../../documented/', import.meta.url);

/** Names of the gateways that have examples. */
export function documentedGateways(): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .sort();
}

/** The examples of a gateway. Throws where a file is malformed. */
export function readDocumented(gateway: string): DocumentedCollection {
  return collectionSchema.parse(JSON.parse(readFileSync(new URL(`${gateway}.json`, folder), 'utf8')));
}

/** The signature of a webhook by the documented rule, with a merchant's key. */
export function signDocumented({ signature: rule }: DocumentedCollection, key: string, body: string): string {
  if (rule.algorithm === 'none') return key;
  const hmac = createHmac(rule.algorithm, key).update(signedTextOf(rule, body));
  const text = hmac.digest(rule.encoding === 'base64' ? 'base64' : 'hex');
  return rule.encoding === 'HEX' ? text.toUpperCase() : text;
}

type SignatureRule = DocumentedCollection['signature'];

function signedTextOf({ over, fields, headers }: SignatureRule, body: string): string {
  const parsed: unknown = JSON.parse(body);
  switch (over) {
    case 'data':
      return JSON.stringify(memberOf(parsed, 'data')) ?? '';
    case 'fields':
      return [...fields.map((path) => fieldAt(parsed, path)), ...Object.values(headers)].join(':');
    case 'body':
    case 'nothing':
      return body;
    default:
      return over satisfies never;
  }
}

function fieldAt(json: unknown, path: string): string {
  const value = path.split('.').reduce(memberOf, json);
  return value === undefined || value === null ? '' : String(value);
}

function memberOf(json: unknown, name: string): unknown {
  return typeof json === 'object' && json !== null ? Reflect.get(json, name) : undefined;
}

/** The headers of a webhook with this signature. */
export function headersWith(
  { signature: { header, headers } }: DocumentedCollection,
  signature: string,
): Readonly<Record<string, string>> {
  return { ...headers, [header]: signature };
}
