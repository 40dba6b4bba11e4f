import { projectFiles, readSources } from '../testing/sources.ts';

/** Set by Node and Next themselves, or shown to merchants in an example. */
const NOT_OURS = new Set(['NODE_ENV', 'NEXT_RUNTIME', 'NEXT_TELEMETRY_DISABLED', 'SWITCHYARD_WEBHOOK_SECRET']);

/** How programs name a variable: read from an environment, a key of a schema, or a quoted name. */
const NAMES = [
  /\b(?:process\.env|environment|env)\.([A-Z][A-Z0-9_]+)\b/g,
  /^\s+([A-Z][A-Z0-9_]+): (?:z\.|base64Key|databaseUrl)/gm,
  /\b(SWITCHYARD_[A-Z0-9_]+|OTEL_[A-Z0-9_]+)\b/g,
  /['"]([A-Z_]+_(?:PORT|HOST|TOKEN|URL))['"]/g,
];

/** Programs that merchants run on machines of their own, and examples of them. */
const OF_MERCHANTS = /^packages\/(?:cli|client)\/|^apps\/web\/src\/app\/docs\//;

/** Every environment variable that the programs of an installation read, found in their sources. */
export function environmentVariables(root: string): Set<string> {
  const paths = projectFiles(root).filter(
    (path) =>
      /^(apps\/(web|worker|reporting)|packages)\/.*\.(ts|tsx|mjs)$/.test(path) &&
      !/\.test\.tsx?$|\/testing\//.test(path) &&
      !OF_MERCHANTS.test(path),
  );
  const names = readSources(root, paths).flatMap(({ text }) =>
    NAMES.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? '')),
  );
  return new Set(names.filter((name) => !NOT_OURS.has(name)).sort());
}
