import { isUuid } from '@switchyard/db';
import { parseMoment } from '@switchyard/db/moments';
import type { FileCursor } from '@switchyard/reporting/files';

/** A file cursor as text: the merchant, creation time and id of a row, separated by commas. */
export function formatFileCursor({ merchantId, createdAt, id }: FileCursor): string {
  return [merchantId, createdAt.toISOString(), id].join(',');
}

/** Reads what {@link formatFileCursor} writes; null for any other text. */
export function parseFileCursor(text: string): FileCursor | null {
  const [merchantId = '', at = '', id = '', ...more] = text.split(',');
  const createdAt = parseMoment(at);
  if (createdAt === null || !isUuid(merchantId) || !isUuid(id) || more.length > 0) return null;
  return { merchantId: merchantId.toLowerCase(), createdAt, id };
}
