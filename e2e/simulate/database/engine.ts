import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { BEGIN_FIRST_EPOCH } from '@switchyard/db/first-epoch';
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
 * Opens a database as `npm start` makes it, with every migration applied and its first epoch begun. The empty one is made once and kept in `.local`: making it takes five times as long as
 * opening it.
 */
export async function openEngine(): Promise<Engine> {
  const names = readdirSync(migrations)
    .filter((name) => /^\d/.test(name))
    .sort();
  const scripts = [...names.map((name) => readFileSync(`${migrations}/${name}/migration.sql`, 'utf8')), BEGIN_FIRST_EPOCH];
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

type Module = PGlite['Module'];

/** No file was written then. */
const UNTOUCHED = 0;

interface Node {
  readonly id: number;
  /** Bytes of a file, which are a list while it is empty; entries of a folder. */
  contents: Uint8Array | Int8Array | number[] | Record<string, Node> | null | undefined;
  usedBytes: number;
  /** The time of the latest write. */
  mtime: number;
  name_next?: Node;
}

interface Stream {
  fd: number | null;
  readonly shared: { position: number };
}

/** Parts of Emscripten's file system that its types leave out. */
interface Internals {
  readonly root: Node;
  readonly nameTable: (Node | undefined)[];
  readonly streams: (Stream | null | undefined)[];
}

/**
 * Takes everything that a PostgreSQL in WebAssembly holds: its memory, and its files, which are in memory too. The function it gives goes
 * back to that, as often as it is called. To be taken and restored between statements only.
 */
function takeSnapshot(module: Module): () => void {
  const memory = module.HEAPU8.slice(0, usedLength(module.HEAPU8));
  const files = internalsOf(module);
  const tree: { readonly node: Node; readonly contents: Node['contents']; readonly usedBytes: number }[] = [];
  visit(files.root, (node) => {
    node.mtime = UNTOUCHED;
    tree.push({ node, contents: copyOf(node.contents), usedBytes: node.usedBytes });
  });
  const names = [...files.nameTable];
  const following = tree.map(({ node }) => node.name_next);
  const streams = files.streams.map((stream) => ({ stream, position: stream?.shared?.position ?? 0 }));
  return () => {
    const present = module.HEAPU8;
    present.set(memory);
    present.fill(0, memory.length);
    for (const [at, { node, contents, usedBytes }] of tree.entries()) {
      if (node.mtime !== UNTOUCHED || !isBytes(contents)) node.contents = copyOf(contents);
      node.mtime = UNTOUCHED;
      node.usedBytes = usedBytes;
      const next = following[at];
      if (next === undefined) delete node.name_next;
      else node.name_next = next;
    }
    files.nameTable.splice(0, Number.POSITIVE_INFINITY, ...names);
    files.streams.splice(0, Number.POSITIVE_INFINITY, ...streams.map(({ stream }) => stream));
    for (const [fd, { stream, position }] of streams.entries()) {
      if (stream?.shared === undefined) continue;
      // Closing a stream takes its number away.
      stream.fd = fd;
      stream.shared.position = position;
    }
  };
}

function internalsOf(module: Module): Internals {
  const files: unknown = module.FS;
  if (!isInternals(files)) throw new Error('the file system of the database is not as expected');
  return files;
}

function isInternals(files: unknown): files is Internals {
  return typeof files === 'object' && files !== null && 'root' in files && 'nameTable' in files && 'streams' in files;
}

function visit(node: Node, take: (node: Node) => void): void {
  take(node);
  const { contents } = node;
  if (contents === null || contents === undefined || isBytes(contents) || Array.isArray(contents)) return;
  for (const child of Object.values(contents)) if (isNode(child)) visit(child, take);
}

/** Accepts both kinds: a program writes signed bytes, loading gives unsigned ones. */
function isBytes(contents: Node['contents']): contents is Uint8Array | Int8Array {
  return contents instanceof Uint8Array || contents instanceof Int8Array;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'id' in value;
}

function copyOf(contents: Node['contents']): Node['contents'] {
  if (isBytes(contents)) return contents.slice();
  if (Array.isArray(contents)) return [...contents];
  return typeof contents === 'object' && contents !== null ? { ...contents } : contents;
}

/** Up to its last byte that is not zero. */
function usedLength(memory: Uint8Array): number {
  const words = new BigUint64Array(memory.buffer, 0, memory.length >> 3);
  let length = words.length;
  while (length > 0 && words[length - 1] === 0n) length--;
  return length << 3;
}
