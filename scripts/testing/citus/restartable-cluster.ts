/**
 * A private Citus cluster for a program that measures one or breaks it: started as a child with an IPC channel, it sends its servers once an
 * empty database is on each of them, and again after each order that it has carried out. Ends with the channel.
 */
import { z } from 'zod';
import type { PostgresServer } from '../../stack/postgres.ts';
import { stopPrograms } from '../../stack/programs.ts';
import { thisProject } from '../../stack/project.ts';
import { addNode, startThrowawayCluster } from './cluster.ts';

const DATABASE = 'switchyard';

const optionsSchema = z.object({
  workers: z.int().min(1).max(8),
  /** Servers that an order can make nodes. */
  spare: z.int().min(0).max(4),
  shards: z.int().min(1).max(64),
  /** Settings of every server, in place of those of a cluster that has to outlive nothing. */
  settings: z.record(z.string(), z.string()),
});

const orderSchema = z.union([
  z.object({
    /** Which server ends as by a crash: the coordinator is 0, its nodes follow. */
    restart: z.int().min(0),
    /** How long it stays away. */
    awayMs: z.int().min(0).max(600_000),
  }),
  /** Which spare server becomes a node. */
  z.object({ add: z.int().min(0) }),
]);

const { workers, spare, shards, settings } = optionsSchema.parse(JSON.parse(process.env.CLUSTER ?? '{}'));
const cluster = await startThrowawayCluster(thisProject(), { workers, spare, shards, settings, database: DATABASE });
const servers = [cluster.coordinator, ...cluster.workers];

let work: Promise<void> = Promise.resolve();
process.on('message', (message) => {
  work = work.then(() => carryOut(orderSchema.parse(message)));
});
process.once('disconnect', () => {
  work.then(end).finally(() => process.exit());
});
tell();

async function carryOut(order: z.output<typeof orderSchema>): Promise<void> {
  if ('add' in order) await addNode(cluster.url, serverAt(1 + workers + order.add).url('postgres'));
  else servers[order.restart] = await cluster.restart(serverAt(order.restart), order.awayMs);
  tell();
}

function serverAt(index: number): PostgresServer {
  const server = servers[index];
  if (server === undefined) throw new Error(`there is no server ${index}`);
  return server;
}

function tell(): void {
  process.send?.({ servers: servers.map((server) => ({ url: server.url(DATABASE), pid: server.process.pid })) });
}

async function end(): Promise<void> {
  await stopPrograms();
  await cluster.stop();
}
