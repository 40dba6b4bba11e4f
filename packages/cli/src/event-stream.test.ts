import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { streamEvents } from './event-stream.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A server that answers each request for the stream with the next of these. */
async function serve(answers: readonly ((request: IncomingMessage, response: ServerResponse) => void)[]): Promise<string> {
  const left = [...answers];
  const server = createServer((request, response) => left.shift()?.(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

const written = (...ids: readonly string[]) =>
  ids.map((id) => `id: ${id}\nevent: payment.succeeded\ndata: {"id":"${id}"}\n\n`).join('');
const HEADERS = { 'content-type': 'text/event-stream' };

test('events are given once, though the last ones come again when a broken stream is opened anew', async () => {
  const asked: (string | undefined)[] = [];
  const resumedAt = (request: IncomingMessage) => asked.push(request.headers['last-event-id']?.toString());
  const url = await serve([
    (request, response) => {
      resumedAt(request);
      response.writeHead(200, HEADERS).end(written('1', '2'));
    },
    (request, response) => {
      resumedAt(request);
      response.writeHead(200, HEADERS).write(written('1', '2', '3'));
    },
  ]);
  const ending = new AbortController();
  let breaks = 0;
  const options = {
    signal: ending.signal,
    onOpen: () => undefined,
    onBreak: () => {
      breaks += 1;
    },
  };
  const seen: string[] = [];
  for await (const { id } of streamEvents({ url, apiKey: 'sk_test_1' }, options)) {
    seen.push(id);
    if (id === '3') ending.abort();
  }
  expect(seen).toEqual(['1', '2', '3']);
  expect([asked, breaks]).toEqual([[undefined, '2'], 1]);
});

test('a refusal that another try would meet again is thrown', async () => {
  const url = await serve([(_, response) => void response.writeHead(401).end('{"message":"This key is not valid","data":null}')]);
  const options = { signal: AbortSignal.timeout(60_000), onOpen: () => undefined, onBreak: () => undefined };
  const next = streamEvents({ url, apiKey: 'sk_test_1' }, options).next();
  await expect(next).rejects.toMatchObject({ statusCode: 401, message: 'This key is not valid' });
});
