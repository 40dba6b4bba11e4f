import pg from 'pg';
import type { FileColumn } from './file-columns.ts';
import type { Tape, WriteValue } from './tape.ts';
import * as tapes from './tape.ts';

export type FileFormat = 'csv' | 'ndjson';

const { BOOL, FLOAT8, INT2, INT4, INT8, JSON: JSON_TYPE, JSONB, NUMERIC, TIMESTAMPTZ } = pg.types.builtins;
/** How the values of a column are written. */
interface Column {
  /** What comes before each, the comma after the one before included. */
  readonly before: Uint8Array;
  readonly write: WriteValue;
}

/** Writes lines of rows in the text format of COPY. */
export interface LineWriter {
  /** Writes lines of whole rows; returns how many. */
  write(copied: Uint8Array): number;
  /** What was written, in UTF-8. To be asked for once. */
  bytes(): Buffer;
}

/**
 * A writer of lines. `types` are those of the columns' values, by their numbers in PostgreSQL; `room` is how many bytes it will write,
 * as far as one knows.
 */
export function createLineWriter(
  format: FileFormat,
  columns: readonly FileColumn[],
  { types, room }: { readonly types: readonly number[]; readonly room: number },
): LineWriter {
  const { before, nothing, end, write } = FORMATS[format];
  const written = columns.map((column, at): Column => ({ before: before(column, at), write: write(column, types[at]) }));
  const beside = written.reduce((sum, column) => sum + column.before.length + nothing.length + tapes.MOST_PER_VALUE, end.length);
  const tape: Tape = { from: Buffer.alloc(0), read: 0, to: Buffer.allocUnsafe(room), written: 0 };
  return {
    write(copied) {
      [tape.from, tape.read] = [copied, 0];
      let rows = 0;
      for (; tape.read < copied.length; rows++) {
        makeRoom(tape, (copied.indexOf(tapes.LINE_FEED, tape.read) - tape.read) * tapes.MOST_PER_BYTE + beside);
        for (const column of written) {
          tapes.putAll(tape, column.before);
          if (tapes.skipNothing(tape)) tapes.putAll(tape, nothing);
          else column.write(tape);
          tape.read++;
        }
        tapes.putAll(tape, end);
      }
      return rows;
    },
    bytes: () => Buffer.from(tape.to.buffer, tape.to.byteOffset, tape.written),
  };
}

/** Lines by RFC 4180; objects of JSON with the columns' names as keys, sums of our own as numbers, those of gateways as texts. */
const FORMATS: Readonly<Record<FileFormat, Format>> = {
  csv: {
    before: (_, at) => Buffer.from(at === 0 ? '' : ','),
    nothing: Buffer.from(''),
    end: Buffer.from('\r\n'),
    write: csvWriter,
  },
  ndjson: {
    before: ({ name }, at) => Buffer.from(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    nothing: Buffer.from('null'),
    end: Buffer.from('}\n'),
    write: jsonWriter,
  },
};

interface Format {
  before(column: FileColumn, at: number): Uint8Array;
  readonly nothing: Uint8Array;
  readonly end: Uint8Array;
  write(column: FileColumn, type: number | undefined): WriteValue;
}

function csvWriter({ kind }: FileColumn, type: number | undefined): WriteValue {
  if (type === BOOL) return tapes.writeTruth;
  if (type === TIMESTAMPTZ) return tapes.writeMoment;
  if (type === NUMERIC) return tapes.writeDecimal;
  return kind === 'own' ? tapes.writePlain : tapes.writeCell;
}

function jsonWriter({ kind }: FileColumn, type: number | undefined): WriteValue {
  switch (type) {
    case INT2:
    case INT4:
    case INT8:
    case FLOAT8:
      return tapes.writePlain;
    case JSON_TYPE:
    case JSONB:
      return tapes.writeJsonValue;
    case BOOL:
      return tapes.writeTruth;
    case TIMESTAMPTZ:
      return tapes.inQuotes(tapes.writeMoment);
    case NUMERIC:
      return tapes.inQuotes(tapes.writeDecimal);
    default:
      return kind === 'own' ? tapes.inQuotes(tapes.writePlain) : tapes.writeJsonText;
  }
}

function makeRoom(tape: Tape, room: number): void {
  if (tape.to.length - tape.written >= room) return;
  const wider = Buffer.allocUnsafe(Math.max(tape.to.length * 2, tape.written + room));
  wider.set(tape.to.subarray(0, tape.written));
  tape.to = wider;
}
