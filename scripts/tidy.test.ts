import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NOUNS } from './admin/nouns.ts';
import { linesMatching, packagesImported, projectFiles, readSources } from './testing/sources.ts';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const FILES = projectFiles(ROOT);
const CODE = readSources(
  ROOT,
  FILES.filter((path) => /\.(ts|tsx|mts|mjs|js)$/.test(path)),
);
/** Tests may name what they forbid, and may use tools that the code under test may not. */
const isTest = (path: string): boolean => /\.(test|spec)\.tsx?$/.test(path) || path.includes('/testing/');
const below = (folder: string) => CODE.filter(({ path }) => path.startsWith(`${folder}/src/`) && !isTest(path));

const manifest = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.string()).default({}),
  dependencies: z.record(z.string(), z.string()).default({}),
  devDependencies: z.record(z.string(), z.string()).default({}),
});
function readManifest(folder: string): z.infer<typeof manifest> {
  return manifest.parse(JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')));
}
const WORKSPACES = FILES.filter((path) => /^([^/]+\/){1,2}package\.json$/.test(path)).map((path) => dirname(path));

describe('code', () => {
  it('has no cast through unknown, never silences the compiler, and the linter only with a reason', () => {
    const checked = CODE.filter(({ path }) => path !== 'scripts/tidy.test.ts');
    expect(linesMatching(checked, /\bas\s+unknown\s+as\b/, { code: true })).toEqual([]);
    expect(
      linesMatching(checked, /@ts-(ignore|expect-error|nocheck)|eslint-disable|biome-ignore(?! [\w/]+: \S+ \S+ \S+)/, {
        code: false,
      }),
    ).toEqual([]);
  });

  it('leaves no test out and runs none alone', () => {
    const tests = CODE.filter(({ path }) => /\.(test|spec)\.tsx?$/.test(path));
    expect(linesMatching(tests, /\b(it|test|describe|suite)\.(only|skip|todo|fixme)\b/, { code: true })).toEqual([]);
  });

  it('lives in folders named after what they answer', () => {
    const vague = /(^|\/)(lib|libs|utils?|helpers?|shared|common|core|misc)\//;
    expect(FILES.filter((path) => vague.test(path))).toEqual([]);
  });

  it('has an index only where a package exports one', () => {
    const indexes = FILES.filter((path) => path.startsWith('packages/') && /^index\.tsx?$/.test(basename(path)));
    const exported = WORKSPACES.flatMap((folder) =>
      Object.values(readManifest(folder).exports).map((file) => join(folder, file)),
    );
    expect(indexes.filter((path) => !exported.includes(path))).toEqual([]);
  });
});

describe('documents', () => {
  it('name files and folders that are there', () => {
    const named = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/README.md'].flatMap((document) =>
      // Places with a name to fill in, such as `packages/gateways/src/<name>/`, are left out.
      Array.from(
        readFileSync(join(ROOT, document), 'utf8').matchAll(
          /`((?:apps|bench|deploy|docs|e2e|packages|prisma|samples|scripts)\/[^`\s*<>{}…]+)`/g,
        ),
        ([, path = '']) => ({ document, path }),
      ),
    );
    expect(named.length).toBeGreaterThan(50);
    expect(named.filter(({ path }) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('and messages name commands that are there', () => {
    const known = new Set(['package.json', ...WORKSPACES.map((folder) => `${folder}/package.json`)].flatMap(readScripts));
    const texts = readSources(
      ROOT,
      FILES.filter((path) => /\.(md|mdx|ts|tsx|mjs|sh|sql|ya?ml)$/.test(path)),
    );
    const named = texts.flatMap(({ path, text }) =>
      Array.from(text.matchAll(/npm run (?:-s )?(admin -- [a-z]+ [a-z-]+|[a-z][a-z:-]*)/g), ([, command = '']) => ({
        path,
        command,
      })),
    );
    expect(named.length).toBeGreaterThan(100);
    expect(named.filter(({ command }) => !(known.has(command) || isVerb(command)))).toEqual([]);
  });
});

function readScripts(file: string): readonly string[] {
  const { scripts } = z
    .object({ scripts: z.record(z.string(), z.string()).default({}) })
    .parse(JSON.parse(readFileSync(join(ROOT, file), 'utf8')));
  return Object.keys(scripts);
}

/** True if a command names a verb of `switchyard-admin`. */
function isVerb(command: string): boolean {
  const [, , noun = '', verb = ''] = command.split(' ');
  return NOUNS.get(noun)?.has(verb) === true;
}

describe('dependencies', () => {
  it('routing is pure: it imports its own files and zod', () => {
    const foreign = below('packages/routing').map((source) => ({ path: source.path, imports: packagesImported(source) }));
    expect(foreign.filter(({ imports }) => imports.some((name) => name !== 'zod'))).toEqual([]);
  });

  it('features know nothing of Next, React, tRPC, GraphQL or HTTP servers', () => {
    const transports =
      /^(next|react|react-dom|graphql|graphql-yoga|@trpc\/.*|@pothos\/.*|node:https?|node:http2|express|fastify|hono)$/;
    // Transports, the metrics' server, and a program of its own, which takes webhooks while it certifies a gateway.
    const others = ['packages/api', 'packages/telemetry', 'packages/cli'];
    const features = WORKSPACES.filter((folder) => folder.startsWith('packages/') && !others.includes(folder));
    const found = features.flatMap(below).filter((source) => packagesImported(source).some((name) => transports.test(name)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });

  it('transports hold no SQL and write no table; GraphQL alone selects, of the rows that a feature found, what was asked', () => {
    const transports = below('packages/api');
    const found = transports.filter((source) => packagesImported(source).some((name) => /^(pg|@prisma\/.*)$/.test(name)));
    expect(found.map(({ path }) => path)).toEqual([]);
    const statements = /\$(query|execute)Raw|\$transaction|\bPrisma\.sql|\bappendAuditEntry\b|['"`]SELECT /;
    expect(linesMatching(transports, statements, { code: true })).toEqual([]);
    const others = transports.filter(({ path }) => !path.startsWith('packages/api/src/graphql/'));
    expect(linesMatching(others, /\.prisma\b/, { code: true })).toEqual([]);
    expect(
      linesMatching(transports, /\bdatabase\.prisma\b|\bprisma\.\w+\.(create|update|delete|upsert)/, { code: true }),
    ).toEqual([]);
  });

  it('transports do not know Next', () => {
    const found = below('packages/api').filter((source) => packagesImported(source).some((name) => /^(next|react)$/.test(name)));
    expect(found.map(({ path }) => path)).toEqual([]);
  });
});

