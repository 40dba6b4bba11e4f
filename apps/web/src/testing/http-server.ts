import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';

interface ReceivedRequest {
  readonly path: string;
  readonly body: unknown;
}

/** A server on a local port that `fetch` of a page's own paths reaches, as in a browser on its origin. */
export interface OriginServer {
  /** Answers requests from now on; null ends the connection without an answer. */
  answer: (request: ReceivedRequest) => { readonly status: number; readonly body: unknown } | null;
  readonly requests: ReceivedRequest[];
  readonly close: () => Promise<void>;
}

/** Starts the server. Its JSON answers are empty objects until the test sets others. */
export async function openOriginServer(): Promise<OriginServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((request, response) => void respond(request, response));
  const origin: OriginServer = {
    answer: () => ({ status: 200, body: {} }),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = { path: request.url ?? '', body: JSON.parse((await text(request)) || 'null') };
    requests.push(received);
    const answer = origin.answer(received);
    if (answer === null) return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const fetchAnywhere = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, options: RequestInit) =>
    fetchAnywhere(new URL(path, `http://127.0.0.1:${address.port}`), options),
  );
  return origin;
}
