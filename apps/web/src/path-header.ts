/** Tells the page rendered on the server which address was asked for. */
export const PATH_HEADER = 'x-page-path';
