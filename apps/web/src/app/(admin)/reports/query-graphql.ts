const TIMEOUT_MS = 20_000;

/**
 * Sends a request to the GraphQL endpoint that programs use, and returns the body of the answer; null where it is no JSON. Someone whose
 * session has ended is sent to sign in.
 */
export async function queryGraphql(request: object, signal: AbortSignal): Promise<unknown> {
  const response = await fetch('/api/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify(request),
    signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
  });
  if (response.status === 401) {
    const { pathname, search } = window.location;
    window.location.assign(`/sign-in?next=${encodeURIComponent(pathname + search)}`);
  }
  return response.json().catch(() => null);
}
