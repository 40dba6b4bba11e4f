import type { Reports } from '@switchyard/db';
import type { FileColumn } from './file-columns.ts';
import type { Bind } from './payment-keys.ts';

export type FileFormat = 'csv' | 'ndjson';

/** Where a row stands in a file. */
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

/** Some rows of a file. */
export interface FilePiece {
  /** Each row as JSON: a list of its cells as text for `csv`, an object of its columns for `ndjson`. */
  readonly rows: readonly string[];
  /** Where its last row stands. */
  readonly last: FilePlace;
}

/** As many as are formatted at once: other answers wait for no longer than that. */
const ROWS_PER_PIECE = 1_000;

/**
 * The rows of a file, one merchant after the other by id, the oldest row first: the same order every time, so that it goes on exactly
 * after any row.
 *
 * Takes as much memory for ten rows as for ten million: one piece is read ahead, and no connection is held while nobody reads. Each
 * row is shown as it stands when its piece is read. Throws as {@link Reports.read} does.
 */
export async function* readFile(
  reports: Pick<Reports, 'read'>,
  question: FileQuestion,
  { format, after, limit, signal }: FileOptions,
): AsyncGenerator<FilePiece, void, undefined> {
  const stop = new AbortController();
  const reader: Reader = {
    reports,
    question,
    format,
    size: limit ?? ROWS_PER_PIECE,
    signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
  };
  const read = (place: Reading) => quietly(readPiece(reader, place));
  const merchants = [...new Set(question.merchantIds)].sort();
  let next = read({ merchants: merchants.filter((id) => after === null || id >= after.merchantId), after });
  try {
    for (;;) {
      const { rows, last, rest } = await next;
      const ends = rest === null || limit !== undefined;
      if (!ends) next = read(rest);
      if (last !== null) yield { rows, last };
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
  readonly rows: readonly string[];
  /** Null where there are no rows. */
  readonly last: FilePlace | null;
  /** Null at the end. */
  readonly rest: Reading | null;
}

interface Reader {
  readonly reports: Pick<Reports, 'read'>;
  readonly question: FileQuestion;
  readonly format: FileFormat;
  /** Rows of a piece. */
  readonly size: number;
  readonly signal: AbortSignal;
}

/** Reads until a piece is full or nothing is left. */
function readPiece({ reports, question, format, size, signal }: Reader, { merchants, after }: Reading): Promise<Piece> {
  return reports.read(
    async (client) => {
      const found: string[] = [];
      let last = after;
      for (const [index, merchantId] of merchants.entries()) {
        const begin = last?.merchantId === merchantId ? last : null;
        const query = statement(question, format, merchantId, { after: begin, limit: size - found.length });
        const { rows } = await client.query<[string, Date, string]>({ ...query, rowMode: 'array' });
        for (const [row] of rows) found.push(row);
        const end = rows.at(-1);
        if (end !== undefined) last = { merchantId, createdAt: end[1], id: end[2] };
        if (found.length >= size) return { rows: found, last, rest: { merchants: merchants.slice(index), after: last } };
      }
      return { rows: found, last: found.length === 0 ? null : last, rest: null };
    },
    { signal, single: true },
  );
}

/** Each row is made one JSON text by the database, which takes a fraction of reading every value by itself. */
function statement(
  { from, order, columns, conditions }: FileQuestion,
  format: FileFormat,
  merchantId: string,
  { after, limit }: { readonly after: FilePlace | null; readonly limit: number },
): { readonly text: string; readonly values: unknown[] } {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const where = [
    `p.merchant_id = ${bind(merchantId)}::uuid`,
    ...conditions(bind),
    ...(after === null ? [] : [isBeyond(order, after, bind)]),
  ];
  const by = order === 'id' ? 'p.id' : 'p.created_at, p.id';
  const text = `SELECT ${rowAs(format, columns)}::text, p.created_at, p.id::text FROM ${from}
    WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ${bind(limit)}`;
  return { text, values };
}

function rowAs(format: FileFormat, columns: readonly FileColumn[]): string {
  switch (format) {
    case 'csv':
      return `json_build_array(${columns.map(({ sql }) => `(${sql})::text`).join(', ')})`;
    case 'ndjson': {
      const named = columns.map(({ name, sql }) => `${sql} AS "${name}"`).join(', ');
      return `(SELECT row_to_json(cells) FROM (SELECT ${named}) AS cells)`;
    }
    default: {
      const never: never = format;
      return never;
    }
  }
}

/** A failure counts when it is waited for; a reader may have left before. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
