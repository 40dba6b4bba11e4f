import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresServer } from '../stack/postgres.ts';

/** A new folder for servers' files; as root, they run under another account, which has to get in. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `switchyard-${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Removes a folder with servers that were stopped, whose files may lie elsewhere. */
export function removeServers(folder: string, servers: readonly (PostgresServer | undefined)[]): void {
  for (const each of [folder, ...servers.map((server) => server?.movedTo)]) {
    if (each) rmSync(each, { recursive: true, force: true });
  }
}

/** Nothing on such a server outlives the run, so nothing has to survive a power cut. */
export const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
