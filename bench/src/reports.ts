import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { rebuildRollups } from '@switchyard/reporting/rollups';
import pg from 'pg';
import { measureExport } from './reports/export.ts';
import { load } from './reports/load.ts';
import { measure } from './reports/measure.ts';
import { startSwitchyardServer, switchyardQueries } from './reports/switchyard-queries.ts';

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
