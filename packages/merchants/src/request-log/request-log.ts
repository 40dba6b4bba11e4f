import { type Database, firstIdAt, newId } from '@switchyard/db';
import type { ApiRequest, Mode } from '@switchyard/db/client';
import { createRedactor, type Redactor, redactBody, redactedMark } from '@switchyard/gateways/redaction';

/** A request with an API key, once it is answered or its client has left. */
export interface FinishedRequest {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly keyId: string;
  readonly requestId: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  /** Null where the client left before the answer. */
  readonly status: number | null;
  readonly durationMs: number;
  /** The payment that it was about, as far as it was found out. */
  readonly paymentId: string | null;
  /** The bodies of a refused request; null for all others. They are redacted before they are kept. */
  readonly refused: { readonly request: Uint8Array; readonly response: string } | null;
}

/** Outcomes of recording: `full` where there were more than a process writes, `failed` where the database did not take them. */
export type RequestFate = 'written' | 'full' | 'failed';

/** Keeps the requests of a process for merchants' developers. No request waits for it or fails with it: what cannot be kept is dropped. */
export interface RequestLog {
  record(request: FinishedRequest): void;
  /** Writes what was recorded until now. Never rejects. */
  flush(): Promise<void>;
}

const EVERY_MS = 1_000;
/** Requests of one statement: a process writes no more in a second. */
const WAITING_MAX = 1_000;
/** Requests of one statement whose bodies are kept: redacting takes time of the process. */
const BODIES_MAX = 100;

/**
 * Opens the log of a process. It writes once a second, one statement at a time, and what is left when the database is closed. `count` gets
 * the fate of requests.
 */
export function openRequestLog(database: Database, count: (fate: RequestFate, requests: number) => void): RequestLog {
  let waiting: ApiRequest[] = [];
  let bodies = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function record(request: FinishedRequest): void {
    if (waiting.length >= WAITING_MAX) {
      count('full', 1);
      return;
    }
    if (request.refused !== null) bodies += 1;
    waiting.push(toRow(bodies > BODIES_MAX ? { ...request, refused: null } : request));
    timer ??= setTimeout(() => void flush(), EVERY_MS).unref();
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const rows = waiting;
    waiting = [];
    bodies = 0;
    if (rows.length === 0) return;
    try {
      await insertRows(database, rows);
      count('written', rows.length);
    } catch {
      // Others report that the database is away.
      count('failed', rows.length);
    }
  }

  database.beforeClose(flush);
  return { record, flush };
}

const utf8 = new TextDecoder();

function toRow({ refused, path, ...request }: FinishedRequest): ApiRequest {
  return {
    ...request,
    id: newId(),
    endedAt: new Date(),
    path: redactPath(path),
    requestBody: refused === null ? null : redactRequestBody(utf8.decode(refused.request)),
    responseBody: refused === null ? null : redactRequestBody(refused.response),
  };
}

const INSERT = `
INSERT INTO api_request
  (merchant_id, mode, id, key_id, request_id, method, path, status, duration_ms, ended_at, payment_id, request_body, response_body)
SELECT * FROM unnest($1::uuid[], $2::mode[], $3::uuid[], $4::uuid[], $5::uuid[], $6::text[], $7::text[], $8::smallint[], $9::int[],
  $10::timestamptz[], $11::uuid[], $12::text[], $13::text[])`;

async function insertRows({ batches }: Database, rows: readonly ApiRequest[]): Promise<void> {
  const values = [
    rows.map(({ merchantId }) => merchantId),
    rows.map(({ mode }) => mode),
    rows.map(({ id }) => id),
    rows.map(({ keyId }) => keyId),
    rows.map(({ requestId }) => requestId),
    rows.map(({ method }) => method),
    rows.map(({ path }) => path),
    rows.map(({ status }) => status),
    rows.map(({ durationMs }) => durationMs),
    rows.map(({ endedAt }) => endedAt),
    rows.map(({ paymentId }) => paymentId),
    rows.map(({ requestBody }) => requestBody),
    rows.map(({ responseBody }) => responseBody),
  ];
  await batches.query({ name: 'insert-api-requests', text: INSERT, values });
}

export { eraseRequestsOf, readRequestsOf } from './customers.ts';

