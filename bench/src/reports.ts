import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { rebuildRollups } from '@switchyard/reporting';
import pg from 'pg';
import { measureExport } from './reports/export.ts';
import { load } from './reports/load.ts';
import { measure } from './reports/measure.ts';
import { ourQuestions } from './reports/our-questions.ts';
import { startOurServer } from './reports/our-server.ts';
import { theirQuestions } from './reports/their-questions.ts';
import { startTheirServer } from './reports/their-server.ts';

/** The end of the year of payments: fixed, so that the same questions are asked of the same rows. */
const UNTIL = new Date('2026-11-20T17:00:00Z');

const { values } = parseArgs({
  options: { load: { type: 'string' }, events: { type: 'boolean', default: false }, ask: { type: 'boolean', default: false } },
});
const databaseUrl = process.env.DATABASE_URL;
if (databaseUrl === undefined) throw new Error('DATABASE_URL must name the database: npm run bench:reports makes one');
const tell = (line: string) => process.stdout.write(`${line} (load ${loadavg()[0]?.toFixed(1)})\n`);

if (values.load !== undefined) {
  await load({ url: databaseUrl, payments: Number(values.load), events: values.events, until: UNTIL, tell });
  const began = performance.now();
  await rebuildRollups(databaseUrl);
  tell(`sums made of them: ${((performance.now() - began) / 1_000).toFixed(0)} s`);
}
if (values.ask) await ask(databaseUrl);

async function ask(url: string): Promise<void> {
  const { largest, size } = await whatIsThere(url);
  tell(`\n${size}; ${cpus().length} processors; every question asked over HTTP, one at a time`);
  const ours = await startOurServer(url);
  try {
    process.stdout.write('\nOurs\n');
    for (const question of await ourQuestions(ours, UNTIL, largest)) await measure(question);
    await measureExport(ours, 'csv', true);
    for (const format of ['csv', 'ndjson'] as const) await measureExport(ours, format, false);
  } finally {
    await ours.close();
  }
  const theirs = await startTheirServer(url);
  try {
    process.stdout.write(`\n${theirs.about}\n`);
    for (const question of await theirQuestions(theirs, UNTIL, largest)) await measure(question);
  } finally {
    await theirs.close();
  }
}

async function whatIsThere(url: string): Promise<{ readonly largest: string; readonly size: string }> {
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
