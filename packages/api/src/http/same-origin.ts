/** The parts of a request that identify its origin. */
export interface OriginFacts {
  readonly method: string;
  readonly headers: Headers;
  /** Our own address. */
  readonly publicUrl: string;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True if a request may change something with the cookie it carries: the browser names the page it came from, which must be ours. A
 * request without origin headers is refused.
 */
export function isFromOurPages({ method, headers, publicUrl }: OriginFacts): boolean {
  if (SAFE_METHODS.has(method)) return true;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = headers.get('origin');
  if (origin === null) return site === 'same-origin';
  if (origin === new URL(publicUrl).origin) return true;
  const parsed = URL.canParse(origin) ? new URL(origin) : null;
  return parsed !== null && parsed.host === headers.get('host');
}