describe('packages', () => {
  it('are pinned to exact versions', () => {
    const loose = ['', ...WORKSPACES].flatMap((folder) => {
      const { name, dependencies, devDependencies } = readManifest(folder);
      const all = Object.entries({ ...dependencies, ...devDependencies });
      return all
        .filter(([other, version]) => !other.startsWith('@switchyard/') && !/^\d/.test(version))
        .map((each) => [name, ...each]);
    });
    expect(loose).toEqual([]);
  });

  it('are all in the lock file, those for other machines included, or npm ci refuses it', () => {
    const lock = z.object({
      packages: z.record(z.string(), z.looseObject({ optionalDependencies: z.record(z.string(), z.string()).default({}) })),
    });
    const { packages } = lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
    const isThere = (from: string, name: string): boolean =>
      `${from}/node_modules/${name}` in packages ||
      (from !== '' && isThere(from.slice(0, Math.max(from.lastIndexOf('/node_modules/'), 0)), name));
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies).filter((name) => !isThere(path, name) && !(`node_modules/${name}` in packages)),
    );
    expect(missing).toEqual([]);
  });

  it('have their addresses in the lock file, or npm asks the registry for each, which doubles the time of an installation', () => {
    const lock = z.object({
      packages: z.record(
        z.string(),
        z.looseObject({
          resolved: z.string().default(''),
          link: z.boolean().default(false),
          inBundle: z.boolean().default(false),
        }),
      ),
    });
    const { packages } = lock.parse(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
    const unknown = Object.entries(packages).filter(
      ([path, { resolved, link, inBundle }]) =>
        path.includes('node_modules/') && !link && !inBundle && !/^https:\/\/registry\.npmjs\.org\/.+\.tgz$/.test(resolved),
    );
    expect(unknown.map(([path]) => path)).toEqual([]);
  });

  it('are each type-checked', () => {
    expect(WORKSPACES.filter((folder) => !existsSync(join(ROOT, folder, 'tsconfig.json')))).toEqual([]);
  });
});
