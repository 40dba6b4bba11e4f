import type { RequestListener } from 'node:http';
import type { Database } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';

/* A small program for a logical process: what it loses when it is killed can be seen from outside. */

const TICK_MS = 1_000;
/** After two ticks: the database does nothing else while a transaction is open. */
const TRANSACTION_AFTER_MS = 2_500;
const TRANSACTION_MS = 5_000;
const ANSWER_MS = 5_000;

/**
 * Counts in memory every second and notes each count in the database, in the name of this run; holds one transaction open for five
 * seconds; answers requests after as long.
 */
export async function keepNotes(run: string, url: string): Promise<RequestListener> {
  const database = openDatabase({ url });
  let ticks = 0;
  setInterval(() => {
    ticks++;
    database.batches.query('INSERT INTO tick (run, count) VALUES ($1, $2)', [run, ticks]).catch(() => undefined);
  }, TICK_MS);
  setTimeout(() => void holdTransaction(database, run), TRANSACTION_AFTER_MS);
  return (_request, response) => void setTimeout(() => response.writeHead(200).end(), ANSWER_MS);
}

async function holdTransaction({ pool }: Database, run: string): Promise<void> {
  const client = await pool.connect();
  await client.query('BEGIN');
  await client.query('INSERT INTO transaction_of (run) VALUES ($1)', [run]);
  setTimeout(() => void client.query('COMMIT').catch(() => undefined), TRANSACTION_MS);
}
