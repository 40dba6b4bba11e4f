import type { Reports } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import type { FileQuery } from '@switchyard/nouns/exported-list';
import type { Field } from '@switchyard/nouns/fields';

/** Formats of files. `csv`: RFC 4180 with a header line. `ndjson`: one JSON object a line. `xlsx`: a workbook of one sheet. */
export const FILE_FORMATS = ['csv', 'ndjson', 'xlsx'] as const;

export type FileFormat = (typeof FILE_FORMATS)[number];

/** Position of a row in a file. */
export interface FileCursor {
  readonly merchantId: string;
  readonly createdAt: Date;
  readonly id: string;
}

/** Format and part of a file. */
export interface FileOptions {
  readonly format: FileFormat;
  /** The last row of the previous part; null from the beginning. */
  readonly after: FileCursor | null;
  /** At most so many rows, 1 to 5,000; left out for all there are. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Some rows of a file. */
export interface FilePiece {
  /** Each row as JSON: a list of its cells as text, an object of its columns for `ndjson`. */
  readonly rows: readonly string[];
  /** The cursor of its last row. */
  readonly last: FileCursor;
}

/** Rows formatted at once: other responses wait no longer than that. */
const ROWS_PER_PIECE = 1_000;

/**
 * The rows of a file, one merchant after the other by id, the oldest row first: the same order every time, so that it goes on exactly
 * after any row.
 *
 * Takes as much memory for ten rows as for ten million: one piece is read ahead, and no connection is used while the reader pauses. Each
 * row is current when its piece is read. Throws as {@link Reports.read} does.
 */
export async function* readFile(
  reports: Pick<Reports, 'read'>,
  query: FileQuery,
  { format, after, limit, signal }: FileOptions,
): AsyncGenerator<FilePiece, void, undefined> {
  const stop = new AbortController();
  const reader: Reader = {
    reports,
    query,
    format,
    size: limit ?? ROWS_PER_PIECE,
    signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
  };
  const read = (remaining: Remaining) => ignoreRejection(readPiece(reader, remaining));
  const merchants = [...new Set(query.merchantIds)].sort();
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

/** Rows that a file has after a cursor, or in all, at present. */
export async function countFileRows(
  reports: Pick<Reports, 'read'>,
  { table, merchantIds, order, conditions }: FileQuery,
  { after, signal }: { readonly after: FileCursor | null; readonly signal?: AbortSignal },
): Promise<number> {
  const where = [Prisma.sql`p.merchant_id = ANY (${merchantIds}::uuid[])`, ...conditions];
  if (after !== null) {
    const { merchantId } = after;
    where.push(
      Prisma.sql`(p.merchant_id > ${merchantId}::uuid OR p.merchant_id = ${merchantId}::uuid AND ${isAfter(order, after)})`,
    );
  }
  const { text, values } = Prisma.sql`
    SELECT count(*)::float8 AS count FROM ${Prisma.raw(table)} AS p WHERE ${Prisma.join(where, ' AND ')}`;
  const read = (client: Client) => client.query<{ readonly count: number }>({ text, values });
  const { rows } = await reports.read(read, signal === undefined ? {} : { signal });
  return rows[0]?.count ?? 0;
}

type Client = Parameters<Parameters<Reports['read']>[0]>[0];

function isAfter(order: FileQuery['order'], { createdAt, id }: FileCursor): Prisma.Sql {
  if (order === 'id') return Prisma.sql`p.id > ${id}::uuid`;
  return Prisma.sql`(p.created_at, p.id) > (${createdAt}::timestamptz, ${id}::uuid)`;
}

/** The rest to read: the merchants in order, and the cursor in the first of them. */
interface Remaining {
  readonly merchants: readonly string[];
  readonly after: FileCursor | null;
}

interface ReadPiece {
  readonly rows: readonly string[];
  /** Null where there are no rows. */
  readonly last: FileCursor | null;
  /** Null at the end. */
  readonly rest: Remaining | null;
}

interface Reader {
  readonly reports: Pick<Reports, 'read'>;
  readonly query: FileQuery;
  readonly format: FileFormat;
  /** Rows of a piece. */
  readonly size: number;
  readonly signal: AbortSignal;
}

/** Reads until a piece is full or nothing is left. */
function readPiece({ reports, query, format, size, signal }: Reader, { merchants, after }: Remaining): Promise<ReadPiece> {
  return reports.read(
    async (client) => {
      const found: string[] = [];
      let last = after;
      for (const [index, merchantId] of merchants.entries()) {
        const begin = last?.merchantId === merchantId ? last : null;
        const { text, values } = statement(query, format, merchantId, { after: begin, limit: size - found.length });
        const { rows } = await client.query<[string, Date, string]>({ text, values, rowMode: 'array' });
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
  { table, order, columns, conditions, rows = () => Prisma.raw(table) }: FileQuery,
  format: FileFormat,
  merchantId: string,
  { after, limit }: { readonly after: FileCursor | null; readonly limit: number },
): Prisma.Sql {
  const merchant = Prisma.sql`${merchantId}::uuid`;
  const where = [Prisma.sql`p.merchant_id = ${merchant}`, ...conditions, ...(after === null ? [] : [isAfter(order, after)])];
  const by = Prisma.raw(order === 'id' ? 'p.id' : 'p.created_at, p.id');
  return Prisma.sql`SELECT ${Prisma.raw(rowAs(format, columns))}::text, p.created_at, p.id::text FROM ${rows(merchant)} AS p
    WHERE ${Prisma.join(where, ' AND ')} ORDER BY ${by} LIMIT ${limit}`;
}

function rowAs(format: FileFormat, columns: readonly Field[]): string {
  switch (format) {
    case 'csv':
    case 'xlsx':
      return `json_build_array(${columns.map(({ sql }) => `(${sql})::text`).join(', ')})`;
    case 'ndjson': {
      const named = columns.map(({ name, sql }) => `${sql} AS "${name}"`).join(', ');
      return `(SELECT row_to_json(cells) FROM (SELECT ${named}) AS cells)`;
    }
    default:
      return format satisfies never;
  }
}

/** Rejections surface when awaited; the reader may have stopped before. */
function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
