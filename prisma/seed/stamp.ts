import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import pg from 'pg';

/** The stamp of the last seeding, enough to detect any change since. */
interface Stamp {
  /** Hash of every input besides the database: code, environment, written files. */
  readonly fingerprint: string;
  /** Revision of each demo merchant's configuration. Every change of keys, accounts or rules increments it. */
  readonly revisions: Readonly<Record<string, number>>;
  readonly staffEmail: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const TIMEOUT_MS = 2_000;
/** Names of the files beside the demo file: what the sandbox has to be told, and the stamp. */
export const SANDBOX_FILE = 'sandbox.json';
export const STAMP_FILE = 'seed.json';

/**
 * Whether the demo is unchanged since the last seeding. False when in doubt: seeding again is harmless. Runs two plain queries,
 * because opening the database the usual way takes longer than everything else.
 */
export async function isSettled(environment: Environment): Promise<boolean> {
  const { DATABASE_URL: connectionString, SWITCHYARD_DEMO_FILE: demoFile } = environment;
  if (!connectionString || !demoFile) return false;
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: TIMEOUT_MS, query_timeout: TIMEOUT_MS });
  try {
    const stamp: Stamp = JSON.parse(await readFile(join(dirname(demoFile), STAMP_FILE), 'utf8'));
    if (stamp.fingerprint !== (await fingerprint(environment, demoFile))) return false;
    await client.connect();
    return (await areRevisionsCurrent(client, stamp)) && (await isStaffThere(client, stamp));
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** The stamp for {@link isSettled}, written last. */
export async function stampContent(
  environment: Environment,
  demoFile: string,
  state: Pick<Stamp, 'revisions' | 'staffEmail'>,
): Promise<Stamp> {
  return { fingerprint: await fingerprint(environment, demoFile), ...state };
}

async function areRevisionsCurrent(client: pg.Client, { revisions }: Stamp): Promise<boolean> {
  const { rows } = await client.query<{ id: string; revision: number }>(
    'SELECT merchant_id AS id, revision FROM configuration_revision WHERE merchant_id = ANY($1)',
    [Object.keys(revisions)],
  );
  return rows.length === Object.keys(revisions).length && rows.every(({ id, revision }) => revisions[id] === revision);
}

async function isStaffThere(client: pg.Client, { staffEmail }: Stamp): Promise<boolean> {
  return (await client.query('SELECT 1 FROM staff_user WHERE email = $1', [staffEmail])).rows.length === 1;
}

async function fingerprint(environment: Environment, demoFile: string): Promise<string> {
  const { dirname: here } = import.meta;
  const files = await readdir(here, { recursive: true, withFileTypes: true });
  const code = files.flatMap((file) => (file.isFile() ? [join(file.parentPath, file.name)] : [])).toSorted();
  // The job queue's tables depend on the version named here.
  const queue = join(here, '..', '..', 'packages', 'db', 'package.json');
  // A gateway more means an account more.
  const registries = ['apps/sandbox/src/simulators.ts', 'packages/gateways/src/registry.ts'].map((path) =>
    join(here, '..', '..', path),
  );
  const written = [demoFile, join(dirname(demoFile), SANDBOX_FILE)];
  const contents = await Promise.all([...code, queue, ...registries, ...written].map((path) => readFile(path, 'utf8')));
  const settings = Object.entries(environment).filter(([name]) => name.startsWith('SWITCHYARD_'));
  const all = JSON.stringify([settings.toSorted(([first], [second]) => (first < second ? -1 : 1)), contents]);
  return createHash('sha256').update(all).digest('hex');
}
