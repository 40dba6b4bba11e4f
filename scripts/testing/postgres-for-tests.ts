import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../stack/postgres.ts';
import { createTemplateDatabase } from './template-database.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string with the right to create databases, to the server that holds `switchyard_template`. */
    adminDatabaseUrl: string;
  }
}

const MIGRATIONS = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Nothing here outlives the run, so nothing has to survive a power cut. */
const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };

/** A PostgreSQL server in a folder that goes away with it; `TEST_DATABASE_URL` set means that server instead. */
export async function startThrowawayPostgres(): Promise<{ adminUrl: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { adminUrl: given, stop: async () => undefined };
  const folder = mkdtempSync(join(tmpdir(), 'switchyard-test-'));
  chmodSync(folder, 0o755); // as root, the server runs under another account, which has to get in
  const log = join(folder, 'postgres.log');
  const server = await startPostgres({ directory: join(folder, 'postgres'), log, settings: THROWAWAY_SETTINGS });
  const stop = async (): Promise<void> => {
    await server.stop();
    for (const each of [folder, server.movedTo]) if (each) rmSync(each, { recursive: true, force: true });
  };
  return { adminUrl: server.url('postgres'), stop };
}

/** Vitest calls this once before all suites, and what it returns after them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { adminUrl, stop } = await startThrowawayPostgres();
  try {
    await createTemplateDatabase(adminUrl, MIGRATIONS);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('adminDatabaseUrl', adminUrl);
  return stop;
}
