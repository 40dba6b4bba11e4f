import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environmentVariables } from './deploy/environment-variables.ts';
import { thisProject } from './stack/project.ts';

it('the table of environment variables in docs/production.md is that of the programs', () => {
  const { root } = thisProject();
  const [, table = ''] = readFileSync(join(root, 'docs/production.md'), 'utf8').split('## Environment variables');
  const firstCells = table.split('\n').flatMap((line) => (line.startsWith('| `') ? [line.split('|')[1] ?? ''] : []));
  const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((match) => match[1] ?? ''));
  expect(documented.toSorted()).toEqual([...environmentVariables(root)].sort());
});
