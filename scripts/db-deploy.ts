/**
 * Brings the database of `DATABASE_URL`, else that of the running stack, else the embedded one, to this version: creates it when
 * missing, applies the pending migrations, and creates or updates the tables of the job queue. Safe to run at any time, by several at
 * once, and beside programs of the version before.
 *
 *   npm run db:deploy
 */
import { migrateJobs } from '@switchyard/db';
import { openDatabase } from '@switchyard/db/process';
import { runCommand } from './stack/command.ts';
import { ensureDatabase, pendingMigrations, resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';

await runCommand(
  async () => {
    const project = thisProject();
    const url = await resolveDatabase(project);
    await ensureDatabase(url);
    if ((await pendingMigrations(project.migrations, url)).length > 0) {
      // Loaded on demand: the engine is large.
      const { applyMigrations } = await import('./schema-engine/wasm-engine.ts');
      for (const name of await applyMigrations(project.migrations, url)) console.log(`Applied ${name}`);
    }
    const database = openDatabase({ url, maxConnections: 2 });
    await migrateJobs(database).finally(() => database.close());
    console.log('The database is up to date.');
    return 0;
  },
  { failed: 1 },
);
