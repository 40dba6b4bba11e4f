import pg from 'pg';
import { copyOut } from './copy-out.ts';
import { csvHeader, type FileColumn } from './file-columns.ts';
import { createLineWriter, type FileFormat } from './file-lines.ts';
import { toLiteral } from './literals.ts';
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
const ROOM_AT_FIRST = 65_536;
const ROOM_TO_SPARE = 1.1;
/** The merchant, the moment and the id. */
const PLACE_COLUMNS = 3;
const toDate = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);

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
  const reader: Reader = { reports, question, format, size: limit ?? ROWS_PER_PIECE, signal: signals };
  const read = (place: Reading) => quietly(readPiece(reader, place));
  const merchants = [...new Set(question.merchantIds)].sort();
  let header = format === 'csv' && after === null ? csvHeader(question.columns) : '';
  let next = read({ merchants: merchants.filter((id) => after === null || id >= after.merchantId), after, learnt: null });
  try {
    for (;;) {
      const { lines, rows, last, rest } = await next;
      const ends = rest === null || limit !== undefined;
      if (!ends) next = read(rest);
      const bytes = header === '' ? lines : Buffer.concat([Buffer.from(header), lines]);
      if (bytes.length > 0) yield { bytes, rows, last };
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
  /** Null before the first piece. */
  readonly learnt: Learnt | null;
}

/** What one piece teaches about the next. */
interface Learnt {
  /** The types of the columns' values, by their numbers in PostgreSQL. */
  readonly types: readonly number[];
  /** How many bytes it will take. */
  readonly room: number;
}

interface Piece extends Omit<FilePiece, 'bytes'> {
  readonly lines: Buffer;
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

/** Reads until a piece is full or nothing is left. Lines are written while rows come, so that neither waits for the other. */
function readPiece({ reports, question, format, size, signal }: Reader, { merchants, after, learnt }: Reading): Promise<Piece> {
  return reports.read(
    async (client) => {
      const types = learnt?.types ?? (await readTypes(client, question));
      const writer = createLineWriter(format, question.columns, { types, room: learnt?.room ?? ROOM_AT_FIRST });
      let [rows, last] = [0, after];
      for (const [index, merchantId] of merchants.entries()) {
        const begin = last?.merchantId === merchantId ? last : null;
        let end: Buffer | null = null;
        for await (const copied of copyOut(client, statement(question, merchantId, { after: begin, limit: size - rows }))) {
          rows += writer.write(copied);
          end = copied;
        }
        if (end !== null) last = lastPlace(end);
        if (rows < size) continue;
        const lines = writer.bytes();
        const taught = { types, room: Math.ceil(lines.length * ROOM_TO_SPARE) };
        return { lines, rows, last, rest: { merchants: merchants.slice(index), after: last, learnt: taught } };
      }
      return { lines: writer.bytes(), rows, last: rows === 0 ? null : last, rest: null };
    },
    { signal, single: true },
  );
}

async function readTypes(client: Client, question: FileQuestion): Promise<number[]> {
  const { fields } = await client.query(`SELECT ${selected(question)} FROM ${question.from} LIMIT 0`);
  return fields.map(({ dataTypeID }) => dataTypeID);
}

/** Where the last row stands. */
function lastPlace(copied: Buffer): FilePlace {
  const line = copied.subarray(copied.lastIndexOf('\n', -2) + 1).toString();
  const [merchantId = '', createdAt = '', id = ''] = line.split('\t', PLACE_COLUMNS);
  return { merchantId, createdAt: toDate(createdAt), id };
}

/** Values come as the database writes them, and lines are made of them here: its own ways to put texts together take far longer. */
function statement(
  question: FileQuestion,
  merchantId: string,
  { after, limit }: { readonly after: FilePlace | null; readonly limit: number },
): string {
  const { from, order, conditions } = question;
  const where = [
    `p.merchant_id = ${toLiteral(merchantId)}::uuid`,
    ...conditions(toLiteral),
    ...(after === null ? [] : [isBeyond(order, after, toLiteral)]),
  ];
  const by = order === 'id' ? 'p.id' : 'p.created_at, p.id';
  return `SELECT ${selected(question)} FROM ${from} WHERE ${where.join(' AND ')} ORDER BY ${by} LIMIT ${Math.trunc(limit)}`;
}

function selected({ columns }: FileQuestion): string {
  return columns.map(({ sql }) => sql).join(', ');
}

/** A failure counts when it is waited for; a reader may have left before. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
