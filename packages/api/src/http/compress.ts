import { promisify } from 'node:util';
import { constants, gzip } from 'node:zlib';
import type { PlainResponse } from './plain.ts';

/** Skip compression below this size: it costs more than it saves. */
export const COMPRESSED_MIN_CHARACTERS = 8 * 1024;
/** A tenth of the bytes is worth more than the fastest level costs. */
export const LEVEL = { level: constants.Z_BEST_SPEED };
const zip = promisify(gzip);

/** The response body, compressed where it is large enough and the client accepts it (RFC 9110, 12.5.3). */
export async function compress(
  { headers, body }: PlainResponse,
  accepted: string | undefined,
): Promise<{ readonly headers: PlainResponse['headers']; readonly body: string | Buffer }> {
  if (body.length < COMPRESSED_MIN_CHARACTERS) return { headers, body };
  const varied = { ...headers, vary: headers.vary === undefined ? 'accept-encoding' : `${headers.vary}, accept-encoding` };
  if (!acceptsGzip(accepted ?? '')) return { headers: varied, body };
  return { headers: { ...varied, 'content-encoding': 'gzip' }, body: await zip(body, LEVEL) };
}

/** True if this `Accept-Encoding` allows gzip: `*` matches every coding that is not named; a weight of 0 forbids. */
export function acceptsGzip(accepted: string): boolean {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((part): [string, number] => {
        const [coding = '', weight] = part.split(';');
        return [coding.trim(), weight === undefined ? 1 : Number(/^\s*q=([\d.]+)\s*$/.exec(weight)?.[1] ?? 0)];
      }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
