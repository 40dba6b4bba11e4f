import { isUuid } from '@switchyard/db';
import type { FileCursor } from '@switchyard/reporting/files';
import { z } from 'zod';

const moment = z.iso.datetime();

/** A file cursor as text: the merchant, creation time and id of a row, separated by commas. */
export function formatFileCursor({ merchantId, createdAt, id }: FileCursor): string {
  return [merchantId, createdAt.toISOString(), id].join(',');
}

/** Reads what {@link formatFileCursor} writes; null for any other text. */
export function parseFileCursor(text: string): FileCursor | null {
  const [merchantId = '', at = '', id = '', ...more] = text.split(',');
  const wellFormed = isUuid(merchantId) && isUuid(id) && moment.safeParse(at).success && more.length === 0;
  return wellFormed ? { merchantId: merchantId.toLowerCase(), createdAt: new Date(at), id } : null;
}
