import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GatewayName } from '../names.ts';

const SOURCES = join(import.meta.dirname, '..');
const DIGEST_LENGTH = 12;

/**
 * Version of a connector: a digest of its own files and of what connectors share, as they run. The command line as it is published has
 * files that were built of the sources, and with them digests of its own.
 */
export function connectorDigest(gateway: GatewayName): string {
  const hash = createHash('sha256');
  for (const path of [...programsIn(gateway), ...programsIn('.')]) {
    hash
      .update(path)
      .update('\0')
      .update(readFileSync(join(SOURCES, path)));
  }
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

function programsIn(folder: string): readonly string[] {
  return readdirSync(join(SOURCES, folder))
    .filter((name) => /(?<!\.test|\.d)\.[jt]s$/.test(name))
    .map((name) => join(folder, name))
    .toSorted();
}
