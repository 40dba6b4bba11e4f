import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { writeWhole } from './files.ts';
import { Problem } from './problem.ts';

const secretsFile = z.object({
  SWITCHYARD_ENCRYPTION_KEYS: z.string().min(1),
  SWITCHYARD_KEY_PEPPER: z.string().min(1),
  SWITCHYARD_AUTH_SECRET: z.string().min(1),
});

/** The secrets of a local installation, under the names of the environment variables that carry them. */
export type Secrets = z.infer<typeof secretsFile>;

const SECRET_BYTES = 32;

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64');
}

function generateSecrets(): Secrets {
  return {
    SWITCHYARD_ENCRYPTION_KEYS: `local-${randomBytes(4).toString('hex')}:${newSecret()}`,
    SWITCHYARD_KEY_PEPPER: newSecret(),
    SWITCHYARD_AUTH_SECRET: newSecret(),
  };
}

/**
 * The secrets of this installation: created on the first start and stored in a file that only its owner may read. Data in the
 * database is encrypted with them, so a damaged file stops the start instead of being replaced.
 */
export function localSecrets(file: string): Secrets {
  if (!existsSync(file)) {
    const secrets = generateSecrets();
    writeWhole(file, `${JSON.stringify(secrets, null, 2)}\n`);
    return secrets;
  }
  try {
    return secretsFile.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Problem(
      `The secrets in ${file} cannot be read.`,
      ['Restore the file. Without it the local data is lost: remove the whole folder then, to start with empty data.'],
      error,
    );
  }
}
