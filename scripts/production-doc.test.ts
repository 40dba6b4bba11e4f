import { readFileSync } from 'node:fs';
import { join } from 'node:path';
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
