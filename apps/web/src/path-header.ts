/** Passes the requested path to pages rendered on the server. */
export const PATH_HEADER = 'x-page-path';
