import { setImmediate } from 'node:timers/promises';
import type pg from 'pg';
import { csvHeader, type FileColumn } from './file-columns.ts';
import { type Cells, type FileFormat, toMoment, writeLines } from './file-lines.ts';
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
  readonly format: FileFormat;
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
  const size = limit ?? ROWS_PER_PIECE;
  const read = (place: Reading) => quietly(readPiece(reports, question, { ...place, size, signal: signals }));
  const merchants = [...new Set(question.merchantIds)].sort();
  let header = format === 'csv' && after === null ? csvHeader(question.columns) : '';
  let next = read({ merchants: merchants.filter((id) => after === null || id >= after.merchantId), after });
  try {
    for (;;) {
      const { rows, types, last, rest } = await next;
      const ends = rest === null || limit !== undefined;
      if (!ends) {
        next = read(rest);
        // The database is to have heard of the next piece before this one is written, and to read it meanwhile.
        await setImmediate();
      }
      const text = writeLines(format, question.columns, { rows, types });
      if (header !== '' || rows.length > 0) yield { bytes: Buffer.from(header + text), rows: rows.length, last };
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
  readonly rows: readonly Cells[];
  /** The types of the values in each row. */
  readonly types: readonly number[];
  readonly last: FilePlace | null;
  /** Null at the end. */
  readonly rest: Reading | null;
}

/** Reads until a piece is full or nothing is left. */
async function readPiece(
  reports: Pick<Reports, 'read'>,
  question: FileQuestion,
  { merchants, after, size, signal }: Reading & { readonly size: number; readonly signal: AbortSignal },
): Promise<Piece> {
  return reports.read(
    async (client) => {
      const rows: Cells[] = [];
      let [types, last]: [readonly number[], FilePlace | null] = [[], after];
      for (const [index, merchantId] of merchants.entries()) {
        const room = size - rows.length;
        const begin = last?.merchantId === merchantId ? last : null;
        const part = await client.query<string[]>(statement(question, merchantId, { after: begin, limit: room }));
        types = part.fields.map(({ dataTypeID }) => dataTypeID);
        for (const row of part.rows) rows.push(row);
        last = placeOf(part.rows.at(-1)) ?? last;
        if (part.rows.length === room) return { rows, types, last, rest: { merchants: merchants.slice(index), after: last } };
      }
      return { rows, types, last: rows.length === 0 ? null : last, rest: null };
    },
    { signal, single: true },
  );
}

function placeOf(row: Cells | undefined): FilePlace | null {
  const [merchantId, createdAt, id] = row ?? [];
  if (typeof merchantId !== 'string' || typeof createdAt !== 'string' || typeof id !== 'string') return null;
  return { merchantId, createdAt: new Date(toMoment(createdAt)), id };
}

/** Values come as the database writes them, and lines are made of them here: its own ways to put texts together take far longer. */
function statement(
  { from, columns, order, conditions }: FileQuestion,
  merchantId: string,
  { after, limit }: { readonly after: FilePlace | null; readonly limit: number },
): pg.QueryArrayConfig {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [
    `p.merchant_id = ${bind(merchantId)}::uuid`,
    ...conditions(bind),
    ...(after === null ? [] : [isBeyond(order, after, bind)]),
  ];
  const by = order === 'id' ? 'p.id' : 'p.created_at, p.id';
  const text = `SELECT ${columns.map(({ sql }) => sql).join(', ')} FROM ${from}
    WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ${bind(limit)}::int`;
  return { text, values, rowMode: 'array', types: AS_WRITTEN };
}

const AS_WRITTEN: pg.CustomTypesConfig = { getTypeParser: () => (value: unknown) => value };

/** A failure counts when it is waited for; a reader may have left before. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
