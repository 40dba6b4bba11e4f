/**
 * A private PostgreSQL server for a program that tests restarts: started as a child with an IPC channel, it sends the server's
 * address once it runs with every migration applied, and restarts the server on each message. Ends with the channel.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { dismissGuard } from '../stack/guard.ts';
import { migrationNames, withConnection } from '../stack/migrations.ts';
import { type PostgresServer, startPostgres } from '../stack/postgres.ts';
import { waitUntilGone } from '../stack/processes.ts';
import { createTemplateDatabase } from './template-database.ts';

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));
const DATABASE = 'chaos';
const GONE_LIMIT_MS = 30_000;
/**
 * What was answered has to survive the server's end, though not the machine's. Durable commits are for the product to ask for: by
 * default this server answers first and writes up to ten seconds later. When each row was committed is asked afterwards.
 */
const SETTINGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  track_commit_timestamp: 'on',
  checkpoint_timeout: '60s',
  max_connections: '200',
};

const orders = z.object({
  /** `immediate` ends the server as a crash would: it recovers from its log. */
  restart: z.enum(['fast', 'immediate']),
  /** How long it stays away. */
  awayMs: z.int().min(0).max(60_000),
});

const folder = mkdtempSync(join(tmpdir(), 'switchyard-chaos-'));
chmodSync(folder, 0o755); // as root, the server runs under another account, which has to get in
const options = { directory: join(folder, 'postgres'), log: join(folder, 'postgres.log'), settings: SETTINGS };

let server: PostgresServer = await startPostgres(options);
await createTemplateDatabase(server.url('postgres'), MIGRATIONS);
await withConnection(server.url('postgres'), (client) =>
  client.query(`CREATE DATABASE ${DATABASE} TEMPLATE switchyard_template`),
);
let work: Promise<void> = Promise.resolve();
process.on('message', (message) => {
  work = work.then(() => restart(orders.parse(message)));
});
process.once('disconnect', () => {
  work.then(end).finally(() => process.exit());
});
say({ url: server.url(DATABASE), migrations: migrationNames(MIGRATIONS).length });

async function restart(order: z.output<typeof orders>): Promise<void> {
  const { process: running } = server;
  process.kill(running.pid, order.restart === 'fast' ? 'SIGINT' : 'SIGQUIT');
  if (!(await waitUntilGone(running, GONE_LIMIT_MS))) throw new Error('the server did not go');
  await pause(order.awayMs);
  server = await startPostgres(options);
  say({ url: server.url(DATABASE) });
}

async function end(): Promise<void> {
  await server.stop();
  for (const each of [folder, server.movedTo]) if (each) rmSync(each, { recursive: true, force: true });
  await dismissGuard();
}

function say(message: object): void {
  process.send?.(message);
}
