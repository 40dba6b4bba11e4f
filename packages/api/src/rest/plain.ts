/** A request as plain data, so that the same handler serves a Next route and Node's own HTTP server. */
export interface RestRequest {
  readonly method: string;
  /** Path only, percent-encoded as it came. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RestBody;
}

/** The body's bytes, or that there are more than any handler takes. */
export type RestBody = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'too_large' };

export interface RestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Most bytes of a request body that are read. */
export const BODY_MAX_BYTES = 64 * 1024;
