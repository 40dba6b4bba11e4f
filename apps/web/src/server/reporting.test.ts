import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createReportingForwarder, forwardToReporting } from './reporting.ts';

/** Replaces the reporting process; each test sets its answer. */
let upstream: Server;
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let web: Server;
const before = process.env.SWITCHYARD_REPORTING_URL;

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('the server has no port');
      resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}

function close(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

let upstreamUrl: string;
let webUrl: string;

beforeAll(async () => {
  upstream = createServer((request, response) => answer(request, response));
  upstreamUrl = await listen(upstream);
  web = createServer(createReportingForwarder());
  webUrl = await listen(web);
});
afterEach(() => {
  process.env.SWITCHYARD_REPORTING_URL = upstreamUrl;
});
beforeAll(() => {
  process.env.SWITCHYARD_REPORTING_URL = upstreamUrl;
});
afterAll(async () => {
  if (before === undefined) Reflect.deleteProperty(process.env, 'SWITCHYARD_REPORTING_URL');
  else process.env.SWITCHYARD_REPORTING_URL = before;
  await close(web);
  await close(upstream);
});

/** The two ways in: our own server, and Next's route handlers. */
const MOUNTS = {
  node: (path: string, init: RequestInit) => fetch(`${webUrl}${path}`, init),
  next: (path: string, init: RequestInit) => {
    const request = new Request(`${webUrl}${path}`, init);
    request.headers.set('host', new URL(webUrl).host);
    return forwardToReporting(request);
  },
} as const;

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

describe.each(['node', 'next'] as const)('forwarding by %s', (mount) => {
  const send = MOUNTS[mount];

  test('hands on the method, the address, the credentials, the host and the body, and the answer as it is', async () => {
    let seen: unknown;
    answer = (request, response) => {
      void textOf(request).then((body) => {
        const { cookie, origin, authorization, host } = request.headers;
        seen = { method: request.method, url: request.url, cookie, origin, authorization, host, body };
        response.writeHead(413, { 'content-type': 'application/json', 'x-row-count': '7' }).end('{"a":"₦"}');
      });
    };
    const headers = { cookie: 'a=b', origin: 'http://x.test', authorization: 'Bearer t' };
    const response = await send('/api/graphql?query=%7Ba%7D', { method: 'POST', headers, body: 'q₦' });
    const url = '/api/graphql?query=%7Ba%7D';
    expect(seen).toEqual({ method: 'POST', url, ...headers, host: new URL(webUrl).host, body: 'q₦' });
    expect([response.status, response.headers.get('x-row-count')]).toEqual([413, '7']);
    expect(await response.text()).toBe('{"a":"₦"}');
  });

  test('passes each piece of a file on as it comes', async () => {
    let more: () => void = () => undefined;
    answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      response.write('one\r\n');
      more = () => response.end('two\r\n');
    };
    const reader = (await send('/api/export/payments', {})).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one\r\n');
    more();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('two\r\n');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('cancels the upstream request when its caller has disconnected', async () => {
    const gone = new Promise<void>((resolve) => {
      answer = (_request, response) => {
        response.on('close', resolve);
        response.writeHead(200).write('begun');
      };
    });
    const stop = new AbortController();
    const response = await send('/api/export/payments', { signal: stop.signal });
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    stop.abort();
    await gone;
  });

  test('answers that reports are unavailable while they are', async () => {
    const unused = createServer();
    process.env.SWITCHYARD_REPORTING_URL = await listen(unused);
    await close(unused);
    const response = await send('/api/graphql', { method: 'POST', body: '{}' });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({
      message: expect.stringContaining('reached'),
      errors: [{ extensions: { code: 'UNAVAILABLE' } }],
    });
  });
});
