/**
 * `npm run bench`: measures the path of a payment, on a product that it starts itself; `npm run bench -- overload`, `bytes`, `reports` or
 * `pages` measures something else. What follows the name goes to the benchmark.
 */
import { join } from 'node:path';
import { runOnTerminal, stopPrograms, stopProgramsOnSignals } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';

const PAYMENTS = 'payments';
const given = process.argv.slice(2);
const [name = PAYMENTS, ...rest] = given[0]?.startsWith('--') ? [PAYMENTS, ...given] : given;

/** Runs a benchmark that starts the product with its database itself. */
function runProgram(): Promise<number> {
  const folder = join(thisProject().root, 'bench');
  return runOnTerminal({
    command: process.execPath,
    args: [join(folder, 'src', `${name}.ts`), ...rest],
    cwd: folder,
    env: process.env,
  });
}

async function run(): Promise<number> {
  switch (name) {
    case PAYMENTS:
    case 'bytes':
    case 'overload':
      return runProgram();
    case 'reports':
      return (await import('./reports.ts')).measureReports(rest);
    case 'pages':
      return (await import('./pages.ts')).measurePages(rest);
    default:
      console.error(`There is no benchmark ${name}. There are: ${PAYMENTS}, bytes, overload, reports, pages.`);
      return 2;
  }
}

stopProgramsOnSignals();
process.exitCode = await run();
await stopPrograms();
process.exit(); // the channel to the parent process would keep this one running
