import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { generateClient } from '../stack/database-client.ts';
import { ensureDatabase } from '../stack/migrations.ts';
import { prismaCommand } from '../stack/prisma.ts';
import type { Project } from '../stack/project.ts';
import type { Teardown } from '../stack/teardown.ts';
import { gatherConfigs } from './gather-configs.ts';
import { startThrowawayPostgres } from './postgres-for-tests.ts';
import { projectFiles } from './sources.ts';
import { FAILED, PASSED, runTool, type Step, type ToolCall, toolCheck } from './step.ts';

/** Compilers running at the same time. */
const TYPE_CHECKS_AT_ONCE = 2;

/** Generates the database client, so that everything after is checked against the current schema. */
export function generate(project: Project, teardown: Teardown): Step {
  return {
    name: 'database client',
    async run() {
      await generateClient(project, teardown);
      return PASSED;
    },
  };
}

function types(project: Project, teardown: Teardown): Step {
  const call = (program: string, args: string[], cwd = project.root): ToolCall => ({ program, args, cwd });
  return {
    name: 'types',
    async run() {
      // The pages' routes have types that Next writes.
      const web = join(project.root, 'apps/web');
      if (existsSync(join(web, 'next.config.ts'))) await runTool(call('next', ['typegen'], web), false, teardown);
      const configs = gatherConfigs(project, projectFiles(project.root));
      const errors: string[] = [];
      const worker = async (): Promise<void> => {
        for (let config = configs.shift(); config; config = configs.shift()) {
          const { code, output } = await runTool(call('tsc', ['-p', config]), false, teardown);
          if (code !== 0) errors.push(`${config}\n${output.trimEnd()}`);
        }
      };
      await Promise.all(Array.from({ length: TYPE_CHECKS_AT_ONCE }, worker));
      if (errors.length === 0) return PASSED;
      console.log(errors.join('\n\n'));
      return FAILED;
    },
  };
}

/** Checks that the migrations lead to the schema. */
function migrations(project: Project, teardown: Teardown): Step {
  return {
    name: 'migrations match the schema',
    async run() {
      const server = await startThrowawayPostgres();
      try {
        const url = new URL(server.adminUrl);
        url.pathname = '/switchyard_schema_check';
        await ensureDatabase(url.href);
        const diff = ['migrate', 'diff', '--from-migrations', 'prisma/migrations', '--to-schema', 'prisma/schema.prisma'];
        const command = prismaCommand(project.root, [...diff, '--exit-code'], { ...process.env, DATABASE_URL: url.href });
        const { code, output } = await runTool({ ...command, cwd: project.root }, false, teardown);
        if (code === 0) return PASSED;
        console.log(`${output.trimEnd()}\nWrite the missing migration: npm run db:migrate`);
        return FAILED;
      } finally {
        await server.stop();
      }
    },
  };
}

/** Everything that reads the code without running it, in order. */
export function checks(project: Project, teardown: Teardown): Step[] {
  const check = (name: string, program: string, ...args: string[]): Step =>
    toolCheck(name, { program, args, cwd: project.root }, teardown);
  return [
    check('format and lint', 'biome', 'ci', '--colors=off', '--diagnostic-level=error'),
    types(project, teardown),
    check('boundaries', 'turbo', 'boundaries', '--no-color'),
    check('nothing unused', 'knip', '--no-progress'),
    migrations(project, teardown),
  ];
}
