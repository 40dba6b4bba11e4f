/**
 * `npm run bench`: measures the path of a payment, on a product that it starts itself; `npm run bench -- overload`: another benchmark of
 * `bench/src`. `npm run bench -- reports` has a database of its own: an embedded PostgreSQL with every migration applied, thrown away
 * afterwards. `TEST_DATABASE_URL` set means that server instead. What follows the name goes to the benchmark.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { runOnTerminal, stopPrograms, stopProgramsOnSignals } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { createMigratedDatabase, startThrowawayPostgres } from './postgres-for-tests.ts';

const PAYMENTS = 'payments';
/** Benchmarks that start the product with its database themselves. */
const OWN_PRODUCT: readonly string[] = [PAYMENTS, 'bytes', 'overload'];
const given = process.argv.slice(2);
const [name = PAYMENTS, ...rest] = given[0]?.startsWith('--') ? [PAYMENTS, ...given] : given;
const folder = join(thisProject().root, 'bench');
const program = join(folder, 'src', `${name}.ts`);

async function runBenchmark(): Promise<number> {
  const { adminUrl, stop } = await startThrowawayPostgres();
  try {
    return await runProgram({ ...process.env, DATABASE_URL: await createMigratedDatabase(adminUrl, 'bench') });
  } finally {
    await stop();
  }
}

function runProgram(env: NodeJS.ProcessEnv): Promise<number> {
  return runOnTerminal({ command: process.execPath, args: [program, ...rest], cwd: folder, env });
}

stopProgramsOnSignals();
if (OWN_PRODUCT.includes(name)) process.exitCode = await runProgram(process.env);
else if (/^[a-z-]+$/.test(name) && existsSync(program)) process.exitCode = await runBenchmark();
else {
  console.error('Name a benchmark in bench/src, such as: npm run bench -- bytes');
  process.exitCode = 2;
}
await stopPrograms();
process.exit(); // the channel to the parent process would keep this one running
