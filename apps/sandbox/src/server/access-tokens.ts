import { randomBytes } from 'node:crypto';

interface IssuedToken {
  readonly accountId: string;
  readonly expiresAt: number;
  used: boolean;
}

/** Whose token it is, or why it does not count. */
export type TokenReading =
  | { readonly kind: 'valid'; readonly accountId: string /** True if a call was made with it before. */; readonly used: boolean }
  | { readonly kind: 'expired' }
  | { readonly kind: 'unknown' };

const tokensMax = 10_000;

/** Tokens that accounts got in exchange for their credentials. They do not survive a restart, as tokens need not. */
export class AccessTokens {
  readonly #now: () => number;
  readonly #tokens = new Map<string, IssuedToken>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Issues a token that is valid for so long. Past 10,000 the oldest is forgotten. */
  issue(accountId: string, lifetimeMs: number): string {
    const token = randomBytes(24).toString('base64url');
    this.#tokens.set(token, { accountId, expiresAt: this.#now() + lifetimeMs, used: false });
    const oldest = this.#tokens.keys().next();
    if (this.#tokens.size > tokensMax && oldest.done !== true) this.#tokens.delete(oldest.value);
    return token;
  }

  /** Reads a token that a call presents, which makes it a used one. */
  use(token: string): TokenReading {
    const issued = this.#tokens.get(token);
    if (issued === undefined) return { kind: 'unknown' };
    if (issued.expiresAt <= this.#now()) return { kind: 'expired' };
    const { accountId, used } = issued;
    issued.used = true;
    return { kind: 'valid', accountId, used };
  }
}
