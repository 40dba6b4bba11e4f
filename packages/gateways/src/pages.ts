import type { ListPage, Outcome } from './gateway.ts';
import { failure } from './outcomes.ts';

/** Enough for a day of forty thousand transactions at twenty a page. */
const maxPages = 2000;
/** A list that changes while it is read can repeat a page; more repeats than this mean it never ends. */
const maxRepeats = 3;

/**
 * Reads a gateway's list to its end, each row once. Every page must be readable: the first one that is not is returned.
 * A list that repeats itself or has no end within 2000 pages is returned as unknown, without rows.
 *
 * @param read reads the page with that cursor; null is the first
 * @param keyOf the identity of a row that the list shows twice; the later one counts
 */
export async function readAllPages<T>(
  read: (cursor: string | null) => Promise<Outcome<ListPage<T>>>,
  keyOf: (row: T) => string,
): Promise<Outcome<readonly T[]>> {
  const rows = new Map<string, T>();
  const cursors = new Set<string>();
  let cursor: string | null = null;
  let repeats = 0;
  for (let pages = 1; ; pages += 1) {
    const page = await read(cursor);
    if (page.outcome !== 'yes') return page;
    const known = rows.size;
    for (const row of page.value.rows) rows.set(keyOf(row), row);
    repeats = page.value.rows.length > 0 && rows.size === known ? repeats + 1 : 0;
    cursor = page.value.nextCursor;
    if (cursor === null) return { outcome: 'yes', value: [...rows.values()], call: page.call };
    if (cursors.has(cursor) || repeats >= maxRepeats || pages >= maxPages) {
      const message = `The gateway's list did not come to an end after ${pages} pages.`;
      return { outcome: 'unknown', failure: failure('provider_fault', 'malformed_answer', message), call: page.call };
    }
    cursors.add(cursor);
  }
}
