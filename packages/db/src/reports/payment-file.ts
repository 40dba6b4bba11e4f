import { CSV_HEADER, CSV_LINE, JSON_LINE } from './payment-file-columns.ts';
import { type Bind, conditions, type PaymentKey, type PaymentKeysFilter } from './payment-keys.ts';
import type { Reports } from './read-only.ts';

export interface PaymentFileOptions {
  readonly format: 'csv' | 'ndjson';
  /** The last row that was already had; null from the beginning. */
  readonly after: PaymentKey | null;
  readonly signal?: AbortSignal;
}

/** Whole rows of a file, in UTF-8. */
export interface PaymentFilePiece {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** The last row in it. */
  readonly last: PaymentKey;
}

const ROWS_PER_PIECE = 5_000;

/**
 * A file of a filter's payments, one merchant after the other by id, the oldest payment first: the same order every time, so that
 * it goes on exactly after any row. Comma-separated values begin with a line of titles unless they go on after a row.
 *
 * Takes as much memory for ten rows as for ten million: one piece is read ahead, and no connection is held while nobody reads. Each
 * payment is told as it stands when its piece is read. Throws as {@link Reports.read} does.
 */
export async function* streamPaymentFile(
  reports: Pick<Reports, 'read'>,
  filter: PaymentKeysFilter,
  { format, after, signal }: PaymentFileOptions,
): AsyncGenerator<PaymentFilePiece, void, undefined> {
  const stop = new AbortController();
  const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const line = format === 'csv' ? CSV_LINE : JSON_LINE;
  const read = (place: Place) => quietly(readPiece(reports, filter, { ...place, line, signal: signals }));
  const merchants = [...new Set(filter.merchantIds)].sort();
  let header = format === 'csv' && after === null ? CSV_HEADER : '';
  let next = read({ merchants: merchants.filter((id) => after === null || id >= after.merchantId), after });
  try {
    for (;;) {
      const { text, rows, last, rest } = await next;
      if (rest !== null) next = read(rest);
      if (header !== '' || rows > 0) yield { bytes: Buffer.from(header + text), rows, last: last ?? NOWHERE };
      header = '';
      if (rest === null) return;
    }
  } finally {
    stop.abort();
  }
}

/** Before every payment. */
const NOWHERE: PaymentKey = {
  merchantId: '00000000-0000-0000-0000-000000000000',
  id: '00000000-0000-0000-0000-000000000000',
  createdAt: new Date(0),
};

/** What is still to be read: the merchants, in order, and where in the first of them. */
interface Place {
  readonly merchants: readonly string[];
  readonly after: PaymentKey | null;
}

interface Piece {
  readonly text: string;
  readonly rows: number;
  readonly last: PaymentKey | null;
  /** Null at the end. */
  readonly rest: Place | null;
}

/** Reads until a piece is full or nothing is left. */
async function readPiece(
  reports: Pick<Reports, 'read'>,
  filter: PaymentKeysFilter,
  { merchants, after, line, signal }: Place & { readonly line: string; readonly signal: AbortSignal },
): Promise<Piece> {
  return reports.read(
    async (client) => {
      let [text, rows, last]: [string, number, PaymentKey | null] = ['', 0, after];
      for (const [index, merchantId] of merchants.entries()) {
        const room = ROWS_PER_PIECE - rows;
        const begin = last?.merchantId === merchantId ? last : null;
        const { text: sql, values } = statement(filter, merchantId, { line, after: begin, limit: room });
        const part = (await client.query<Part>({ text: sql, values })).rows[0];
        if (part === undefined || part.count === 0 || part.text === null) continue;
        text += part.text;
        rows += part.count;
        last = { merchantId, id: part.id, createdAt: part.createdAt };
        if (part.count === room) return { text, rows, last, rest: { merchants: merchants.slice(index), after: last } };
      }
      return { text, rows, last: rows === 0 ? null : last, rest: null };
    },
    { signal },
  );
}

interface Part {
  readonly text: string | null;
  readonly count: number;
  readonly id: string;
  readonly createdAt: Date;
}

/** The database writes the lines: one text comes over instead of thousands of rows. */
function statement(
  filter: PaymentKeysFilter,
  merchantId: string,
  { line, after, limit }: { readonly line: string; readonly after: PaymentKey | null; readonly limit: number },
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [
    `p.merchant_id = ${bind(merchantId)}::uuid`,
    ...conditions(filter, bind),
    ...(after === null ? [] : [`(p.created_at, p.id) > (${bind(after.createdAt)}::timestamptz, ${bind(after.id)}::uuid)`]),
  ];
  const text = `SELECT string_agg(line, '' ORDER BY created_at, id) AS text, count(*)::int AS count,
    (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS id, max(created_at) AS "createdAt"
  FROM (
    SELECT ${line} AS line, p.created_at, p.id FROM payment AS p
    LEFT JOIN attempt AS a ON a.merchant_id = p.merchant_id AND a.id = COALESCE(p.paid_attempt_id, p.current_attempt_id)
    WHERE ${where.join(' AND ')} ORDER BY p.created_at, p.id LIMIT ${bind(limit)}::int) AS lines`;
  return { text, values };
}

/** A failure counts when it is waited for; a reader may have left before. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
