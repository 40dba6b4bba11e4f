import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@switchyard/db/testing';
import { descriptions, SETTINGS } from '@switchyard/runtime/settings';
import { expect, it } from 'vitest';
import { thisProject } from './stack/project.ts';
import { projectFiles, readSources } from './testing/sources.ts';

const { root } = thisProject();

/** Rows of the table of variables, as the settings describe them. */
const rows = Object.entries(SETTINGS.shape).map(([name, schema]) => {
  const { of = [], needed = '–', unset = '–', meaning = '' } = descriptions.get(schema) ?? {};
  const usual = String(schema.safeParse(undefined).data ?? unset).replace(/^\w+:\/\/.*/, '`$&`');
  return `| \`${name}\` | ${of.length === 3 ? 'all' : of.join(', ')} | ${needed} | ${usual} | ${meaning} |`;
});

it('the table of environment variables in docs/production.md is that of the settings', () => {
  const [, table = ''] = readFileSync(join(root, 'docs/production.md'), 'utf8').split('## Environment variables');
  expect(table.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
});

it('the programs read no environment variable that the settings lack', () => {
  expect([...environmentVariables(root)].filter((name) => !(name in SETTINGS.shape))).toEqual([]);
});

it('the settings of PostgreSQL in docs/production.md are those that a server of any build takes', async () => {
  const database = await createTestDatabase();
  try {
    const { rows } = await database.pool.query<{ name: string; words: string[] }>(
      'SELECT name, enumvals AS words FROM pg_settings WHERE enumvals IS NOT NULL',
    );
    const words = new Map(rows.map(({ name, words: known }) => [name, known]));
    const said = [...readFileSync(join(root, 'docs/production.md'), 'utf8').matchAll(/^ALTER SYSTEM SET (\w+) = '([^']+)';$/gm)];
    expect(said.length).toBeGreaterThan(2);
    expect(said.filter(([, name = '', value = '']) => words.get(name)?.includes(value) === false).map(([line]) => line)).toEqual(
      [],
    );
  } finally {
    await database.close();
  }
});

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
function environmentVariables(root: string): Set<string> {
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
