import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { Environment } from './environment.ts';

const ENGINE_VARIABLE = 'PRISMA_SCHEMA_ENGINE_BINARY';

/**
 * How to run the Prisma CLI of this project: program, arguments and environment.
 *
 * Its schema engine is the WebAssembly one of this project, so that nothing is downloaded, unless `PRISMA_SCHEMA_ENGINE_BINARY` is set: to a path, for
 * another engine; to the empty string, for the one that Prisma downloads by itself where the open internet can be reached.
 */
export function prismaCommand(
  root: string,
  args: readonly string[],
  env: Environment,
): { program: string; args: string[]; env: Environment } {
  const manifest = createRequire(import.meta.url).resolve('prisma/package.json');
  const { [ENGINE_VARIABLE]: wanted, ...rest } = env;
  // Generators are commands of packages of ours, and run on our Node.
  const path = [join(root, 'node_modules', '.bin'), dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter);
  const engine = wanted ?? join(root, 'scripts', 'schema-engine.mjs');
  return {
    program: process.execPath,
    args: [join(dirname(manifest), 'build', 'index.js'), ...args],
    env: {
      ...rest,
      PATH: path,
      CHECKPOINT_DISABLE: '1',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      ...(engine ? { [ENGINE_VARIABLE]: engine } : {}),
    },
  };
}
