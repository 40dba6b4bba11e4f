import { type NextRequest, NextResponse } from 'next/server';
import { PATH_HEADER } from './path-header.ts';
import { missingMode, paymentWithoutMode } from './scope/mode-of-address.ts';
import { MODE_COOKIE } from './scope/scope.ts';

/**
 * Gives every page a content policy of its own: only scripts with this response's nonce run. Redirects a URL without a mode
 * to the one that has it; that of a payment is looked up for it.
 */
export function proxy(request: NextRequest): NextResponse {
  const { pathname, searchParams } = request.nextUrl;
  const mode = missingMode(pathname, searchParams.get('mode'), request.cookies.get(MODE_COOKIE)?.value);
  if (mode !== null) {
    const complete = request.nextUrl.clone();
    complete.searchParams.set('mode', mode);
    return NextResponse.redirect(complete);
  }
  const paymentId = paymentWithoutMode(pathname, searchParams.get('mode'));
  if (paymentId !== null) {
    const lookUp = request.nextUrl.clone();
    lookUp.pathname = `/payments/${paymentId}/in-its-mode`;
    return NextResponse.rewrite(lookUp);
  }
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64');
  const policy = contentPolicy({ nonce, development: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  // Next reads the nonce from here and puts it on its own scripts.
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  headers.set(PATH_HEADER, `${request.nextUrl.pathname}${request.nextUrl.search}`);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('cache-control', 'private, no-store');
  return response;
}

/** The paths that the proxy runs for. */
export const config = {
  matcher: ['/((?!api/|v1/|webhooks/(?!endpoints/)|developers/graphql/editor|_next/static/|install/|favicon.ico|icon.svg).*)'],
};

/**
 * The content policy of one page: nothing from anywhere else, scripts and style elements only with this answer's nonce, never
 * framed. Style attributes are allowed, because sizes and positions are written there.
 */
function contentPolicy({ nonce, development }: { nonce: string; development: boolean }): string {
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
