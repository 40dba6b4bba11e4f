import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { acceptsGzip, COMPRESSED_MIN_CHARACTERS, LEVEL } from './compress.ts';

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
