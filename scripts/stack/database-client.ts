import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './command.ts';
import { fingerprint } from './fingerprint.ts';
import { prismaCommand } from './prisma.ts';
import type { Project } from './project.ts';
import type { Teardown } from './teardown.ts';

const MADE_FROM = ['prisma/schema.prisma', 'prisma.config.ts', 'package-lock.json'];

/** Stored among the generated files, so it is deleted with them. */
function stampFile(project: Project): string {
  return join(project.root, 'packages/db/src/generated/.made-from');
}

/** Whether the generated database client is the schema's. */
export function isClientCurrent(project: Project): boolean {
  const file = stampFile(project);
  return existsSync(file) && readFileSync(file, 'utf8') === fingerprint(project.root, MADE_FROM);
}

/** Generates the database client from the schema. */
export async function generateClient(project: Project, teardown: Teardown): Promise<void> {
  const madeFrom = fingerprint(project.root, MADE_FROM);
  const command = prismaCommand(project.root, ['generate'], process.env);
  const log = join(project.logs, 'generate.log');
  await runCommand({ ...command, failure: 'The database client could not be generated', cwd: project.root, log }, teardown);
  writeFileSync(stampFile(project), madeFrom);
}
