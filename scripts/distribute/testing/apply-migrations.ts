/** Applies the pending migrations of a folder to a database, as `npm run admin -- database deploy` does: `node apply-migrations.ts <folder> <url>`. */
import { applyMigrations } from '../../schema-engine/wasm-engine.ts';

const [folder = '', url = ''] = process.argv.slice(2);
console.log(JSON.stringify(await applyMigrations(folder, url)));
// The engine's time limit for its lock would keep the process for ten seconds after the last migration.
process.exit();
