/** The published types require Express's request and response; the middleware itself takes Node's. */
declare module 'compression' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface Options {
    /** Bodies below this size are not compressed. */
    readonly threshold?: number;
    /** Of gzip: 1, the fastest, to 9. */
    readonly level?: number;
    readonly filter?: (request: IncomingMessage, response: ServerResponse) => boolean;
  }
  interface Compression {
    (options?: Options): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
    /** True if the answer's type is worth compressing. */
    filter(request: IncomingMessage, response: ServerResponse): boolean;
  }
  const compression: Compression;
  export default compression;
}
