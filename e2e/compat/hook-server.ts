import { createServer } from 'node:http';

/** A merchant's server that keeps what it is sent. */
export interface HookServer {
  readonly url: string;
  readonly messages: { readonly body: string; readonly headers: Readonly<Record<string, string>> }[];
  /** Refuses this many of the next messages. */
  refuse(count: number): void;
  close(): Promise<void>;
}

export async function openHookServer(): Promise<HookServer> {
  const messages: HookServer['messages'] = [];
  let refusing = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
    messages.push({ body: Buffer.concat(chunks).toString(), headers });
    response.writeHead(refusing-- > 0 ? 503 : 200).end();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hooks`,
    messages,
    refuse(count) {
      refusing = count;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
