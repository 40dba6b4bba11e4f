import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { takeSnapshot } from './snapshot.ts';
import { writeMessage } from './wire.ts';

/** Plans are made once; reading a table whole is never better on the few rows of a world. */
const SETTINGS = [
  'SET plan_cache_mode = force_generic_plan',
  'SET synchronous_commit = off',
  `SET TIME ZONE 'UTC'`,
  'SET jit = off',
  'SET track_counts = off',
  'SET track_activities = off',
];

const root = new URL('../../../', import.meta.url).pathname;
const migrations = `${root}prisma/migrations`;

/** One PostgreSQL in this process. It runs one message at a time, at once, and has one session. */
export interface Engine {
  /** Runs a message of the wire protocol; returns the answer's bytes. */
  run(message: Uint8Array): Buffer;
  /** Prepared statements: their names by everything that a Parse message holds beside the name. */
  readonly statements: Map<string, string>;
  /** Undoes what sessions have set. */
  resetSettings(): void;
  /** Everything it holds, in memory and in its files, to go back to. */
  snapshot(): () => void;
}

/**
 * Opens a database with every migration applied. The empty one is made once and kept in `.local`: making it takes five times as long as
 * opening it.
 */
export async function openEngine(): Promise<Engine> {
  const names = readdirSync(migrations)
    .filter((name) => /^\d/.test(name))
    .sort();
  const scripts = names.map((name) => readFileSync(`${migrations}/${name}/migration.sql`, 'utf8'));
  // The entry of the package names its other files by their digests.
  const engine = readFileSync(fileURLToPath(import.meta.resolve('@electric-sql/pglite')), 'utf8');
  const digest = createHash('sha256')
    .update([engine, ...scripts].join('\0'))
    .digest('hex')
    .slice(0, 16);
  const folder = `${root}.local/simulate`;
  const file = `${folder}/database-${digest}.tar`;
  const kept = readKept(file);
  if (kept === null) {
    const made = await PGlite.create();
    for (const script of scripts) await made.exec(script);
    const dump = await made.dumpDataDir('none');
    await made.close();
    mkdirSync(folder, { recursive: true });
    // Whole or not at all: other processes may be looking for it.
    writeFileSync(`${file}.${process.pid}`, Buffer.from(await dump.arrayBuffer()));
    renameSync(`${file}.${process.pid}`, file);
  }
  const database = await PGlite.create({ loadDataDir: new Blob([kept ?? readFileSync(file)]) });
  for (const setting of SETTINGS) await database.exec(setting);
  const statements = new Map<string, string>();
  return {
    run: (message) => runMessage(database, message),
    statements,
    resetSettings() {
      for (const text of ['RESET ALL', ...SETTINGS]) runMessage(database, writeMessage('Q', `${text}\0`));
    },
    snapshot() {
      const restore = takeSnapshot(database.Module);
      const names = [...statements];
      return () => {
        restore();
        statements.clear();
        for (const [key, name] of names) statements.set(key, name);
      };
    },
  };
}

/** Runs at once, although the method is asynchronous; the synchronous one reads every answer as well, which takes a sixth of the time. */
function runMessage(database: PGlite, message: Uint8Array): Buffer {
  const answer: Buffer[] = [];
  let failure: unknown = null;
  withoutAlarms(() => {
    database
      .execProtocolRawStream(message, { syncToFs: false, onRawData: (bytes) => void answer.push(Buffer.from(bytes)) })
      .catch((error: unknown) => {
        failure = error;
      });
  });
  if (failure !== null) throw failure;
  const [only] = answer;
  return only !== undefined && answer.length === 1 ? only : Buffer.concat(answer);
}

/**
 * PostgreSQL sets an alarm for a statement's time-out, which is a timer of this process: by real time, in whichever world is there by then.
 * Time-outs of statements are drawn, so that it gets none.
 */
function withoutAlarms(work: () => void): void {
  const { setTimeout } = globalThis;
  const set = (value: unknown) => Object.defineProperty(globalThis, 'setTimeout', { value, writable: true, configurable: true });
  set(() => undefined);
  try {
    work();
  } finally {
    set(setTimeout);
  }
}

function readKept(file: string): Buffer<ArrayBuffer> | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
