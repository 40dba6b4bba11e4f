import type { Switchyard } from '../process.ts';
import type { RequestFacts } from './watch-requests.ts';

/** A request as plain data, so that the same handler serves a Next route and Node's own HTTP server. */
export interface PlainRequest {
  readonly method: string;
  /** Path only, percent-encoded as received. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Lower-case names; repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: PlainBody;
  /** Aborted when the client disconnects before the response. */
  readonly signal?: AbortSignal;
  /** Facts that handlers add to the request's log line; left out where nothing watches requests. */
  readonly facts?: RequestFacts;
}

/** The body's bytes, or that it exceeds the largest limit of any handler. */
export type PlainBody = { readonly kind: 'bytes'; readonly bytes: Uint8Array } | { readonly kind: 'too_large' };

/** A whole HTTP response with a text body, or one whose body goes on. */
export interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Sent after `body`, which is empty, piece by piece until the client leaves. Ends when the request's `signal` is aborted. */
  readonly stream?: AsyncIterable<string>;
}

/** A response, independent of the HTTP server. */
export type PlainHandler = (switchyard: Switchyard, request: PlainRequest) => Promise<PlainResponse>;

/** Maximum size of a request body in bytes. */
export const BODY_MAX_BYTES = 64 * 1024;

/** Size of gateways' webhooks: one that announces a settlement lists the payments in it. */
const WEBHOOK_MAX_BYTES = 2 * 1024 * 1024;

/** Size of provisioning requests: a group that is sent whole has 2,000 members. */
const SCIM_MAX_BYTES = 512 * 1024;

/** Maximum size of the body of a request to a path, in bytes. */
export function bodyMaxBytes(path: string): number {
  if (path.startsWith('/scim/')) return SCIM_MAX_BYTES;
  return path.startsWith('/webhooks/') ? WEBHOOK_MAX_BYTES : BODY_MAX_BYTES;
}
