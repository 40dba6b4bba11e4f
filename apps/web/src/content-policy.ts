/**
 * The content policy of one page: nothing from anywhere else, scripts and style elements only with this answer's nonce, never
 * framed. Style attributes are allowed, because sizes and positions are written there.
 */
export function contentPolicy({ nonce, development }: { nonce: string; development: boolean }): string {
  return [
    `default-src 'none'`,
    // React's development build explains errors by evaluating source.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ''}`,
    // The development server swaps styles in without a nonce; a nonce would make browsers ignore the permission.
    `style-src 'self' ${development ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' data:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    // The GraphQL editor, a page with a policy of its own.
    `frame-src 'self'`,
    `manifest-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `object-src 'none'`,
  ].join('; ');
}
