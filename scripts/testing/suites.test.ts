import { matchesGlob } from 'node:path';
import { expect, it } from 'vitest';
import { thisProject } from '../stack/project.ts';
import { projectFiles, readSources } from './sources.ts';
import { SUITES, suiteFolders } from './suites.ts';

const KNOWN = [
  'packages/gateways/src/kora/kora.test.ts',
  'packages/webhooks/src/deliveries/send.test.ts',
  'packages/db/src/ids.test.ts',
];

it('a change is tried by the suites of its folder, or of the nearest above that has some', () => {
  expect(suiteFolders(['packages/gateways/src/kora/fixtures/a.json', 'packages/webhooks/src/events/announce.ts'], KNOWN)).toEqual(
    ['packages/gateways/src/kora/', 'packages/webhooks/src/'],
  );
});

it('names a folder once, and none within another', () => {
  const suites = [...KNOWN, 'packages/db/src/audit/audit.test.ts'];
  expect(suiteFolders(['packages/db/src/pool.ts', 'packages/db/src/audit/read.ts'], suites)).toEqual(['packages/db/src/']);
});

it('settings of the project alone bring no suite', () => {
  expect(suiteFolders(['package.json', 'README.md'], KNOWN)).toEqual([]);
});

it('each suite that tries more at night is run at night', () => {
  const { root } = thisProject();
  const suites = projectFiles(root).filter((path) => /^(packages|e2e)\/.*\.test\.ts$/.test(path));
  const inPart = readSources(root, suites).filter(({ text }) => /process\.env\.(PROPERTY_TIMES|EVERY_CASE)/.test(text));
  expect(inPart.length).toBeGreaterThan(10);
  const missed = inPart.filter(({ path }) => !SUITES.night.include.some((pattern) => matchesGlob(path, pattern)));
  expect(missed.map(({ path }) => path)).toEqual([]);
});
