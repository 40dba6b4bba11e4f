import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** The stub server's reaction to one request. */
export type StubReply =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Begins a valid answer and sends one byte of it at intervals, without an end. */
  | { readonly kind: 'drip' }
  /** Sends as much as the other side takes, for ever. */
  | { readonly kind: 'flood' }
  /** Closes the connection without an answer. */
  | { readonly kind: 'reset' }
  /** Closes the connection in the middle of an answer. */
  | { readonly kind: 'cut' }
  /** Answers with something that is not HTTP. */
  | { readonly kind: 'garbage' };

export interface StubCall {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A real HTTP server on this machine that plays a gateway by a script. */
export interface StubServer {
  readonly url: string;
  /** Every request received since the last script was given, without those that were answered apart. */
  readonly calls: readonly StubCall[];
  /** Replaces the script and forgets earlier calls. `count` is 1 for the first call after this. */
  script(next: (call: StubCall, count: number) => StubReply): void;
  close(): Promise<void>;
}

/** Starts it. What `apart` answers goes by the script and is not counted, like the calls that get a token. */
export async function startStubServer(apart: (call: StubCall) => StubReply | null = () => null): Promise<StubServer> {
  const calls: StubCall[] = [];
  const drips = new Set<NodeJS.Timeout>();
  let reply: (call: StubCall, count: number) => StubReply = () => ({ kind: 'hang' });
  const server = createServer((request, response) => {
    readCall(request).then(
      (call) => {
        const answered = apart(call);
        if (answered === null) calls.push(call);
        act(answered ?? reply(call, calls.length), response, drips);
      },
      () => response.destroy(),
    );
  });
  server.keepAliveTimeout = 30_000;
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    script(next) {
      calls.length = 0;
      reply = next;
    },
    async close() {
      for (const drip of drips) clearInterval(drip);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** An address on this machine where nothing listens. */
export async function findClosedAddress(): Promise<string> {
  const server = await startStubServer();
  await server.close();
  return server.url;
}

async function readCall(request: IncomingMessage): Promise<StubCall> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
  return { method: request.method ?? '', path: request.url ?? '', headers, body: Buffer.concat(chunks).toString('utf8') };
}

function act(reply: StubReply, response: ServerResponse, drips: Set<NodeJS.Timeout>): void {
  switch (reply.kind) {
    case 'answer':
      response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers });
      response.end(reply.body);
      return;
    case 'hang':
      return;
    case 'drip': {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"status":');
      const drip = setInterval(() => response.write(' '), 5);
      drips.add(drip);
      response.on('close', () => clearInterval(drip));
      return;
    }
    case 'flood':
      flood(response);
      return;
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'cut':
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"status":', () => response.destroy());
      return;
    case 'garbage':
      response.socket?.end('220 mail.example ESMTP ready\r\n\r\n');
      return;
    default:
      reply satisfies never;
  }
}

function flood(response: ServerResponse): void {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  response.writeHead(200, { 'content-type': 'application/json' });
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
}
