/**
 * The Prisma CLI on this project, with a schema engine that needs no download and with a database: the one of `DATABASE_URL`, else
 * that of the running stack, else the embedded one, started for as long as the command takes.
 */
import { runCommand } from './stack/command.ts';
import { ensureDatabase, prismaCommand, resolveDatabase } from './stack/database.ts';
import { runOnTerminal } from './stack/programs.ts';
import { thisProject } from './stack/project.ts';

const NEED_NO_DATABASE = new Set(['generate', 'format', 'validate', 'version', '--version', '-v', '--help', '-h']);

await runCommand(
  async () => {
    const project = thisProject();
    const args = process.argv.slice(2);
    const env = { ...process.env };
    if (!NEED_NO_DATABASE.has(args[0] ?? '--help')) {
      env.DATABASE_URL = await resolveDatabase(project);
      await ensureDatabase(env.DATABASE_URL);
    }
    return runOnTerminal({ ...prismaCommand(project.root, args, env), cwd: project.root });
  },
  { failed: 1 },
);
