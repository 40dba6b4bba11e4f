/** Path that the reporting process serves GraphQL on; the web process forwards it. */
export const GRAPHQL_PATH = '/api/graphql';

/** Prefix of the paths that the reporting process serves exports on; the list's name follows. */
export const EXPORT_PATH = '/api/export/';

/** Prefix of the dashboard's procedures; names of them follow, with commas between. */
export const TRPC_PATH = '/api/trpc';

/** Procedures that read a file which a person sent, or carry out what would follow from one. */
const FILE_PROCEDURES = /^(settlements\.((files|bank)\.(inspect|preview|effect|take)|withdrawals\..+)|refunds\.bulk\..+)$/;

/**
 * True if one of the procedures that a path names reads files: their content decides how much memory and time that takes, so it is done where
 * no payment waits for it.
 */
export function isFilePath(path: string): boolean {
  if (!path.startsWith(`${TRPC_PATH}/`)) return false;
  return decoded(path.slice(TRPC_PATH.length))
    .replaceAll('/', '')
    .split(',')
    .some((procedure) => FILE_PROCEDURES.test(procedure));
}

/** True if the reporting process answers a path, to which the web process forwards it. */
export function isReportingPath(path: string): boolean {
  return path === GRAPHQL_PATH || path.startsWith(EXPORT_PATH) || isFilePath(path);
}

/** A path as the procedures' router reads it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
