import { print } from './measure.ts';
import type { SwitchyardServer } from './switchyard-queries.ts';

const ROWS = 1_000_000;
const ROWS_PER_SECOND_MIN = 30_000;
const MEBIBYTE = 1_048_576;
const LINE_FEED = 10;

/**
 * Downloads a file of payments of all merchants, a million at most, and prints its rate. `fresh` is for rows not read before: the
 * disk, which is measured then, has no limit.
 */
export async function measureExport(server: SwitchyardServer, format: 'csv' | 'ndjson', fresh: boolean): Promise<void> {
  const stop = new AbortController();
  const query = new URLSearchParams({ format, filter: JSON.stringify({ mode: 'live' }) });
  const response = await fetch(new URL(`/api/export/payments?${query}`, server.url), {
    headers: server.headers,
    signal: stop.signal,
  });
  if (!response.ok || response.body === null) throw new Error(`${response.status} ${await response.text()}`);
  // The server counts the rows before the first one, which is not part of their rate.
  const began = performance.now();
  let rows = 0;
  let bytes = 0;
  try {
    for await (const piece of response.body) {
      bytes += piece.length;
      for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, at + 1)) rows += 1;
      if (rows >= ROWS) break;
    }
  } finally {
    stop.abort();
  }
  const perSecond = rows / ((performance.now() - began) / 1_000);
  const figure = (value: number) => Math.round(value).toLocaleString('en-US');
  const verdict = fresh
    ? ''
    : perSecond > ROWS_PER_SECOND_MIN
      ? `over ${figure(ROWS_PER_SECOND_MIN)}`
      : `UNDER ${figure(ROWS_PER_SECOND_MIN)}`;
  print(
    `export as ${format}, all merchants${fresh ? ', from the disk' : ''}`,
    `${figure(perSecond)} rows/s, ${figure(rows)} rows, ${figure(bytes / MEBIBYTE)} MiB  ${verdict}`,
  );
}
