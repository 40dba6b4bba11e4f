import { authenticateToken, readTokenSession } from '@switchyard/staff/token-access';
import { isFromOurPages } from '../http/same-origin.ts';
import type { Switchyard } from '../process.ts';
import { RETRY_LATER, whyUnavailable } from '../unavailable.ts';
import { staffViewer, tokenViewer, type Viewer } from './viewer.ts';

/** The authenticated caller, or the HTTP response that refuses it. */
export type Authentication =
  | { readonly kind: 'known'; readonly viewer: Viewer }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string;
      readonly message: string;
      readonly headers: Record<string, string>;
    };

const UNKNOWN_TOKEN = 'This token is invalid or expired.';

/**
 * The caller of a request: a program with a machine token, or a signed-in staff user whose request came from our own pages. A request
 * with a token is authenticated by it alone.
 */
export async function authenticateViewer(switchyard: Switchyard, headers: Headers): Promise<Authentication> {
  try {
    const { configuration, publicUrl } = switchyard.resources;
    await configuration.ready();
    const merchants = configuration.merchants();
    const authorization = headers.get('authorization');
    if (authorization !== null) {
      const access = await authenticateToken(switchyard, authorization);
      if (access?.scopes.includes('reports')) return { kind: 'known', viewer: tokenViewer(access, merchants) };
      const session = access && (await readTokenSession(switchyard, access));
      if (session === null) return refused(401, 'UNAUTHENTICATED', UNKNOWN_TOKEN, { 'www-authenticate': 'Bearer' });
      return { kind: 'known', viewer: staffViewer(session, merchants, { onlyTools: true }) };
    }
    if (!isFromOurPages({ method: 'POST', headers, publicUrl })) {
      return refused(403, 'FOREIGN_ORIGIN', 'This request did not come from the dashboard.');
    }
    const session = await switchyard.signIn().readSession(headers);
    if (session === null) return refused(401, 'UNAUTHENTICATED', 'Sign in, or send a machine token.');
    return { kind: 'known', viewer: staffViewer(session, merchants) };
  } catch (error) {
    const why = whyUnavailable(error);
    if (why === null) throw error;
    return refused(503, 'UNAVAILABLE', why, RETRY_LATER);
  }
}

function refused(status: number, code: string, message: string, headers: Record<string, string> = {}): Authentication {
  return { kind: 'refused', status, code, message, headers };
}
