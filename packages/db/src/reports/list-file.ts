import { csvHeader, csvLine, type FileColumn, jsonLine } from './file-columns.ts';
import type { Bind } from './payment-keys.ts';
import type { Reports } from './read-only.ts';

/** Where a row stands in a file: what its first three columns say. */
export interface FilePlace {
  readonly merchantId: string;
  readonly createdAt: Date;
  readonly id: string;
}

/** What a file is of. */
export interface FileQuestion {
  readonly merchantIds: readonly string[];
  /** The tables, the one with the rows called `p`. */
  readonly from: string;
  /** The first three are the merchant, the moment and the id. */
  readonly columns: readonly FileColumn[];
  /** What may stand in it besides, for whoever names it. */
  readonly moreColumns?: readonly FileColumn[];
  /** In what order a merchant's rows come. An index must lead to it. */
  readonly order: 'time' | 'id';
  /** What holds of the rows, merchants aside. */
  conditions(bind: Bind): readonly string[];
}

export interface FileOptions {
  readonly format: 'csv' | 'ndjson';
  /** The last row that was already had; null from the beginning. */
  readonly after: FilePlace | null;
  /** At most so many rows, 1 to 5,000; left out for all there are. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Whole rows of a file, in UTF-8. */
export interface FilePiece {
  readonly bytes: Uint8Array;
  readonly rows: number;
  /** The last row in it; null in a piece of titles only. */
  readonly last: FilePlace | null;
}

const ROWS_PER_PIECE = 5_000;

/**
 * A file of a list, one merchant after the other by id, the oldest row first: the same order every time, so that it goes on exactly
 * after any row. Comma-separated values begin with a line of titles unless they go on after a row.
 *
 * Takes as much memory for ten rows as for ten million: one piece is read ahead, and no connection is held while nobody reads. Each
 * row is told as it stands when its piece is read. Throws as {@link Reports.read} does.
 */
export async function* streamFile(
  reports: Pick<Reports, 'read'>,
  question: FileQuestion,
  { format, after, limit, signal }: FileOptions,
): AsyncGenerator<FilePiece, void, undefined> {
  const stop = new AbortController();
  const signals = signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]);
  const line = format === 'csv' ? csvLine(question.columns) : jsonLine(question.columns);
  const size = limit ?? ROWS_PER_PIECE;
  const read = (place: Reading) => quietly(readPiece(reports, question, { ...place, line, size, signal: signals }));
  const merchants = [...new Set(question.merchantIds)].sort();
  let header = format === 'csv' && after === null ? csvHeader(question.columns) : '';
  let next = read({ merchants: merchants.filter((id) => after === null || id >= after.merchantId), after });
  try {
    for (;;) {
      const { text, rows, last, rest } = await next;
      const ends = rest === null || limit !== undefined;
      if (!ends) next = read(rest);
      if (header !== '' || rows > 0) yield { bytes: Buffer.from(header + text), rows, last };
      header = '';
      if (ends) return;
    }
  } finally {
    stop.abort();
  }
}

/** How many rows a file has after a place, or in all, as of now. */
export async function countFileRows(
  reports: Pick<Reports, 'read'>,
  { merchantIds, from, order, conditions }: FileQuestion,
  { after, signal }: { readonly after: FilePlace | null; readonly signal?: AbortSignal },
): Promise<number> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [`p.merchant_id = ANY (${bind(merchantIds)}::uuid[])`, ...conditions(bind)];
  if (after !== null) {
    const merchant = bind(after.merchantId);
    where.push(`(p.merchant_id > ${merchant}::uuid OR p.merchant_id = ${merchant}::uuid AND ${isBeyond(order, after, bind)})`);
  }
  const text = `SELECT count(*)::float8 AS count FROM ${from} WHERE ${where.join(' AND ')}`;
  const read = (client: Client) => client.query<{ readonly count: number }>({ text, values });
  const { rows } = await reports.read(read, signal === undefined ? {} : { signal });
  return rows[0]?.count ?? 0;
}

type Client = Parameters<Parameters<Reports['read']>[0]>[0];

function isBeyond(order: FileQuestion['order'], { createdAt, id }: FilePlace, bind: Bind): string {
  if (order === 'id') return `p.id > ${bind(id)}::uuid`;
  return `(p.created_at, p.id) > (${bind(createdAt)}::timestamptz, ${bind(id)}::uuid)`;
}

/** What is still to be read: the merchants, in order, and where in the first of them. */
interface Reading {
  readonly merchants: readonly string[];
  readonly after: FilePlace | null;
}

interface Piece {
  readonly text: string;
  readonly rows: number;
  readonly last: FilePlace | null;
  /** Null at the end. */
  readonly rest: Reading | null;
}

interface HowToRead {
  readonly line: string;
  readonly size: number;
  readonly signal: AbortSignal;
}

/** Reads until a piece is full or nothing is left. */
async function readPiece(
  reports: Pick<Reports, 'read'>,
  question: FileQuestion,
  { merchants, after, line, size, signal }: Reading & HowToRead,
): Promise<Piece> {
  return reports.read(
    async (client) => {
      let [text, rows, last]: [string, number, FilePlace | null] = ['', 0, after];
      for (const [index, merchantId] of merchants.entries()) {
        const room = size - rows;
        const begin = last?.merchantId === merchantId ? last : null;
        const { text: sql, values } = statement(question, merchantId, { line, after: begin, limit: room });
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
  { from, order, conditions }: FileQuestion,
  merchantId: string,
  { line, after, limit }: { readonly line: string; readonly after: FilePlace | null; readonly limit: number },
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [
    `p.merchant_id = ${bind(merchantId)}::uuid`,
    ...conditions(bind),
    ...(after === null ? [] : [isBeyond(order, after, bind)]),
  ];
  const by = order === 'id' ? ['id'] : ['created_at', 'id'];
  const backwards = by.map((column) => `${column} DESC`).join(', ');
  const text = `SELECT string_agg(line, '' ORDER BY ${by.join(', ')}) AS text, count(*)::int AS count,
    (array_agg(id ORDER BY ${backwards}))[1] AS id, (array_agg(created_at ORDER BY ${backwards}))[1] AS "createdAt"
  FROM (
    SELECT ${line} AS line, p.created_at, p.id FROM ${from}
    WHERE ${where.join(' AND ')} ORDER BY ${by.map((column) => `p.${column}`).join(', ')} LIMIT ${bind(limit)}::int) AS lines`;
  return { text, values };
}

/** A failure counts when it is waited for; a reader may have left before. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
