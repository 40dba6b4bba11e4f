import { isUuid } from '@switchyard/db';

/** The last row of a page: where the next one begins. */
export interface PageKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** A page's end as text that means nothing to anybody else. */
export function pageCursor({ createdAt, id }: PageKey): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** What {@link pageCursor} wrote, or null for any other text. */
export function readPageCursor(cursor: string): PageKey | null {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const createdAt = new Date(time);
  return Number.isNaN(createdAt.getTime()) || !isUuid(id) ? null : { createdAt, id };
}
