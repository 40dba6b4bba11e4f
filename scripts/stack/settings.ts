import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { holderOf } from '../bootstrap/claim.mjs';
import { writeWhole } from '../bootstrap/files.mjs';
import { Problem } from '../bootstrap/problem.mjs';
import type { Ports } from './ports.ts';
import type { Environment } from './programs.ts';
import type { Project } from './project.ts';

/** The secrets of a local installation, under the names of the environment variables that carry them. */
const secretsSchema = z.object({
  SWITCHYARD_ENCRYPTION_KEYS: z.string().min(1),
  SWITCHYARD_KEY_PEPPER: z.string().min(1),
  SWITCHYARD_AUTH_SECRET: z.string().min(1),
});
type Secrets = z.infer<typeof secretsSchema>;

const SECRET_BYTES = 32;
const WRITTEN_VARIABLES = /^(DATABASE_URL|SWITCHYARD_[A-Z_]+)$/;

/**
 * The secrets of this installation: created on the first start and stored in a file that only its owner may read. Data in the
 * database is encrypted with them, so a damaged file stops the start instead of being replaced.
 */
export function localSecrets(file: string): Secrets {
  const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64');
  if (!existsSync(file)) {
    const secrets = {
      SWITCHYARD_ENCRYPTION_KEYS: `local-${randomBytes(4).toString('hex')}:${newSecret()}`,
      SWITCHYARD_KEY_PEPPER: newSecret(),
      SWITCHYARD_AUTH_SECRET: newSecret(),
    };
    writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return secrets;
  }
  return parseSecrets(file);
}

/**
 * The secrets of this installation where a command is about its database: the embedded one, or the one that its running stack has. None for
 * any other database, whose secrets are in the environment alone, and before the first start. Throws a Problem when the file is damaged.
 */
export function readLocalSecrets({ secretsFile, runFile }: Project, { DATABASE_URL }: Environment): Partial<Secrets> {
  const isLocal = !DATABASE_URL || DATABASE_URL === holderOf(runFile)?.databaseUrl;
  return isLocal && existsSync(secretsFile) ? parseSecrets(secretsFile) : {};
}

function parseSecrets(file: string): Secrets {
  try {
    return secretsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    const hint = 'Restore the file. Without it the local data is lost: remove the whole folder then, to start with empty data.';
    throw new Problem(`The secrets in ${file} cannot be read.`, [hint], error);
  }
}

/** How Node spends memory, as `deploy/entrypoint.sh` sets it too: docs/decisions/memory.md. */
export const MEMORY_SETTINGS = { NODE_OPTIONS: '--max-semi-space-size=8', MALLOC_ARENA_MAX: '2' } as const;

/**
 * The environment of every program of the stack: the user's variables override the defaults, except ports and the database, which
 * were chosen from the user's variables already. A variable that is set to nothing counts as not set.
 */
export function stackEnvironment(project: Project, user: Environment, ports: Ports, databaseUrl: string): Environment {
  const at = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    NEXT_TELEMETRY_DISABLED: '1',
    MALLOC_ARENA_MAX: MEMORY_SETTINGS.MALLOC_ARENA_MAX,
    ...localSecrets(project.secretsFile),
    SWITCHYARD_PUBLIC_URL: `http://localhost:${ports.web}`,
    SWITCHYARD_REPORTING_URL: at(ports.reporting),
    SWITCHYARD_SANDBOX_URL: at(ports.sandbox),
    SWITCHYARD_DEMO_FILE: project.demoFile,
    SWITCHYARD_PRIVATE_ADDRESSES: 'allow',
    SANDBOX_STATE_DIR: join(project.local, 'sandbox'),
    ...Object.fromEntries(Object.entries(user).filter(([, value]) => value !== '')),
    // Of an option that is given twice, the last counts.
    NODE_OPTIONS: [MEMORY_SETTINGS.NODE_OPTIONS, user.NODE_OPTIONS].filter(Boolean).join(' '),
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PORT: String(ports.web),
    REPORTING_PORT: String(ports.reporting),
    SANDBOX_PORT: String(ports.sandbox),
  };
}

/**
 * Writes the environment to a file that only its owner may read, for a program that is started by hand with `node --env-file=.local/env`.
 * No program reads it by itself: one in production has the settings that it is given, and no others.
 */
export function writeEnvironment(project: Project, env: Environment): void {
  const lines = Object.entries(env).flatMap(([name, value]) =>
    WRITTEN_VARIABLES.test(name) && value !== undefined ? [`${name}='${value}'`] : [],
  );
  writeWhole(project.environmentFile, `${lines.join('\n')}\n`);
}
