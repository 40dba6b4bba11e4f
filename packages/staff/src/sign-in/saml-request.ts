import { inflateRawSync } from 'node:zlib';
import { isUuid } from '@switchyard/db';
import { parseCookies } from 'better-auth/cookies';
import { SAML_REQUEST_SECONDS } from './auth.ts';

/** A request to a provider of SAML that this browser was sent with. */
export interface SamlRequest {
  readonly providerId: string;
  /** The id of the request, which the answer names. */
  readonly requestId: string;
}

/**
 * The cookie that binds a sign-in by SAML to the browser that began it. The library binds an answer to any request of the provider, and so
 * takes one that an attacker had made for themselves; it cannot use a cookie of its own, which a browser does not send with another site's
 * form.
 */
export interface SamlRequestCookie {
  /** The `Set-Cookie` header for the browser that is sent to a provider. */
  issue(request: SamlRequest): string;
  read(headers: Headers): SamlRequest | null;
  /** The `Set-Cookie` header after the answer. */
  end(): string;
}

const REQUEST_ID = /^[\w-]{16,100}$/;

/** Opens the cookie. By HTTPS it is sent with forms of other sites: providers post their answers. */
export function openSamlRequestCookie({
  prefix,
  secure,
}: {
  /** Prefix of the names of our cookies. */
  readonly prefix: string;
  /** True if the dashboard is served by HTTPS alone. */
  readonly secure: boolean;
}): SamlRequestCookie {
  const name = `${prefix}.saml`;
  // Browsers send a cookie of another site's form only by HTTPS, and without this attribute for two minutes.
  const attributes = `Path=/; HttpOnly${secure ? '; SameSite=None; Secure' : ''}`;
  return {
    issue: ({ providerId, requestId }) => `${name}=${providerId}.${requestId}; Max-Age=${SAML_REQUEST_SECONDS}; ${attributes}`,
    read(headers) {
      const [providerId = '', requestId = ''] = (parseCookies(headers.get('cookie') ?? '').get(name) ?? '').split('.');
      return isUuid(providerId) && REQUEST_ID.test(requestId) ? { providerId, requestId } : null;
    },
    end: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}

const REQUEST_MAX_BYTES = 65_536;

/** The id of the request in the address that a browser is sent to (HTTP-Redirect binding); null where there is none. */
export function requestIdIn(address: URL): string | null {
  const packed = address.searchParams.get('SAMLRequest');
  if (packed === null) return null;
  const xml = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: REQUEST_MAX_BYTES }).toString();
  const id = /\sID="([^"]*)"/.exec(xml)?.[1] ?? '';
  return REQUEST_ID.test(id) ? id : null;
}
