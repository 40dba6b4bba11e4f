/**
 * The Prisma CLI on this project, with a schema engine that needs no download (see `stack/prisma.ts` for how to use another one)
 * and with a database: the one of `DATABASE_URL`, else that of the running stack, else the embedded one, started for as long as
 * the command takes.
 */
import { spawn } from 'node:child_process';
import { dismissGuard } from './stack/guard.ts';
import { ensureDatabase } from './stack/migrations.ts';
import { prismaCommand } from './stack/prisma.ts';
import { asProblem } from './stack/problem.ts';
import { type Project, thisProject } from './stack/project.ts';
import { resolveDatabase } from './stack/resolve-database.ts';
import { createTeardown, type Teardown } from './stack/teardown.ts';

const NEED_NO_DATABASE = new Set(['generate', 'format', 'validate', 'version', '--version', '-v', '--help', '-h']);

async function run(args: readonly string[], project: Project, teardown: Teardown): Promise<number> {
  const env = { ...process.env };
  if (!NEED_NO_DATABASE.has(args[0] ?? '--help')) {
    env.DATABASE_URL = await resolveDatabase(project, teardown);
    await ensureDatabase(env.DATABASE_URL);
  }
  const command = prismaCommand(project.root, args, env);
  const child = spawn(command.program, command.args, { cwd: project.root, env: command.env, stdio: 'inherit' });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => done(code ?? 1));
  });
}

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined); // the CLI ends on it, then this does

const project = thisProject();
const teardown = createTeardown();
try {
  process.exitCode = await run(process.argv.slice(2), project, teardown);
} catch (error) {
  const problem = asProblem(error, project.logs);
  console.error([problem.message, ...problem.hints].join('\n  '));
  process.exitCode = 1;
}
await teardown.run();
await dismissGuard();
