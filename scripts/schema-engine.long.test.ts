import { execFile, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { prismaCommand } from './stack/database.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const LIMIT_MS = 240_000;
const SCHEMA = `generator client {
  provider = "prisma-client"
  output   = "../client"
}
datasource db {
  provider = "postgresql"
}
model Coin {
  id   Int    @id
  name String @unique
}
`;
/** SQL that the schema language cannot express, with semicolons where a naive splitter would cut. */
const BY_HAND = `-- Names are short; nobody needs longer ones.
ALTER TABLE "Coin" ADD CONSTRAINT "short_name" CHECK (length("name") < 10);
CREATE FUNCTION twice(n integer) RETURNS integer LANGUAGE plpgsql AS $$ BEGIN n := n + n; RETURN n; END $$;
`;

const DIFF = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma', '--exit-code'];

let folder: string;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

function databaseUrl(name: string): string {
  const url = new URL(inject('adminDatabaseUrl'));
  url.pathname = `/${name}`;
  return url.href;
}

async function prisma(database: string, ...args: string[]): Promise<Outcome> {
  const command = prismaCommand(ROOT, args, { ...process.env, DATABASE_URL: databaseUrl(database) });
  return new Promise((done) => {
    const options = { cwd: folder, env: command.env, timeout: LIMIT_MS };
    execFile(command.command, command.args, options, (error, stdout, stderr) => {
      done({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, output: `${stdout}${stderr}` });
    });
  });
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function query(database: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl(database) });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'switchyard-prisma-'));
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  cpSync(join(ROOT, 'prisma.config.ts'), join(folder, 'prisma.config.ts'));
  write('prisma/schema.prisma', SCHEMA);
  for (const name of ['engine_dev', 'engine_deploy']) {
    await query('postgres', `DROP DATABASE IF EXISTS ${name}`);
    await query('postgres', `CREATE DATABASE ${name}`);
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the Prisma CLI over the WebAssembly engine', { timeout: LIMIT_MS }, () => {
  it('writes a migration from the schema, applies it and generates the client', async () => {
    expect(await prisma('engine_dev', 'migrate', 'dev', '--name', 'coins')).toMatchObject({ code: 0 });
    const [name] = readdirSync(join(folder, 'prisma/migrations')).filter((entry) => entry.endsWith('_coins'));
    expect(readFileSync(join(folder, 'prisma/migrations', name ?? '', 'migration.sql'), 'utf8')).toContain('CREATE TABLE "Coin"');
    expect(await query('engine_dev', 'SELECT count(*)::int AS coins FROM "Coin"')).toEqual([{ coins: 0 }]);
    expect(await prisma('engine_dev', 'generate')).toMatchObject({ code: 0 });
    expect(existsSync(join(folder, 'client/client.ts'))).toBe(true);
  });

  it('applies everything once when three deploy at the same time, scripts taken whole', async () => {
    write('prisma/migrations/20990101000000_by_hand/migration.sql', BY_HAND);
    const deploys = await Promise.all([1, 2, 3].map(() => prisma('engine_deploy', 'migrate', 'deploy')));
    expect(deploys.map((each) => each.code)).toEqual([0, 0, 0]);
    expect(await query('engine_deploy', 'SELECT twice(21) AS n')).toEqual([{ n: 42 }]);
    const applied = 'SELECT count(*)::int AS n FROM _prisma_migrations WHERE finished_at IS NOT NULL';
    expect(await query('engine_deploy', applied)).toEqual([{ n: 2 }]);
    expect((await prisma('engine_deploy', 'migrate', 'status')).output).toContain('up to date');
  });

  it('detects a schema that differs from its migrations', async () => {
    expect(await prisma('engine_deploy', ...DIFF)).toMatchObject({ code: 0 });
    write('prisma/schema.prisma', SCHEMA.replace('@unique', '@unique\n  grams Int @default(0)'));
    const changed = await prisma('engine_deploy', ...DIFF);
    expect(changed.code).toBe(2);
    expect(changed.output).toContain('grams');
    write('prisma/schema.prisma', SCHEMA);
  });

  it("reports PostgreSQL's own words when a migration fails", async () => {
    write('prisma/migrations/20990102000000_broken/migration.sql', 'ALTER TABLE "Coin" ADD COLUMN "name" TEXT;');
    const failed = await prisma('engine_deploy', 'migrate', 'deploy');
    expect(failed.code).toBe(1);
    expect(failed.output).toContain('column "name" of relation "Coin" already exists');
  });

  it('reports that no server answers', async () => {
    const command = prismaCommand(ROOT, [], {}).env.PRISMA_SCHEMA_ENGINE_BINARY ?? '';
    expect(command).toBe(join(ROOT, 'scripts/schema-engine.ts'));
    const datasource = JSON.stringify({ url: 'postgresql://me@127.0.0.1:1/none' });
    const child = spawn(process.execPath, [command, 'cli', 'can-connect-to-database', '--datasource', datasource]);
    let said = '';
    child.stderr.on('data', (chunk) => (said += chunk));
    const code = await new Promise((done) => child.once('close', done));
    expect([code, JSON.parse(said).fields.error_code]).toEqual([1, 'P1001']);
  });

  it('answers a panic of the engine with its message, and fails', async () => {
    const engine = join(ROOT, 'scripts/schema-engine.ts');
    const child = spawn(process.execPath, [engine, '--datasource', JSON.stringify({ url: databaseUrl('engine_dev') })]);
    let said = '';
    child.stdout.on('data', (chunk) => (said += chunk));
    child.stdin.write('{"jsonrpc":"2.0","id":7,"method":"debugPanic","params":{}}\n');
    const code = await new Promise((done) => child.once('close', done));
    expect(JSON.parse(said)).toMatchObject({ id: 7, error: { data: { is_panic: true } } });
    expect(said).toContain('panicked at');
    expect(code).toBe(101);
  });
});

describe('prismaCommand', () => {
  it('leaves the engine to the user who names one, and to Prisma when it is named empty', () => {
    const engineOf = (wanted: string): string | undefined =>
      prismaCommand(ROOT, [], { PRISMA_SCHEMA_ENGINE_BINARY: wanted }).env.PRISMA_SCHEMA_ENGINE_BINARY;
    expect([engineOf('/usr/bin/mine'), engineOf('')]).toEqual(['/usr/bin/mine', undefined]);
  });
});
