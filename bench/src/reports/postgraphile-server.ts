import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { firstLine } from './first-line.ts';

export interface PostgraphileServer {
  readonly url: string;
  readonly about: string;
  close(): Promise<void>;
}

/** A package of its own: two hundred libraries that only this benchmark needs. */
const FOLDER = join(import.meta.dirname, '../../postgraphile');

/** PostGraphile on the same database, in a process of its own; installed on first use. */
export async function startPostgraphileServer(databaseUrl: string): Promise<PostgraphileServer> {
  if (!existsSync(join(FOLDER, 'node_modules'))) {
    console.log('Installing PostGraphile, once.');
    const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: FOLDER,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) throw new Error('PostGraphile could not be installed');
  }
  await hideRollups(databaseUrl);
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: FOLDER,
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'production', GRAPHILE_ENV: 'production' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  const url = await Promise.race([firstLine(child.stdout), ended.then(() => null)]);
  if (url === null) throw new Error('PostGraphile ended before it listened');
  return {
    url,
    about: 'PostGraphile 5.1.5 with connection-filter 4.0.1 and pg-aggregates 0.2.0-rc.2, without authentication',
    async close() {
      child.stdin.end();
      await ended;
    },
  };
}

/** PostGraphile has a type for sums of payments, whose name clashes with that of our roll-up table. */
async function hideRollups(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`COMMENT ON TABLE payment_rollup IS '@behavior -*'`);
  await client.end();
}
