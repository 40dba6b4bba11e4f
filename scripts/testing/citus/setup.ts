import type { TestProject } from 'vitest/node';
import { SESSION_SETTINGS } from '../../distribute/cluster.ts';
import { distribute } from '../../distribute/distribute.ts';
import { withConnection } from '../../stack/database.ts';
import { thisProject } from '../../stack/project.ts';
import { migrateDatabase, TEMPLATE_DATABASE } from '../postgres-for-tests.ts';
import { addressesOf, startThrowawayCluster, type ThrowawayCluster } from './cluster.ts';

/**
 * Keeps the record of every transaction that was prepared on a node, for suites that count them. What `database distribute` sets for its database is
 * set for all: a copy of a database has none of its settings.
 */
const SETTINGS = { 'citus.recover_2pc_interval': '-1', ...SESSION_SETTINGS };

/** Parts of each table. Every suite copies the files of all of them. */
const SHARDS = 4;

/**
 * Starts a cluster with a distributed template, of which each suite's database is a copy on every server: what a server knows of the others
 * is in the database, and is copied with it.
 */
async function startCluster(): Promise<ThrowawayCluster> {
  const project = thisProject();
  const cluster = await startThrowawayCluster(project, {
    workers: 2,
    shards: SHARDS,
    database: TEMPLATE_DATABASE,
    settings: SETTINGS,
  });
  try {
    await migrateDatabase(cluster.url, project.migrations);
    await withConnection(cluster.url, (client) => distribute(client, { tell: () => undefined }));
    // A template that someone is connected to cannot be copied, and the extension keeps a connection of its own.
    const { coordinator, workers } = addressesOf(cluster);
    for (const server of [coordinator, ...workers]) {
      await withConnection(server, async (client) => {
        await client.query(`ALTER DATABASE ${TEMPLATE_DATABASE} ALLOW_CONNECTIONS false`);
        await client.query('SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = $1', [
          TEMPLATE_DATABASE,
        ]);
      });
    }
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

/** Vitest calls this once before all suites, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  const { coordinator, workers } = addressesOf(cluster);
  project.provide('adminDatabaseUrl', coordinator);
  project.provide('nodeDatabaseUrls', workers);
  return () => cluster.stop();
}
