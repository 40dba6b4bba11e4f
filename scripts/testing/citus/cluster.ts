import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '../../bootstrap/problem.mjs';
import { inDatabase, withConnection } from '../../stack/database.ts';
import { type PostgresServer, startPostgres } from '../../stack/postgres.ts';
import { packagedPostgres } from '../../stack/postgres-files.ts';
import type { Project } from '../../stack/project.ts';
import { removeServers, THROWAWAY_SETTINGS, temporaryFolder } from '../server-folder.ts';

/** A coordinator and its worker nodes, on this machine. */
export interface CitusCluster {
  readonly coordinator: PostgresServer;
  readonly workers: readonly PostgresServer[];
  /** Ends one of the servers as a crash would, and starts it after so long at the same address. */
  restart(server: PostgresServer, awayMs: number): Promise<PostgresServer>;
  stop(): Promise<void>;
}

/** Options of {@link startCitusCluster}. */
export interface CitusClusterOptions {
  /** The files of its servers go below it; those that are there keep their data. */
  readonly folder: string;
  readonly workers: number;
  /** Settings of every server. */
  readonly settings: Readonly<Record<string, string>>;
}

/** Built for the PostgreSQL that the packages carry for Linux on x64; its source is at https://github.com/citusdata/citus. */
const ARCHIVE = 'scripts/testing/citus/citus-14.0.1-postgresql-18-linux-x64.tar.gz';
const ADDRESS = '127.0.0.1';

const NODE_SETTINGS = {
  shared_preload_libraries: 'citus',
  // Moving a shard while it is written to takes logical replication.
  wal_level: 'logical',
  max_connections: '300',
  max_prepared_transactions: '300',
  // One for each database: the extension's maintenance.
  max_worker_processes: '64',
  'citus.node_conninfo': 'sslmode=disable',
};

/** A copy of the embedded PostgreSQL with the extension laid over it. Throws a Problem on a machine that it was not built for. */
function citusPrograms({ root }: Project, folder: string): string {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Problem('The Citus that comes with the tests runs on Linux x64 alone.', [
      'Run these suites there, in a container for example.',
    ]);
  }
  const programs = join(folder, 'postgresql');
  if (existsSync(programs)) return programs;
  const unfinished = `${programs}.unfinished`;
  mkdirSync(folder, { recursive: true });
  cpSync(packagedPostgres(), unfinished, { recursive: true, verbatimSymlinks: true });
  const { status, stderr, error } = spawnSync('tar', ['xzf', join(root, ARCHIVE), '-C', unfinished], { encoding: 'utf8' });
  if (status !== 0) throw new Problem('The Citus that comes with the tests could not be unpacked.', [stderr || String(error)]);
  renameSync(unfinished, programs);
  return programs;
}

/** Starts the servers of a cluster. They know nothing of each other until {@link createClusterDatabase}. */
export async function startCitusCluster(
  project: Project,
  { folder, workers, settings }: CitusClusterOptions,
): Promise<CitusCluster> {
  const programs = citusPrograms(project, folder);
  const start = (name: string): Promise<PostgresServer> =>
    startPostgres({
      directory: join(folder, name),
      log: join(folder, `${name}.log`),
      settings,
      programs,
      trusting: true,
    });
  const names = ['coordinator', ...Array.from({ length: workers }, (_, index) => `worker-${index + 1}`)];
  const [coordinator, ...others] = await Promise.all(names.map(start));
  if (coordinator === undefined) throw new Error('a cluster has a coordinator');
  const servers = [coordinator, ...others];
  return {
    coordinator,
    workers: others,
    async restart(server, awayMs) {
      const at = servers.indexOf(server);
      process.kill(server.process.pid, 'SIGQUIT');
      await server.exited;
      await pause(awayMs);
      const again = await start(names[at] ?? '');
      servers[at] = again;
      if (again.url('') !== server.url(''))
        throw new Error('a server came back at another address: another program took its port');
      return again;
    },
    async stop() {
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** A cluster whose files go away with it, with one database. */
export interface ThrowawayCluster extends Pick<CitusCluster, 'coordinator' | 'workers' | 'restart' | 'stop'> {
  /** Address of the database at the coordinator. */
  readonly url: string;
}

/** Starts a cluster with an empty database whose nodes are all workers but the last ones, as many as are to be spare. */
export async function startThrowawayCluster(
  project: Project,
  { workers, spare = 0, shards, database, settings }: ThrowawayClusterOptions,
): Promise<ThrowawayCluster> {
  const folder = temporaryFolder('citus');
  const all = { ...THROWAWAY_SETTINGS, 'citus.shard_count': String(shards), ...NODE_SETTINGS, ...settings };
  const cluster = await startCitusCluster(project, { folder, workers: workers + spare, settings: all });
  const stop = async (): Promise<void> => {
    await cluster.stop();
    removeServers(folder, [cluster.coordinator, ...cluster.workers]);
  };
  try {
    const { coordinator, workers: nodes } = addressesOf(cluster);
    const url = await createClusterDatabase({ coordinator, workers: nodes.slice(0, workers) }, database);
    await Promise.all(nodes.slice(workers).map((server) => prepareServer(server, database)));
    return { ...cluster, url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Options of {@link startThrowawayCluster}. */
export interface ThrowawayClusterOptions {
  readonly workers: number;
  /** Servers that are ready to become nodes; see {@link addNode}. */
  readonly spare?: number;
  /** Parts of each table. */
  readonly shards: number;
  readonly database: string;
  /** Settings in place of those of a cluster that has to outlive nothing. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Addresses of the servers' databases for administration. */
export interface ClusterAddresses {
  readonly coordinator: string;
  readonly workers: readonly string[];
}

/** Addresses of a running cluster. */
export function addressesOf({ coordinator, workers }: CitusCluster): ClusterAddresses {
  return { coordinator: coordinator.url('postgres'), workers: workers.map((worker) => worker.url('postgres')) };
}

/** Creates a database on every server of a cluster, with the extension, joined to one. Returns its address at the coordinator. */
export async function createClusterDatabase({ coordinator, workers }: ClusterAddresses, name: string): Promise<string> {
  await Promise.all([coordinator, ...workers].map((server) => prepareServer(server, name)));
  const url = inDatabase(coordinator, name);
  await withConnection(url, (client) =>
    client.query('SELECT citus_set_coordinator_host($1, $2)', [ADDRESS, portOf(coordinator)]),
  );
  for (const worker of workers) await addNode(url, worker);
  return url;
}

async function prepareServer(server: string, name: string): Promise<void> {
  await withConnection(server, (client) => client.query(`CREATE DATABASE ${name}`));
  await withConnection(inDatabase(server, name), (client) => client.query('CREATE EXTENSION citus'));
}

/** Makes a server a node of a database's cluster. */
export async function addNode(url: string, worker: string): Promise<void> {
  await withConnection(url, (client) => client.query('SELECT citus_add_node($1, $2)', [ADDRESS, portOf(worker)]));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
