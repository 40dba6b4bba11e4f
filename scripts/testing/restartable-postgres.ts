/**
 * A private PostgreSQL server for a program that tests restarts: started as a child with an IPC channel, it sends the server's
 * address once it runs with every migration applied, and restarts the server on each message. Ends with the channel.
 */
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { waitUntilGone } from '../bootstrap/processes.mjs';
import { startPostgres } from '../stack/postgres.ts';
import { stopPrograms } from '../stack/programs.ts';
import { createMigratedDatabase, startMigratedPostgres } from './postgres-for-tests.ts';
import { removeServers, temporaryFolder } from './server-folder.ts';

const DATABASE = 'chaos';
const GONE_LIMIT_MS = 30_000;
/**
 * Answered commits have to survive the server's end, though not the machine's. Durable commits are for the product to ask for: by
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

const orderSchema = z.object({
  /** `immediate` ends the server as a crash would: it recovers from its log. */
  restart: z.enum(['fast', 'immediate']),
  /** How long it stays away. */
  awayMs: z.int().min(0).max(60_000),
});

const folder = temporaryFolder('chaos');
const options = { directory: join(folder, 'postgres'), log: join(folder, 'postgres.log'), settings: SETTINGS };

let server = await startMigratedPostgres(options);
await createMigratedDatabase(server.url('postgres'), DATABASE);
let work: Promise<void> = Promise.resolve();
process.on('message', (message) => {
  work = work.then(() => restart(orderSchema.parse(message)));
});
process.once('disconnect', () => {
  work.then(end).finally(() => process.exit());
});
process.send?.({ url: server.url(DATABASE) });

async function restart(order: z.output<typeof orderSchema>): Promise<void> {
  process.kill(server.process.pid, order.restart === 'fast' ? 'SIGINT' : 'SIGQUIT');
  if (!(await waitUntilGone(server.process, GONE_LIMIT_MS))) throw new Error('the server did not go');
  await pause(order.awayMs);
  server = await startPostgres(options);
  process.send?.({ url: server.url(DATABASE) });
}

async function end(): Promise<void> {
  await stopPrograms();
  removeServers(folder, [server]);
}
