import type { Switchyard } from '../process.ts';

/** A request as plain data, so that the same handler serves a Next route and Node's own HTTP server. */
export interface PlainRequest {
  readonly method: string;
  /** Path only, percent-encoded as it came. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PlainBody;
  /** Aborted when the client goes away before it has its answer. */
  readonly signal?: AbortSignal;
}

/** The body's bytes, or that there are more than any handler takes. */
export type PlainBody = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'too_large' };

export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What answers a request, however it came. */
export type PlainHandler = (switchyard: Switchyard, request: PlainRequest) => Promise<PlainResponse>;

/** Most bytes of a request body that are read. */
export const BODY_MAX_BYTES = 64 * 1024;
