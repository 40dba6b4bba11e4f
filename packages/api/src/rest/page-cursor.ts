import { isUuid } from '@switchyard/db';
import { parseMoment } from '@switchyard/db/moments';

/** The last row of a page: where the next one begins. */
export interface PageKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** The end of a page as opaque text. */
export function pageCursor({ createdAt, id }: PageKey): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** Parses text that {@link pageCursor} wrote; null for any other text. */
export function readPageCursor(cursor: string): PageKey | null {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const createdAt = parseMoment(time);
  return createdAt === null || !isUuid(id) ? null : { createdAt, id: id.toLowerCase() };
}