// Ids follow the time at which requests ended.
const AGE_OUT = `
DELETE FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id IN (
  SELECT id FROM api_request WHERE merchant_id = $1 AND mode = ANY ('{test,live}'::mode[]) AND id < $2
  LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes requests that ended before a time, at most `limit` of them. Returns how many. */
export async function ageOutApiRequests(database: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await database.pool.query(AGE_OUT, [merchantId, firstIdAt(before.getTime()), limit]);
  return rowCount ?? 0;
}

/** Longer bodies are not looked at: a request that is refused for a reason of its own is shorter. */
const READ_MAX = 16 * 1024;
const KEPT_MAX = 4_096;
const PATH_MAX = 300;
const DEPTH_MAX = 20;

const cardsAndSecrets = createRedactor([]);

/** Names of what is about a person or for the merchant alone: names of fields within stay and no values. */
const WHOLLY_PERSONAL = /(?:^|\[)(?:customer(?!_?country$)|card|payer|buyer|billing|shipping|meta)/i;
/** Ends of the names of fields about a person, without what joins words. */
const PERSONAL = /(?:email|name|phone|phonenumber|mobile|address|customerid|bvn|nin)(?:e?s)?$/;
/** Looked for from the beginning of a word on, so that long text without any costs little. */
const EMAIL = /(?<![^\s"'<>(),:;=&?/\\])[^\s"'<>(),:;=&?/\\]{1,200}(?:@|%40)[\w.-]{1,190}\.[a-z]{2,}/gi;
/** Written together or in groups, also percent-encoded. */
const PHONE =
  /(?:(?<![\w.-])|(?<=%[0-9a-f]{2}))(?:\+|%2B)?(?:234(?:(?:[ .+-]|%20)?\d){10}|0[789](?:(?:[ .+-]|%20)?\d){9}|(?<=\+|%2B)\d(?:(?:[ .-]|%20)?\d){7,14})(?![\w.-])/gi;
/** Keys of ours and of gateways, by the words that they begin with, whatever is before them. */
const KEY = /(?:sandbox_[ps]k_|[ps]k_(?:test|live)_|whsec_|FLW(?:PUB|SEC)K|MK_(?:TEST|PROD)_)[\w-]+/gi;
/** Query and fragment of an address that is all of a text, and of one within it. */
const ADDRESS = /^(\s*https?:[^?#]*)[?#].*$/is;
const ADDRESS_WITHIN = /(https?:\/\/[^\s"'<>?#]{1,500})[?#][^\s"'<>]*/gi;
const FORM = /^[\w.[\]%-]{1,100}=/;

const redactor: Redactor = {
  text: (body) => {
    if (!FORM.test(body)) return `[${body.length} characters that are neither JSON nor a form]`;
    return JSON.stringify(redactor.json(Object.fromEntries(new URLSearchParams(body))));
  },
  json: (value) => redactValue(value, 0),
};

/**
 * The text to keep of a body of a refused request, at most 4,096 characters: JSON without card data, secrets, queries of addresses and what
 * says who a customer is, valid unless it was cut. Of anything else than JSON and forms, and of more than 16 KiB, the length, as their content
 * is unknown. Null for an empty one.
 */
export function redactRequestBody(body: string): string | null {
  if (body === '') return null;
  if (body.length > READ_MAX) return `[${body.length} characters]`;
  return redactBody(body, redactor).slice(0, KEPT_MAX);
}

/** A path without what a caller may have written into it by mistake, at most 300 characters. */
export function redactPath(path: string): string {
  return redactText(path).slice(0, PATH_MAX);
}

function redactValue(value: unknown, depth: number): unknown {
  return cardsAndSecrets.json(withoutPersons(value, depth));
}

function redactText(text: string): string {
  const bare = cardsAndSecrets.text(text);
  return [EMAIL, PHONE, KEY].reduce((left, pattern) => left.replaceAll(pattern, redactedMark), bare);
}

function withoutPersons(value: unknown, depth: number): unknown {
  if (depth > DEPTH_MAX) return redactedMark;
  if (typeof value === 'string') return withoutPersonsInText(value, depth);
  if (typeof value === 'number') return redactText(String(value)).includes(redactedMark) ? redactedMark : value;
  if (Array.isArray(value)) return value.map((item) => withoutPersons(item, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactText(name),
      isPersonal(name) ? withoutValues(item, depth + 1) : withoutPersons(item, depth + 1),
    ]),
  );
}

/** JSON within a text, as some senders encode it twice, is redacted as JSON. */
function withoutPersonsInText(text: string, depth: number): string {
  const textual: Redactor = {
    text: (whole) => redactText(whole.replace(ADDRESS, '$1').replaceAll(ADDRESS_WITHIN, '$1')),
    json: (value) => redactValue(value, depth + 1),
  };
  return redactBody(text, textual);
}

function isPersonal(name: string): boolean {
  return WHOLLY_PERSONAL.test(name) || PERSONAL.test(name.toLowerCase().replace(/[^a-z]/g, ''));
}

/** Names of fields, and no values but empty ones, which may be what is wrong. */
function withoutValues(value: unknown, depth: number): unknown {
  if (value === null || value === undefined || value === '') return value;
  if (typeof value !== 'object' || Array.isArray(value) || depth > DEPTH_MAX) return redactedMark;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [redactText(name), withoutValues(item, depth + 1)]));
}
