import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../bootstrap/processes.mjs';
import type { PostgresServer } from '../stack/postgres.ts';

/** A file system in memory, where Linux has one. */
const MEMORY = '/dev/shm';
/** Far more than all servers of a run have at one time. */
const MEMORY_MIN_BYTES = 4 * 1_024 ** 3;

/** A folder of servers, with the id of the process that made it. */
const FOLDER = /^switchyard-[a-z]+-(\d+)-\w{6}$/;

/**
 * A new folder for servers' files; as root, they run under another account, which has to get in. Folders of processes that were killed are
 * removed: they would fill the memory.
 */
export function temporaryFolder(name: string): string {
  const base = hasMemory() ? MEMORY : tmpdir();
  for (const entry of readdirSync(base)) {
    const pid = Number(FOLDER.exec(entry)?.[1]);
    if (pid > 0 && identify(pid) === undefined) rmSync(join(base, entry), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(base, `switchyard-${name}-${process.pid}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** True if servers' files fit into memory: a copy of the template takes a tenth of the time that it takes on a disk. */
function hasMemory(): boolean {
  if (!existsSync(MEMORY)) return false;
  const { bavail, bsize } = statfsSync(MEMORY);
  return bavail * bsize >= MEMORY_MIN_BYTES;
}

/** True for a folder of servers in memory, which each account may pass through. */
export function isInMemory(folder: string): boolean {
  return folder.startsWith(`${MEMORY}/`);
}

/** Removes a folder with servers that were stopped, whose files may lie elsewhere. */
export function removeServers(folder: string, servers: readonly (PostgresServer | undefined)[]): void {
  for (const each of [folder, ...servers.map((server) => server?.movedTo)]) {
    if (each) rmSync(each, { recursive: true, force: true });
  }
}

/** Nothing on such a server outlives the run, so nothing has to survive a power cut. */
export const THROWAWAY_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' };
