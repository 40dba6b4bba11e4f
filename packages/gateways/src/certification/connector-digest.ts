import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayName } from '../names.ts';

const SOURCES = join(import.meta.dirname, '..');
const DIGEST_LENGTH = 12;

/**
 * Version of a connector: a digest of its own sources and of what connectors share. Null where they are not beside this file, as in the
 * command line as it is published.
 */
export function connectorDigest(gateway: GatewayName): string | null {
  if (!existsSync(join(SOURCES, gateway))) return null;
  const paths = globSync([`${gateway}/*.ts`, '*.ts'], { cwd: SOURCES }).filter((path) => !path.endsWith('.test.ts'));
  const hash = createHash('sha256');
  for (const path of paths.sort())
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(SOURCES, path)));
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}
