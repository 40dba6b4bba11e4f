import type { IncomingMessage } from 'node:http';

/** A request as handlers see it: already read, its path matched. */
export interface Inbound {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  readonly params: Readonly<Record<string, string>>;
  readonly ip: string;
}

/** An answer as plain data. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A call that is answered: a method and a path with parameters. */
export interface Route<Context> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/transaction/verify/:reference`: each `:name` takes one non-empty segment, percent-decoded. */
  readonly pattern: string;
  handle(request: Inbound, context: Context): Reply | Promise<Reply>;
}

/** The route of a request; `wrong_method` names the methods that its path has. */
export type Match<R> =
  | { readonly kind: 'found'; readonly route: R; readonly params: Record<string, string> }
  | { readonly kind: 'wrong_method'; readonly allow: string[] }
  | { readonly kind: 'unknown' };

/** An answer with a JSON body. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return { status, headers: { 'content-type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(value) };
}

/** An answer 303 to another address, which no cache stores. */
export function redirect(location: string): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' };
}

/** Finds the route for a method and a path; literal patterns win over those with parameters when listed first. */
export function match<R extends { readonly method: string; readonly pattern: string }>(
  routes: readonly R[],
  method: string,
  path: string,
): Match<R> {
  const segments = path.split('/');
  const allow: string[] = [];
  for (const route of routes) {
    const params = matchPattern(route.pattern.split('/'), segments);
    if (params === null) continue;
    if (route.method === method) return { kind: 'found', route, params };
    allow.push(route.method);
  }
  return allow.length > 0 ? { kind: 'wrong_method', allow } : { kind: 'unknown' };
}

function matchPattern(pattern: string[], segments: string[]): Record<string, string> | null {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, part] of pattern.entries()) {
    const segment = segments[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return null;
      continue;
    }
    const value = decodeSegment(segment);
    if (value === null || value === '') return null;
    params[part.slice(1)] = value;
  }
  return params;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

const bodyLimitBytes = 1_048_576;

/** Reads a whole body, or null when it is larger than 1 MiB. Rejects when the client goes away. */
export async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > bodyLimitBytes) return null;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Splits a request target into path and query; whatever cannot be parsed becomes an empty path, which matches nothing. */
export function parseTarget(target: string): { path: string; query: URLSearchParams } {
  const mark = target.indexOf('?');
  return mark === -1
    ? { path: target, query: new URLSearchParams() }
    : { path: target.slice(0, mark), query: new URLSearchParams(target.slice(mark + 1)) };
}

/** The body as JSON, or undefined when it is not JSON. */
export function parseJson(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}

/** The fields of a URL-encoded body; of a repeated one the last. */
export function parseForm(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

/** A text field at the top of a JSON body, or null when there is none. */
export function textField(body: Buffer, name: string): string | null {
  if (body.length === 0) return null;
  const value = parseJson(body);
  if (typeof value !== 'object' || value === null) return null;
  const field: unknown = Reflect.get(value, name);
  return typeof field === 'string' ? field : null;
}
