/** What tells where a browser's request came from. */
export interface OriginFacts {
  readonly method: string;
  readonly headers: Headers;
  /** Our own address. */
  readonly publicUrl: string;
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a request may change something in the name of whoever's cookie it carries: browsers name the page it came from, and
 * that must be a page of ours. A request that says nothing of where it came from is refused.
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
