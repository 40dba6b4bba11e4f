import pg from 'pg';

/** PostgreSQL's code for what went wrong, and the code the Prisma CLI knows it by. */
const PRISMA_CODES = new Map([
  ['3D000', 'P1003'],
  ['42P04', 'P1009'],
  ['28P01', 'P1000'],
  ['28000', 'P1010'],
]);
const UNREACHABLE = 'P1001';

/**
 * @param {string} url
 * @param {(client: pg.Client) => Promise<unknown>} [use]
 */
async function withConnection(url, use) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    await use?.(client);
  } finally {
    await client.end();
  }
}

/**
 * @param {string} command
 * @param {string} databaseUrl
 */
async function run(command, databaseUrl) {
  const url = new URL(databaseUrl);
  const database = pg.escapeIdentifier(decodeURIComponent(url.pathname.slice(1)) || 'postgres');
  const maintenance = new URL(url);
  maintenance.pathname = '/postgres';
  switch (command) {
    case 'can-connect-to-database':
      return withConnection(databaseUrl);
    case 'create-database':
      return withConnection(maintenance.toString(), (client) => client.query(`CREATE DATABASE ${database}`));
    case 'drop-database':
      return withConnection(maintenance.toString(), (client) => client.query(`DROP DATABASE ${database} WITH (FORCE)`));
    default:
      throw new Error(`Unknown command ${command}`);
  }
}

/**
 * Runs one of the engine's administrative commands: `can-connect-to-database`, `create-database` or `drop-database`.
 * Returns the exit code; a failure is described on stderr as the JSON line the CLI reads.
 *
 * @param {string} command
 * @param {string} databaseUrl
 * @returns {Promise<number>}
 */
export async function administer(command, databaseUrl) {
  try {
    await run(command, databaseUrl);
    return 0;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const cause = error instanceof Error && 'code' in error ? String(error.code) : '';
    const fields = { error_code: PRISMA_CODES.get(cause) ?? UNREACHABLE, message };
    console.error(`\n${JSON.stringify({ level: 'ERROR', target: 'schema_engine::logger', fields })}`);
    return 1;
  }
}
