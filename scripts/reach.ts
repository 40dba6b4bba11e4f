/**
 * Prints how many files and lines of this project each module loads:
 *
 *   node scripts/reach.ts packages/payments/src/path/initiate/initiate.ts
 */
import { reachOf } from './testing/reach.ts';

for (const entry of process.argv.slice(2)) {
  const { files, lines } = reachOf(entry);
  console.log(`${entry}: ${files.length} files, ${lines.toLocaleString('en')} lines`);
}
