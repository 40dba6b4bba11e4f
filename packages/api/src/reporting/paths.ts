/** Path that the reporting process serves GraphQL on; the web process forwards it. */
export const GRAPHQL_PATH = '/api/graphql';

/** Prefix of the paths that the reporting process serves exports on; the list's name follows. */
export const EXPORT_PATH = '/api/export/';

/** True if the reporting process answers a path, to which the web process forwards it. */
export function isReportingPath(path: string): boolean {
  return path === GRAPHQL_PATH || path.startsWith(EXPORT_PATH);
}
