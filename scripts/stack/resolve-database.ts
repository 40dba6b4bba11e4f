import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startPostgres } from './postgres.ts';
import type { Project } from './project.ts';
import { claimRun, currentRun } from './run-file.ts';
import type { Teardown } from './teardown.ts';

/**
 * The database of a command: that of `DATABASE_URL`, else that of the running stack, else the embedded one, started until
 * `teardown` runs. Throws a `Problem` when the embedded one is taken or cannot start.
 */
export async function resolveDatabase(project: Project, teardown: Teardown): Promise<string> {
  const known = process.env.DATABASE_URL || currentRun(project)?.databaseUrl;
  if (known) return known;
  mkdirSync(project.local, { recursive: true });
  const claim = await claimRun(project);
  await teardown.add(async () => claim.release());
  const server = await startPostgres({ directory: project.postgres, log: join(project.logs, 'postgres.log') });
  await teardown.add(() => server.stop());
  return server.url('switchyard');
}
