import type { MachineScope } from '@switchyard/db/client';
import { withChecksum } from '@switchyard/merchants/api-keys';

/*
 * Tokens of staff users read `<prefix>_<public id>_<secret><checksum>`, in the format of API keys. The row says what a token may do; its
 * prefix shows people which kind of token they hold.
 */

const TOKEN = /^((?:fin|agt)_([0-9A-Za-z]{12})_([0-9A-Za-z]{43}))[0-9A-Za-z]{6}$/;

/** A token's text, taken apart: `publicId` finds its row, `secret` is compared with the stored hash. */
interface TokenParts {
  readonly publicId: string;
  readonly secret: string;
}

/** The token's text, shown to its owner once. */
export function formatToken(scopes: readonly MachineScope[], { publicId, secret }: TokenParts): string {
  return withChecksum(`${scopes.includes('reports') ? 'fin' : 'agt'}_${publicId}_${secret}`);
}

const BEARER = /^bearer +(\S{1,200}) *$/i;

/** The token in an `Authorization` header; null for none, another format or a wrong checksum. Reads no database. */
export function readBearerToken(authorizationHeader: string | null): TokenParts | null {
  const text = BEARER.exec(authorizationHeader ?? '')?.[1] ?? '';
  const [whole, body, publicId, secret] = TOKEN.exec(text) ?? [];
  if (body === undefined || publicId === undefined || secret === undefined) return null;
  return withChecksum(body) === whole ? { publicId, secret } : null;
}
