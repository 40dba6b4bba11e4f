import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../connect.ts';

declare module 'vitest' {
  interface ProvidedContext {
    adminDatabaseUrl: string;
    /** The same for the worker nodes of a cluster whose coordinator it is; none without a cluster. */
    nodeDatabaseUrls: readonly string[];
  }
}

/**
 * How long a suite's own processes wait for a connection: far beyond what the product allows, so that a machine that is busy with
 * other suites fails none.
 */
export const TEST_CONNECTION = { acquireTimeoutMs: 20_000 } as const;

/** A database of one test suite and its connection string. */
export interface TestDatabase extends Database {
  readonly url: string;
}

/** A database of its own for one suite, with every migration applied and the tables of the job queue; `close` drops it. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const adminUrl = inject('adminDatabaseUrl');
  const nodeUrls = [adminUrl, ...inject('nodeDatabaseUrls')];
  const name = `suite_${randomUUID().replaceAll('-', '')}`;
  // Copied as files, which takes half the time of copying them through the log.
  await onAll(nodeUrls, `CREATE DATABASE ${name} TEMPLATE switchyard_template STRATEGY FILE_COPY`);
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  await beginEpoch(nodeUrls, name);
  const database = openDatabase({ url: url.href, maxConnections: 12, ...TEST_CONNECTION });
  return {
    ...database,
    url: url.href,
    async close() {
      await database.close();
      await dropEverywhere(nodeUrls, name);
    },
  };
}

/** The copies of the template are no restored ones: no rows of theirs were lost. */
async function beginEpoch(urls: readonly string[], name: string): Promise<void> {
  const [first = '', ...nodes] = urls.map((url) => Object.assign(new URL(url), { pathname: `/${name}` }).href);
  const identities = await Promise.all(nodes.map((url) => queryOnce(url, 'SELECT database_identity() AS identity', [])));
  const rows = identities.flat().map(({ identity }) => identity);
  const values = `SELECT database_identity() UNION SELECT unnest($1::text[])`;
  await queryOnce(first, `INSERT INTO database_epoch SELECT identity, to_timestamp(0) FROM (${values}) AS here (identity)`, [
    rows,
  ]);
}

async function queryOnce(url: string, text: string, values: readonly unknown[]): Promise<readonly { identity: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ identity: string }>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

/** A server of a cluster may connect to another one's database while that is being dropped. */
const DROPS_MAX = 5;

async function dropEverywhere(urls: readonly string[], name: string): Promise<void> {
  for (let drops = 1; ; drops++) {
    try {
      return await onAll(urls, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    } catch (error) {
      if (drops === DROPS_MAX) throw error;
    }
  }
}

/** One connection to each server for administration, kept for the suites after this one: to open one costs as much as dozens of statements. */
const admins = new Map<string, pg.Pool>();

function adminAt(url: string): pg.Pool {
  const known = admins.get(url);
  if (known !== undefined) return known;
  const admin = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0, allowExitOnIdle: true });
  admin.on('error', () => undefined); // the server has stopped, after all suites
  admins.set(url, admin);
  return admin;
}

async function onAll(urls: readonly string[], statement: string): Promise<void> {
  await Promise.all(urls.map((url) => adminAt(url).query(statement)));
}
