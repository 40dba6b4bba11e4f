import type { Server } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import { createHttpServer } from './http-server.ts';

let server: Server;
let port: number;

beforeAll(async () => {
  const limits = { ...SERVER_LIMITS, headersTimeout: 200, requestTimeout: 200, connectionsCheckingInterval: 20 };
  server = createHttpServer((request, response) => {
    request.resume().on('end', () => {
      // After the client's end, which has arrived by then.
      setImmediate(() => response.end(`${request.method} ${request.url}`));
    });
  }, limits);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((closed) => server.close(closed));
});

/** All that the server sends for these bytes, after which the client's sending side is closed where `ends`. */
function send(bytes: string, ends = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    let received = '';
    socket.setEncoding('utf8').on('data', (text) => {
      received += text;
    });
    socket.on('error', reject).on('end', () => socket.end());
    socket.on('close', () => resolve(received));
    if (ends) socket.end(bytes);
    else socket.write(bytes);
  });
}

const long = 'a'.repeat(20_000);
const REFUSED: readonly (readonly [string, number, string])[] = [
  ['a line that is no request', 400, 'HELLO\r\n\r\n'],
  ['a header without a colon', 400, 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  ['no Host', 400, 'GET / HTTP/1.1\r\n\r\n'],
  ['two lengths', 400, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'],
  ['headers that never end', 408, 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a long target', 414, `GET /${long}`],
  ['another expectation', 417, 'GET / HTTP/1.1\r\nHost: a\r\nExpect: a-gift\r\n\r\n'],
  ['long headers', 431, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${long}\r\n\r\n`],
];

describe('what the HTTP server refuses by itself has the failure envelope and a request id', () => {
  test.each(REFUSED)('%s: %i', async (_, status, bytes) => {
    const [head = '', body = ''] = (await send(bytes)).split('\r\n\r\n');
    expect(head.split(' ', 2)).toEqual(['HTTP/1.1', String(status)]);
    expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8\r\n/i);
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}(\r\n|$)/i);
    expect(head.toLowerCase()).toContain(`content-length: ${Buffer.byteLength(body)}`);
    const data = { errors: [expect.any(String)], details: [{ field: 'request', code: 'invalid_format' }] };
    expect(JSON.parse(body)).toEqual({
      success: false,
      statusCode: status,
      message: expect.any(String),
      code: 'bad_request',
      data,
    });
  });
});

const answerOf = (text: string) => text.split('\r\n\r\n')[1]?.match(/(?:GET|POST) \S+/)?.[0];

test('a client that closes its sending side gets its answer', async () => {
  expect(answerOf(await send('GET /v1/payments HTTP/1.1\r\nHost: a\r\n\r\n', true))).toBe('GET /v1/payments');
  const withBody = 'POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}';
  expect(answerOf(await send(withBody, true))).toBe('POST /v1/payments');
});

test.each([
  ['http://shop.example/v1/payments?limit=1', '/v1/payments?limit=1'],
  ['HTTPS://shop.example:443/v1', '/v1'],
  ['http://shop.example', '/'],
  ['http://shop.example?limit=1', '/?limit=1'],
  ['/v1/http://x', '/v1/http://x'],
])('a target %s is served as %s', async (target, path) => {
  expect(answerOf(await send(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`))).toBe(`GET ${path}`);
});
