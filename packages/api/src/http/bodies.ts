import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { constants, createGzip, gzip } from 'node:zlib';
import type { PlainResponse } from './plain.ts';

/** The body of an answer that reads on only when the client is ready for it. A client that disconnects ends the read. */
export function streamOf(pieces: AsyncGenerator<Uint8Array, void, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * The response, compressed piece by piece as its client reads, where its length is not known to be small and the client accepts it. A client that
 * disconnects ends the body that is compressed.
 */
export function compressPieces({ body, status, headers }: Response, accepted: string | null): Response {
  const length = headers.get('content-length');
  const isSmall = length !== null && Number(length) < COMPRESSED_MIN_CHARACTERS;
  if (body === null || isSmall) return new Response(body, { status, headers });
  const varied = new Headers(headers);
  varied.append('vary', 'accept-encoding');
  if (!acceptsGzip(accepted ?? '')) return new Response(body, { status, headers: varied });
  varied.delete('content-length');
  varied.set('content-encoding', 'gzip');
  return new Response(streamOf(gzipPieces(body)), { status, headers: varied });
}

async function* gzipPieces(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  // An error of the body is one of what is read here.
  yield* pipeline(Readable.from(body), createGzip(LEVEL), () => undefined);
}

/** Skip compression below this size: it costs more than it saves. */
const COMPRESSED_MIN_CHARACTERS = 8 * 1024;
/** A tenth of the bytes is worth more than the fastest level costs. */
const LEVEL = { level: constants.Z_BEST_SPEED };
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
function acceptsGzip(accepted: string): boolean {
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

/** The body of a request, empty where there is none; null when it exceeds `maxBytes`. No more than that is buffered. */
export async function readBody(body: ReadableStream<Uint8Array> | null, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
