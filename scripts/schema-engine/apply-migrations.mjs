import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadEngine } from './engine.mjs';

/**
 * Applies the pending migrations of a folder, as `prisma migrate deploy` does, with the same lock and the same records, without the
 * CLI, which production installs without. Throws what the engine says when one fails.
 *
 * @param {string} folder
 * @param {string} databaseUrl of a database that exists
 * @returns {Promise<string[]>} the names of those that were applied
 */
export async function applyMigrations(folder, databaseUrl) {
  const engine = await loadEngine({ databaseUrl, datamodels: [], trace: () => undefined });
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  const { appliedMigrationNames } = await engine.applyMigrations({
    migrationsList: {
      baseDir: folder,
      lockfile: { path: 'migration_lock.toml', content: readFileSync(join(folder, 'migration_lock.toml'), 'utf8') },
      shadowDbInitScript: '',
      migrationDirectories: names.sort().map((path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok', value: readFileSync(join(folder, path, 'migration.sql'), 'utf8') },
        },
      })),
    },
    filters: { externalTables: [], externalEnums: [] },
  });
  return appliedMigrationNames;
}
