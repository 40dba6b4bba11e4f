import { createServer, type RequestListener } from 'node:http';

/** Longer than any run, so that no idle connection is closed while a request is being sent on it. */
const KEEP_ALIVE_MS = 600_000;

/** An HTTP server of the run on a port of its own. */
export async function openLocalServer(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
