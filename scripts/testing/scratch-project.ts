import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { reservePort } from '@switchyard/runtime/reserve-port';

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const COPIED = [
  'scripts',
  'package.json',
  'package-lock.json',
  'prisma.config.ts',
  'prisma/distribution.ts',
  'packages/runtime/src/reserve-port.ts',
  'tsconfig.base.json',
];

/** A start of a scratch project, under way. */
export interface RunningStart {
  readonly child: ChildProcess;
  readonly pid: number;
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves when it has printed this. Throws with its output when it exits before. */
  prints(text: string): Promise<void>;
  readonly exitCode: Promise<number | null>;
}

/** A copy of the launcher around programs that do next to nothing, in a folder of its own. */
export interface ScratchProject {
  readonly folder: string;
  readonly env: NodeJS.ProcessEnv;
  start(options?: { env?: NodeJS.ProcessEnv; uid?: number; args?: readonly string[] }): RunningStart;
  /** Command lines of the processes that run in this folder or name it. */
  processes(): string[];
  write(path: string, text: string): void;
  read(path: string): string;
  remove(): void;
}

const PROGRAMS: Record<string, string> = {
  'prisma/schema.prisma': `generator client {
  provider = "prisma-client"
  output   = "../packages/db/src/generated"
}
datasource db {
  provider = "postgresql"
}
model Start {
  id Int @id @default(autoincrement())
}
`,
  'prisma/migrations/migration_lock.toml': 'provider = "postgresql"\n',
  'prisma/migrations/20260101000000_first/migration.sql': `CREATE TABLE "Start" ("id" SERIAL NOT NULL, CONSTRAINT "Start_pkey" PRIMARY KEY ("id"));
CREATE TABLE database_epoch (identity TEXT PRIMARY KEY, began_at TIMESTAMPTZ NOT NULL);
CREATE FUNCTION database_identity() RETURNS TEXT LANGUAGE sql AS 'SELECT ''scratch''';
`,
  // Each start inserts a row, so that the key counts the starts of this database.
  'prisma/seed.ts': `import { writeFileSync } from 'node:fs';
import pg from 'pg';
const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const { rows } = await client.query('INSERT INTO "Start" DEFAULT VALUES RETURNING (SELECT count(*) + 1 FROM "Start") AS starts');
await client.end();
const { SWITCHYARD_PUBLIC_URL: webUrl, SWITCHYARD_SANDBOX_URL: sandboxUrl, SWITCHYARD_DEMO_FILE: file } = process.env;
const demo = { webUrl, sandboxUrl, secretKey: 'starts:' + rows[0].starts, secondMerchantKey: 'second' };
writeFileSync(file, JSON.stringify({ ...demo, staffEmail: 'staff@example.com', staffPassword: 'secret' }));
`,
  'apps/sandbox/src/main.ts': `import { createServer } from 'node:http';
createServer((_, response) => response.end('sandbox')).listen(Number(process.env.SANDBOX_PORT), '127.0.0.1', () => console.log('{"ready":true}'));
process.on('SIGTERM', () => process.exit(0));
`,
  'apps/worker/src/main.ts': `console.log('{"ready":true}');
setInterval(() => undefined, 1000);
process.on('SIGTERM', () => { console.log('the worker was told to stop'); process.exit(0); });
`,
  'apps/reporting/src/main.ts': `import { createServer } from 'node:http';
createServer((_, response) => response.end('reporting')).listen(Number(process.env.REPORTING_PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
`,
  'apps/web/server.ts': `import { createServer } from 'node:http';
createServer((request, response) => {
  if (request.url === '/die') { console.log('about to die'); process.exit(3); }
  response.end(request.url === '/arguments' ? process.argv.slice(2).join(' ') : 'web');
}).listen(Number(process.env.PORT));
process.on('SIGTERM', () => process.exit(0));
`,
  'apps/web/package.json':
    '{ "type": "module", "scripts": { "build": "node build.ts" }, "dependencies": { "@switchyard/db": "*" } }',
  'scripts/compile.ts': 'export {};',
  'packages/db/package.json': '{ "type": "module" }',
  'packages/db/src/index.ts': 'export {};',
  'apps/web/build.ts': `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('.next', { recursive: true });
writeFileSync('.next/BUILD_ID', String(process.hrtime.bigint()));
`,
};

function processesOf(folder: string): string[] {
  const found: string[] = [];
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ');
      if (command.includes(folder) || readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)) found.push(`${pid} ${command}`);
    } catch {
      // removed meanwhile, or not readable
    }
  }
  return found;
}

function watch(child: ChildProcess): RunningStart {
  let output = '';
  let ended = false;
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  const exitCode = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      ended = true;
      done(code);
    });
  });
  return {
    child,
    pid: child.pid ?? 0,
    output: () => output,
    exitCode,
    async prints(text) {
      while (!output.includes(text)) {
        if (ended) throw new Error(`It ended without printing "${text}":\n${output}`);
        await pause(20);
      }
    },
  };
}

/** Makes a scratch project. The system's own Node is used where there is one, as a person's would be. */
export async function createScratchProject(): Promise<ScratchProject> {
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-scratch-'));
  chmodSync(folder, 0o755);
  for (const each of COPIED) cpSync(join(ROOT, each), join(folder, each), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(PROGRAMS)) write(path, text);
  const { DATABASE_URL: _, NODE_ENV: __, ...inherited } = process.env;
  const env = { ...inherited, PORT: String(await reservePort()) };
  return {
    folder,
    env,
    start({ env: more, uid, args = [] } = {}) {
      const account = uid === undefined ? {} : { uid, gid: uid };
      const options = { cwd: folder, env: { ...env, ...more }, detached: true, ...account };
      return watch(
        spawn(process.execPath, ['scripts/run.mjs', 'scripts/stack/main.ts', ...args], {
          ...options,
          stdio: ['ignore', 'pipe', 'pipe'],
        }),
      );
    },
    processes: () => processesOf(folder),
    write,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    remove() {
      for (const line of processesOf(folder)) execFileSync('kill', ['-9', line.split(' ')[0] ?? '']);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
