import { AsyncLocalStorage } from 'node:async_hooks';
import { allowedRange, checkedConnector, hostProblem, nameServerResolver, resolveBySystem } from '@switchyard/gateways/addresses';
import { Agent } from 'undici';

/** Most milliseconds of a call: connection, answer and body together. */
const TIMEOUT_MS = 10_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Discovery documents, keys and claims have a few KiB. */
const ANSWER_MAX_BYTES = 512 * 1_024;

/** Addresses of providers in private networks are called only where the process is set up to allow them. */
export function mayCallPrivate(): boolean {
  return allowedRange('test') === 'public_and_private';
}

/** Every other address is public and shows a certificate for its name. */
const range = () => (mayCallPrivate() ? 'public_and_private' : 'public');

const publicNames = nameServerResolver();
const agent = new Agent({
  allowH2: false,
  connect: checkedConnector(range, (name) => (mayCallPrivate() ? resolveBySystem(name) : publicNames(name)), {
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
  }),
  // No connection is kept: sign-ins are rare.
  pipelining: 0,
  maxHeaderSize: 16_384,
  maxResponseSize: ANSWER_MAX_BYTES,
});

/** The rule that the address of a provider breaks; null when it may be called. */
export function providerUrlProblem(address: string): string | null {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && !(url.protocol === 'http:' && mayCallPrivate()))) {
    return 'must be an address that begins with https://';
  }
  return hostProblem(url.hostname, range());
}

/** Calls a provider: within the time, through the checked connector, following no redirect. */
async function callProvider(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init);
  const problem = providerUrlProblem(request.url);
  if (problem !== null) throw new TypeError(`the address of a sign-in provider ${problem}`);
  const url = new URL(request.url);
  const answer = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: request.method === 'POST' ? 'POST' : 'GET',
    headers: Object.fromEntries(request.headers),
    body: request.method === 'POST' ? await request.text() : null,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const body = await answer.body.arrayBuffer();
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) if (value !== undefined) headers.set(name, String(value));
  const isEmpty = [204, 205, 304].includes(answer.statusCode);
  return new Response(isEmpty ? null : body, { status: answer.statusCode, headers });
}

/*
 * The sign-in library calls providers by the global `fetch`, without a time-out, and checks a name apart from the connection. While it works
 * on a sign-in by a provider its calls go through the function above; those of others are untouched.
 */

const inside = new AsyncLocalStorage<true>();
const elsewhere = globalThis.fetch;

globalThis.fetch = (input, init) => (inside.getStore() ? callProvider(input, init) : elsewhere(input, init));

/** Runs work of the sign-in library whose calls are guarded. */
export function withGuardedCalls<Result>(work: () => Promise<Result>): Promise<Result> {
  return inside.run(true, work);
}
