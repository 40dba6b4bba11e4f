import type { RequestListener } from 'node:http';
import { freeServer } from '../../harness/web-process.ts';

/** An HTTP server of the run on a port of its own. */
export async function openLocalServer(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { server, url } = await freeServer();
  server.on('request', listener);
  return {
    url,
    async close() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}
