import type { PGlite } from '@electric-sql/pglite';

type Module = PGlite['Module'];

/** No file was written then. */
const UNTOUCHED = 0;

interface Node {
  readonly id: number;
  /** Bytes of a file, which are a list while it is empty; entries of a folder. */
  contents: Uint8Array | Int8Array | number[] | Record<string, Node> | null | undefined;
  usedBytes: number;
  /** Of the latest write. */
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
export function takeSnapshot(module: Module): () => void {
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
