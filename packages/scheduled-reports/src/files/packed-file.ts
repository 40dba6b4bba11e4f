import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Database } from '@switchyard/db';
import type { ReportFormat } from '@switchyard/db/client';
import { dayText } from '@switchyard/runtime/calendar-days';

/** Size of a stored file. CSV and NDJSON are about ten times as long before they are compressed. */
export const PACKED_MAX_BYTES = 20 * 1_048_576;
/** Size of a file as it is sent, which is a number of 32 bits. */
const FILE_MAX_BYTES = 1_073_741_824;

/** A file that is too large to be stored. */
export class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError';
}

/** A file as it is stored, with the size that it is sent in. */
export interface PackedFile {
  readonly content: Uint8Array<ArrayBuffer>;
  readonly bytes: number;
}

/** Packs a file while it is written: text by gzip, a workbook as it is. Throws {@link FileTooLargeError}. */
export async function pack(format: ReportFormat, written: AsyncIterable<Uint8Array>): Promise<PackedFile> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let packed = 0;
  async function* measured() {
    for await (const chunk of written) {
      bytes += chunk.length;
      if (bytes > FILE_MAX_BYTES) throw new FileTooLargeError('a file of more than 1 GiB');
      yield chunk;
    }
  }
  async function collect(source: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const chunk of source) {
      packed += chunk.length;
      if (packed > PACKED_MAX_BYTES) throw new FileTooLargeError('a file of more than 20 MiB');
      chunks.push(chunk);
    }
  }
  if (format === 'xlsx') await collect(measured());
  else await pipeline(measured(), createGzip(), collect);
  return { content: Buffer.concat(chunks), bytes };
}

/** The bytes of a packed file as it was written. */
export function unpack(format: ReportFormat, content: Uint8Array): AsyncIterable<Uint8Array> {
  const source = Readable.from([content]);
  return format === 'xlsx' ? source : source.pipe(createGunzip());
}

/** `payments-2026-11-25.xlsx`, `payments-2026-11-23-to-2026-11-29.csv` */
export function fileNameOf(
  list: string,
  { firstDay, lastDay }: { readonly firstDay: Date; readonly lastDay: Date },
  format: ReportFormat,
): string {
  const [first, last] = [firstDay, lastDay].map(dayText);
  return `${list}-${first}${first === last ? '' : `-to-${last}`}.${format}`;
}

const DELETE_FILES = `
DELETE FROM report_file WHERE merchant_id = $1 AND run_id IN (
  SELECT run_id FROM report_file WHERE merchant_id = $1 AND created_at < $2 LIMIT $3 FOR UPDATE SKIP LOCKED)`;

/** Deletes files of reports of a merchant's schedules, the nil UUID for those of all merchants, that were made before a time. */
export async function ageOutReportFiles({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(DELETE_FILES, [merchantId, before, limit]);
  return rowCount ?? 0;
}
