import { isUuid } from '@switchyard/db';
import type { FilePlace } from '@switchyard/reporting';
import { z } from 'zod';

const moment = z.iso.datetime();

/** A place in a file as text: the merchant, the moment and the id of its row, with a comma between them. */
export function formatPlace({ merchantId, createdAt, id }: FilePlace): string {
  return [merchantId, createdAt.toISOString(), id].join(',');
}

/** Reads what {@link formatPlace} writes; null for any other text. */
export function parsePlace(text: string): FilePlace | null {
  const [merchantId = '', at = '', id = '', ...more] = text.split(',');
  const wellFormed = isUuid(merchantId) && isUuid(id) && moment.safeParse(at).success && more.length === 0;
  return wellFormed ? { merchantId: merchantId.toLowerCase(), createdAt: new Date(at), id } : null;
}
