import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { rebuildRollups } from '@switchyard/reporting/rollups';
import pg from 'pg';
import { load } from './reports/load.ts';
import { measure, print } from './reports/measure.ts';
import { type SwitchyardServer, startSwitchyardServer, switchyardQueries } from './reports/switchyard-queries.ts';

const ROWS = 1_000_000;
const ROWS_PER_SECOND_MIN = 30_000;
const MEBIBYTE = 1_048_576;
const LINE_FEED = 10;

/**
 * Downloads a file of payments of all merchants, a million at most, and prints its rate. `fresh` is for rows not read before: the
 * disk, which is measured then, has no limit.
 */
async function measureExport(server: SwitchyardServer, format: 'csv' | 'ndjson', fresh: boolean): Promise<void> {
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

/** The end of the year of payments: fixed, so that every run reads the same rows. */
const UNTIL = new Date('2026-11-20T17:00:00Z');

const { values } = parseArgs({
  options: { load: { type: 'string' }, events: { type: 'boolean', default: false }, ask: { type: 'boolean', default: false } },
});
const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name the database: npm run bench -- reports creates one');
const log = (line: string) => process.stdout.write(`${line} (load ${loadavg()[0]?.toFixed(1)})\n`);

if (values.load !== undefined) {
  await load({ url: databaseUrl, payments: Number(values.load), events: values.events, until: UNTIL, log });
  const began = performance.now();
  await rebuildRollups(databaseUrl);
  log(`roll-ups: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
if (values.ask) await measureAll(databaseUrl);

async function measureAll(url: string): Promise<void> {
  const { largest, size } = await describeData(url);
  log(`\n${size}; ${cpus().length} processors; every query over HTTP, one at a time`);
  const switchyard = await startSwitchyardServer(url);
  try {
    for (const query of await switchyardQueries(switchyard, UNTIL, largest)) await measure(query);
    await measureExport(switchyard, 'csv', true);
    for (const format of ['csv', 'ndjson'] as const) await measureExport(switchyard, format, false);
  } finally {
    await switchyard.close();
  }
}

async function describeData(url: string): Promise<{ readonly largest: string; readonly size: string }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ largest: string; size: string }>(
      `WITH days AS MATERIALIZED (SELECT merchant_id, payments FROM payment_rollup WHERE detail = 'rules' AND step = 'day')
      SELECT (SELECT id FROM bench_merchant WHERE place = 0) AS largest,
        (SELECT sum(payments) FROM days) || ' counted payments, of the largest merchant '
          || (SELECT sum(payments) FROM days WHERE merchant_id = (SELECT id FROM bench_merchant WHERE place = 0))
          || '; sums by day ' || (SELECT count(*) FROM days) || ', of all kinds ' || (SELECT count(*) FROM payment_rollup)
          || '; database of ' || pg_size_pretty(pg_database_size(current_database())) AS size`,
    );
    if (rows[0] === undefined) throw new Error('nothing was loaded');
    return rows[0];
  } finally {
    await client.end();
  }
}
