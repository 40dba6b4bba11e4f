import { isSafeCheckoutUrl } from './checkout-url.ts';
import { exchange, freshClient } from './connections.ts';
import type { AccountAccess, CallOptions, Failure } from './gateway.ts';
import type { FileBody } from './http.ts';
import { failure } from './outcomes.ts';

/** Most answer bytes read of a store of files: an error of it is a few lines of XML. */
const ANSWER_MAX_BYTES = 16 * 1024;

/** Where a file may be put, and who names the place. */
interface FilePlace extends CallOptions {
  /** Hosts (exact, or `.suffix`) of live accounts; test accounts may point at their own. */
  readonly hosts: readonly string[];
  readonly title: string;
}

/** Puts a file at an address that a gateway signed. Null when the store took it, else why not. Never throws. */
export async function putFile(
  account: AccountAccess,
  address: string,
  { contentType, bytes }: FileBody,
  { hosts, title, timeoutMs }: FilePlace,
): Promise<Failure | null> {
  if (!isSafeCheckoutUrl(address, account, { live: hosts, test: hosts })) {
    return failure('provider_fault', 'malformed_answer', `${title} sent an address that no file may be sent to.`);
  }
  const url = new URL(address);
  const client = freshClient(url.origin);
  const request = {
    method: 'PUT',
    path: url.pathname + url.search,
    headers: { 'content-type': contentType, 'accept-encoding': 'identity' },
    body: Buffer.from(bytes),
    maxBytes: ANSWER_MAX_BYTES,
  } as const;
  const result = await exchange(client, request, timeoutMs);
  await client.destroy();
  if (result.kind === 'broken') {
    return failure(
      'provider_fault',
      result.why === 'timeout' ? 'timeout' : 'connection_lost',
      `${title} took no file (${result.detail}).`,
    );
  }
  if (result.status >= 200 && result.status < 300) return null;
  return failure('provider_fault', 'request_rejected', `${title} took no file: its store answered ${result.status}.`);
}
