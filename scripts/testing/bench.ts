/**
 * `npm run bench`: measures the path of a payment, on a product that it starts itself. `npm run bench -- replay`: runs a benchmark that
 * needs a database, on one of its own: an embedded PostgreSQL with every migration applied, thrown away afterwards.
 * `TEST_DATABASE_URL` set means that server instead. What follows the name goes to the benchmark.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dismissGuard } from '../stack/guard.ts';
import { withConnection } from '../stack/migrations.ts';
import { thisProject } from '../stack/project.ts';
import { startThrowawayPostgres } from './postgres-for-tests.ts';
import { createTemplateDatabase } from './template-database.ts';

const PAYMENTS = 'payments';
const given = process.argv.slice(2);
const [name = PAYMENTS, ...rest] = given[0]?.startsWith('--') ? [PAYMENTS, ...given] : given;
const { root } = thisProject();
const program = join(root, 'bench', 'src', `${name}.ts`);

async function runBenchmark(): Promise<number> {
  const { adminUrl, stop } = await startThrowawayPostgres();
  try {
    await createTemplateDatabase(adminUrl, join(root, 'prisma', 'migrations'));
    const url = new URL(adminUrl);
    url.pathname = '/bench';
    await withConnection(adminUrl, async (client) => {
      await client.query('DROP DATABASE IF EXISTS bench WITH (FORCE)');
      await client.query('CREATE DATABASE bench TEMPLATE switchyard_template');
    });
    return await runProgram({ ...process.env, DATABASE_URL: url.href });
  } finally {
    await stop();
    await dismissGuard();
  }
}

function runProgram(env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, [program, ...rest], { cwd: join(root, 'bench'), env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => child.kill(signal));
  return new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

if (name === PAYMENTS) process.exitCode = await runProgram(process.env);
else if (/^[a-z-]+$/.test(name) && existsSync(program)) process.exitCode = await runBenchmark();
else {
  console.error('Name a benchmark in bench/src, such as: npm run bench -- replay');
  process.exitCode = 2;
}
