import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type Sandbox, type SandboxOptions, startSandbox } from '../sandbox.ts';
import type { GatewayName } from '../simulators.ts';

/** The secret key of the demo account at Paystack's simulator. */
export const paystackKey = 'sk_test_sandbox_paystack_demo';

/** The secret key of the demo account at Flutterwave's simulator. */
export const flutterwaveKey = 'FLWSECK_TEST-sandboxflutterwavedemo-X';

/** A sandbox on free ports, quick enough to wait for. */
export function quickSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  return startSandbox({
    port: 0,
    webhookDelayMs: 20,
    webhookRetryMs: [20, 20],
    refundDelayMs: 30,
    ...options,
  });
}

/** An answer, as text and parsed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined when it is not JSON. */
  readonly body: unknown;
}

/** Calls an address with a JSON body; `key` becomes a bearer token. */
export async function call(
  method: string,
  url: string,
  key: string | null = null,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const headers: Record<string, string> = { ...more };
  if (key !== null) headers.authorization = `Bearer ${key}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const response = await fetch(url, {
    method,
    headers,
    redirect: 'manual',
    signal: AbortSignal.timeout(10_000),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return read(response);
}

/** Sends a form as a browser does, without following where it leads. */
export async function submit(url: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Answer> {
  return read(await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields), redirect: 'manual' }));
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** The value at a path inside an answer's body. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** The value at a path of a JSON answer as text; `undefined` where there is none. */
export function textAt(value: unknown, ...path: (string | number)[]): string {
  return String(at(value, ...path));
}

/** The list at a path of a JSON answer; empty where there is none. */
export function listAt(value: unknown, ...path: (string | number)[]): unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Sets a gateway's fault by the control API. */
export function setFault(sandbox: Sandbox, gateway: GatewayName, fault: Record<string, unknown>): Promise<Answer> {
  return call('PUT', `${sandbox.controlUrl}/control/${gateway}/fault`, null, fault);
}

/** Ends a payment in place of its customer, by the control API. */
export function settle(sandbox: Sandbox, gateway: GatewayName, reference: string, body: unknown): Promise<Answer> {
  return call(
    'POST',
    `${sandbox.controlUrl}/control/${gateway}/transactions/${encodeURIComponent(reference)}/settle`,
    null,
    body,
  );
}

/** The journal of a gateway, by the control API. */
export async function journal(sandbox: Sandbox, gateway: GatewayName): Promise<unknown> {
  return (await call('GET', `${sandbox.controlUrl}/control/${gateway}/journal`)).body;
}

/** Opens a payment at the Paystack simulator and returns its page's address. */
export async function openPaystack(sandbox: Sandbox, fields: Record<string, unknown> = {}, key = paystackKey): Promise<string> {
  const body = { email: 'ada@example.com', amount: 100_000, ...fields };
  return textAt(
    (await call('POST', `${sandbox.gateways.paystack}/transaction/initialize`, key, body)).body,
    'data',
    'authorization_url',
  );
}

/** Opens a payment at the Flutterwave simulator and returns its page's address. */
export async function openFlutterwave(
  sandbox: Sandbox,
  fields: Record<string, unknown> = {},
  key = flutterwaveKey,
): Promise<string> {
  const body = { tx_ref: 'order-1', amount: 1_000, customer: { email: 'ada@example.com' }, ...fields };
  return textAt((await call('POST', `${sandbox.gateways.flutterwave}/v3/payments`, key, body)).body, 'data', 'link');
}

/** A webhook as a merchant's server received it. */
export interface ReceivedHook {
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  readonly body: unknown;
}

/** A merchant's server that records the webhooks it gets. */
export interface Receiver {
  readonly url: string;
  readonly received: readonly ReceivedHook[];
  /** Statuses for the next webhooks, 200 when there are none left. */
  answerWith(...statuses: number[]): void;
  /** Resolves once so many have come in all. */
  count(wanted: number): Promise<readonly ReceivedHook[]>;
  close(): Promise<void>;
}

/** A merchant's server that records the webhooks it receives. */
export async function receiver(): Promise<Receiver> {
  const received: ReceivedHook[] = [];
  const statuses: number[] = [];
  const waiting = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      received.push({ headers: request.headers, raw, body: parse(raw.toString()) });
      response.statusCode = statuses.shift() ?? 200;
      response.end();
      for (const check of waiting) check();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith: (...next) => void statuses.push(...next),
    count: (wanted) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (received.length < wanted) return;
          waiting.delete(check);
          resolve(received);
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Polls until the answer is accepted; the test's own timeout bounds it. */
export async function until<T>(ask: () => Promise<T>, good: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask();
    if (good(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
