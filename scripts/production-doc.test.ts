import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestDatabase } from '@switchyard/db/testing';
import { descriptions, SETTINGS } from '@switchyard/runtime/settings';
import { expect, it } from 'vitest';
import { environmentVariables } from './deploy/environment-variables.ts';
import { thisProject } from './stack/project.ts';

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
