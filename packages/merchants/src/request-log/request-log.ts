import { type Database, newId } from '@switchyard/db';
import type { ApiRequest, Mode } from '@switchyard/db/client';
import { redactPath, redactRequestBody } from './redact-body.ts';

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
 * Opens the log of a process. It writes once a second, one statement at a time, and what is left when the database is closed. `count` is
 * told what became of requests.
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
