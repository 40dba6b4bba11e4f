import { join } from 'node:path';
import type { Ports } from './choose-ports.ts';
import { writeWhole } from './files.ts';
import type { Project } from './project.ts';
import { localSecrets } from './secrets.ts';

/** Environment variables of a program to be started. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that is set to nothing counts as not set. */
function given(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

/**
 * The environment of every program of the stack: the user's variables override the defaults, except ports and the database, which
 * were chosen from the user's variables already.
 */
export function stackEnvironment(project: Project, user: Environment, ports: Ports, databaseUrl: string): Environment {
  const sandbox = (port: number): string => `http://127.0.0.1:${port}`;
  return {
    NEXT_TELEMETRY_DISABLED: '1',
    ...localSecrets(project.secretsFile),
    SWITCHYARD_PUBLIC_URL: `http://localhost:${ports.web}`,
    SWITCHYARD_REPORTING_URL: `http://127.0.0.1:${ports.reporting}`,
    SWITCHYARD_SANDBOX_URL: sandbox(ports.sandbox),
    SWITCHYARD_SANDBOX_PAYSTACK_URL: sandbox(ports.paystack),
    SWITCHYARD_SANDBOX_FLUTTERWAVE_URL: `${sandbox(ports.flutterwave)}/v3`,
    SWITCHYARD_DEMO_FILE: project.demoFile,
    SANDBOX_STATE_DIR: join(project.local, 'sandbox'),
    ...given(user),
    NODE_ENV: 'production',
    DATABASE_URL: databaseUrl,
    PORT: String(ports.web),
    REPORTING_PORT: String(ports.reporting),
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_PAYSTACK_PORT: String(ports.paystack),
    SANDBOX_FLUTTERWAVE_PORT: String(ports.flutterwave),
  };
}

const WRITTEN_VARIABLES = /^(DATABASE_URL|SWITCHYARD_[A-Z_]+)$/;

/**
 * Writes the environment to a file that only its owner may read, so that a program started by hand, for example `next start`, uses
 * the same database and secrets.
 */
export function writeEnvironment(project: Project, env: Environment): void {
  const lines = Object.entries(env).flatMap(([name, value]) =>
    WRITTEN_VARIABLES.test(name) && value !== undefined ? [`${name}='${value}'`] : [],
  );
  writeWhole(project.environmentFile, `${lines.join('\n')}\n`);
}
