import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { thisProject } from './stack/project.ts';

const { root } = thisProject();
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const stepSchema = z.looseObject({ run: z.string().optional(), uses: z.string().optional() });
const { permissions, jobs } = z
  .object({
    permissions: z.record(z.string(), z.string()),
    jobs: z.object({
      npm: z.looseObject({
        permissions: z.record(z.string(), z.string()),
        strategy: z.object({ 'max-parallel': z.literal(1), matrix: z.object({ package: z.array(z.string()) }) }),
        steps: z.array(stepSchema),
      }),
      files: z.looseObject({ steps: z.array(stepSchema) }),
    }),
  })
  .parse(parse(read('.github/workflows/publish.yaml')));

it('publishes every package that is for publication, each after those that it depends on', () => {
  const published = globSync('packages/*/package.json', { cwd: root })
    .map((path) => z.looseObject({ name: z.string(), description: z.string().optional() }).parse(JSON.parse(read(path))))
    .filter(({ description }) => description !== undefined)
    .map(({ name }) => name);
  expect(jobs.npm.strategy.matrix.package.map((name) => `@switchyard/${name}`).toSorted()).toEqual(published.toSorted());
  expect(jobs.npm.strategy.matrix.package).toEqual(['client', 'cli']);
});

it('publishes with provenance, with no right but to say who it is, and with no token', () => {
  expect(permissions).toEqual({});
  expect(jobs.npm.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(jobs.npm.steps.at(-1)?.run).toBe('npm publish --provenance --access public');
  expect(read('.github/workflows/publish.yaml')).not.toMatch(/secrets\.|NODE_AUTH_TOKEN/);
});

it('runs commands that exist', () => {
  const { scripts } = z.looseObject({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read('package.json')));
  const named = [...jobs.npm.steps, ...jobs.files.steps].flatMap(({ run = '' }) => /npm run (\S+)/.exec(run)?.[1] ?? []);
  expect(named).toEqual(['build:package', 'build:install']);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

it('is of one version: what a release is named by is what its packages and its files have', () => {
  const versionOf = (path: string) => z.looseObject({ version: z.string() }).parse(JSON.parse(read(path))).version;
  const version = versionOf('package.json');
  expect(['packages/client/package.json', 'packages/cli/package.json'].map(versionOf)).toEqual([version, version]);
});
