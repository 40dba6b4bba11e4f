import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { type Database, openDatabase } from '../connect.ts';
import { openReports, type Reports } from '../read-only-pool.ts';

export { untilHintsGiven } from '../jobs.ts';
export { type DrawnRow, openRowDrawing, type RowDrawing } from './draw-rows.ts';
export { statementsDuring } from './statements-during.ts';

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
export const TEST_CONNECTION = { acquireTimeoutMs: 60_000 } as const;

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

/**
 * Searches output (answers, lines of the log) and every row of every table for secrets: in clear, in JSON, percent-encoded, in hexadecimal,
 * and within base64 of anything around them. Returns a line for each find.
 */
export async function findLeaks(
  database: Pick<TestDatabase, 'pool'>,
  secrets: readonly string[],
  output: readonly string[],
): Promise<readonly string[]> {
  const needles = [...new Set(secrets.flatMap(formsOf))];
  const findIn = (text: string, among: readonly string[]) => {
    const lower = text.toLowerCase();
    return among.filter((needle) => text.includes(needle) || lower.includes(needle));
  };
  const find = (where: string, texts: readonly string[]) => {
    // First in all texts as one, which a needle passes over in steps of its own length.
    const found = findIn(texts.join('\n'), needles);
    if (found.length === 0) return [];
    return texts.flatMap((text) =>
      findIn(text, found).map((needle) => `${needle.slice(0, 16)}… in ${where}: ${around(text, needle)}`),
    );
  };
  const leaks = find('an answer or the log', output);
  for (const table of await tables(database)) {
    // Binary columns are text in hexadecimal.
    const { rows } = await database.pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM ${table} AS t`);
    const texts = rows.map(({ row }) => row);
    leaks.push(...find(`table ${table}`, texts));
  }
  return leaks;
}

const AROUND = 150;

function around(text: string, needle: string): string {
  const at = Math.max(0, text.indexOf(needle));
  return text.slice(Math.max(0, at - AROUND), at + needle.length + AROUND);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret), bytes.toString('hex')];
  // Within base64 the first and last characters depend on what is around, and all on the offset.
  for (const offset of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64url');
    const core = encoded.slice(Math.ceil((offset * 8) / 6), Math.floor(((offset + bytes.length) * 8) / 6));
    forms.push(core, core.replaceAll('-', '+').replaceAll('_', '/'));
  }
  return forms;
}

/** Every table, the job queue's included. */
export async function tables(database: Pick<TestDatabase, 'pool'>): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
     WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}

/** Databases whose statements can be interrupted. */
export interface InterruptedDatabases {
  readonly database: Database;
  readonly reports: Reports;
}

/** A read, and a change that is committed while it runs, both of rows of their own. */
export interface ReadAndChange<Answer> {
  read(databases: InterruptedDatabases): Promise<Answer>;
  /** Runs on other connections than the read. */
  change(): Promise<void>;
}

const STATEMENTS_MAX = 200;

/**
 * Runs a read again and again, with a change committed before its second statement, before its third, and so on, as long as there is
 * such a statement: `prepare` makes rows for each run. Returns all answers: those of a read in one snapshot show nothing of the change, or
 * all of it.
 */
export async function answersWithCommitBetweenReads<Answer>(
  url: string,
  prepare: () => Promise<ReadAndChange<Answer>>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let gap = 1; gap < STATEMENTS_MAX; gap += 1) {
    const { read, change } = await prepare();
    let statements = 0;
    let changed: Promise<void> | null = null;
    const interrupt = async (): Promise<void> => {
      statements += 1;
      if (statements === gap + 1) changed = change();
      // The read goes on after a change that failed, which fails below.
      await changed?.catch(() => undefined);
    };
    const databases = openInterrupted(url, interrupt);
    try {
      answers.push(await read(databases));
    } finally {
      await Promise.all([databases.database.close(), databases.reports.close()]);
    }
    if (changed === null) return answers;
    await changed;
  }
  throw new Error(`the read has ${STATEMENTS_MAX} statements or more`);
}

function openInterrupted(url: string, interrupt: () => Promise<void>): InterruptedDatabases {
  const onConnection = (connection: object): void => interruptStatements(connection, interrupt);
  return {
    database: openDatabase({ url, maxConnections: 4, ...TEST_CONNECTION, onConnection }),
    reports: openReports({ url, ...TEST_CONNECTION, onIdleError: () => undefined, onConnection }),
  };
}

/** Statements that begin or end a transaction, or set up a connection, read nothing. */
const NO_READ = /^\s*(BEGIN|COMMIT|ROLLBACK|SET|SELECT set_config)\b/i;

/** Has something done before each statement of a connection that reads. */
function interruptStatements(connection: object, interrupt: () => Promise<void>): void {
  const send: unknown = Reflect.get(connection, 'query');
  if (typeof send !== 'function') throw new Error('a connection has no method `query`');
  const query = (...args: readonly unknown[]): unknown => {
    const [first] = args;
    const text: unknown = typeof first === 'object' && first !== null ? Reflect.get(first, 'text') : first;
    if (typeof text === 'string' && NO_READ.test(text)) return Reflect.apply(send, connection, args);
    const sent = interrupt().then((): unknown => Reflect.apply(send, connection, args));
    return typeof args.at(-1) === 'function' ? undefined : sent;
  };
  Object.assign(connection, { query });
}
