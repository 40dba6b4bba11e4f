import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { identify } from '../bootstrap/processes.mjs';
import { inDatabase, withConnection } from './database.ts';
import { type Project, thisProject } from './project.ts';
import { setDatabaseAside } from './set-aside.ts';

const NOW = new Date('2026-11-29T12:00:00Z');

let project: Project;

beforeEach(() => {
  project = thisProject(mkdtempSync(join(tmpdir(), 'switchyard-aside-')));
});
afterEach(() => rmSync(project.local, { recursive: true, force: true }));

test('the folder of the embedded server is kept under a name of the day, one after the other', async () => {
  expect(await setDatabaseAside(project, undefined, NOW)).toBeNull();
  for (const [index, name] of ['postgres-2026-11-29', 'postgres-2026-11-29-2'].entries()) {
    mkdirSync(project.postgres);
    writeFileSync(join(project.postgres, 'data'), String(index));
    expect(await setDatabaseAside(project, undefined, NOW)).toEqual({ kind: 'folder', path: join(project.local, name) });
    expect(readFileSync(join(project.local, name, 'data'), 'utf8')).toBe(String(index));
  }
});

test('a database is renamed, unless programs are connected to it', async () => {
  const admin = inject('adminDatabaseUrl');
  const database = `aside_${randomUUID().replaceAll('-', '')}`;
  const url = inDatabase(admin, database);
  expect(await setDatabaseAside(project, url, NOW)).toBeNull();
  await withConnection(admin, (client) => client.query(`CREATE DATABASE ${database}`));
  await withConnection(url, async (client) => {
    await client.query('CREATE TABLE kept AS SELECT 42 AS n');
    await expect(setDatabaseAside(project, url, NOW)).rejects.toThrow('Programs are connected');
  });
  const kept = { kind: 'database', name: `${database}-2026-11-29` } as const;
  await expect.poll(() => setDatabaseAside(project, url, NOW).catch(() => null)).toEqual(kept);
  const { rows } = await withConnection(inDatabase(admin, kept.name), (client) => client.query('SELECT n FROM kept'));
  expect(rows).toEqual([{ n: 42 }]);
  await withConnection(admin, (client) => client.query(`DROP DATABASE "${kept.name}" WITH (FORCE)`));
});

test('nothing is set aside while the stack runs from the folder', async () => {
  mkdirSync(project.postgres);
  const owner = identify(process.pid);
  writeFileSync(project.runFile, JSON.stringify({ owner, processes: [] }));
  await expect(setDatabaseAside(project, undefined, NOW)).rejects.toThrow('already running');
});
