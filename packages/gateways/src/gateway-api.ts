import type { Gateway } from './gateway.ts';
import type { WireReply } from './http.ts';

/** A JSON object that a gateway answered under a 2xx or 4xx status. */
export type Answer = Extract<WireReply, { kind: 'answer' }>;

/** An error as the gateway's own envelope states it. */
export interface Refusal {
  /** The gateway's reason, not redacted yet; null or empty where it gives none. */
  readonly message?: string | null | undefined;
  readonly code?: string | null | undefined;
  /** The HTTP status that the envelope states, where that may differ from the answer's own. */
  readonly status?: number | null;
}

/** A gateway's API, as far as calls of every gateway differ in it. */
export interface GatewayApi extends Pick<Gateway, 'title' | 'baseUrl' | 'secretFields' | 'errorCodes'> {
  /** Base address for test accounts without one of their own, where the gateway tests on another host. */
  readonly testBaseUrl?: string;
  /** The beginnings of keys, and the mode that each names. A key with another beginning is taken for either. */
  readonly keyPrefixes: Readonly<Record<string, 'test' | 'live'>>;
  /** The credential that identifies the account, where it is not `secretKey`, and its title: `API key`. */
  readonly key?: { readonly field: string; readonly title: string };
  /** Hosts (exact, or `.suffix`) of checkout pages; test accounts may be sent to both. */
  readonly checkoutHosts: { readonly live: readonly string[]; readonly test: readonly string[] };
  /** Reads the error that an answer states; null where it states none. */
  readRefusal(reply: Pick<Answer, 'status' | 'json'>): Refusal | null;
}
