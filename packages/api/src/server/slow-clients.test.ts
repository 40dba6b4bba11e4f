import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SERVER_LIMITS } from '../http/server-limits.ts';
import { serveOverHttp } from '../testing/served.ts';
import { openTestSwitchyard } from '../testing/switchyard.ts';

const LIMIT_MS = 240_000;
const IDLE_SOCKETS = 200;
const KIB = 1_024;

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let served: Awaited<ReturnType<typeof serveOverHttp>>;

beforeAll(async () => {
  opened = await openTestSwitchyard();
  served = await serveOverHttp(opened.switchyard);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

/** A raw connection, and everything that came back on it. */
function open() {
  const socket = connect({ port: Number(new URL(served.url).port), host: '127.0.0.1' });
  let received = '';
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    received += text;
  });
  socket.on('error', () => undefined);
  const closed = new Promise<{ received: string }>((resolve) => socket.once('close', () => resolve({ received })));
  return { socket, closed };
}

/** Writes the text and then one character a second, without end, until the socket closes. */
async function drip(socket: Socket, text: string): Promise<void> {
  socket.write(text);
  while (!socket.destroyed && socket.writable) {
    await sleep(1_000);
    socket.write('a');
  }
}

test('a client that is slow for ever holds a socket for 20 seconds at most', () => {
  const { headersTimeout, requestTimeout, connectionsCheckingInterval } = SERVER_LIMITS;
  expect(Math.max(headersTimeout, requestTimeout) + connectionsCheckingInterval).toBeLessThanOrEqual(20_000);
});

const post = (path: string, header: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${header}\r\n\r\n`;

/** Writes as fast as the other side reads, for as long as it does. Returns how much it took. */
async function flood(socket: Socket, begin: string): Promise<number> {
  const chunk = Buffer.alloc(16 * KIB, 'a');
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]);
  socket.write(begin);
  const enough = 64 * KIB * KIB;
  while (!socket.destroyed && socket.writable && socket.bytesWritten < enough) {
    if (!socket.write(framed)) {
      const drained = new Promise((resolve) => socket.once('drain', resolve));
      await Promise.race([drained, sleep(2_000)]);
      if (socket.writableNeedDrain) break;
    }
  }
  return socket.bytesWritten - socket.writableLength;
}

// At the same time: each waits for the server to lose patience.
describe.concurrent.each(['/v1/payments/initiate', '/webhooks/paystack/0193471e-8a3b-7c21-9f4e-2b6d5a7c9e11', '/api/graphql'])(
  '%s',
  (path) => {
    test('gives the sockets of slow clients back, and answers others meanwhile', { timeout: LIMIT_MS }, async () => {
      const slowHeaders = open();
      const slowBody = open();
      const idle = Array.from({ length: IDLE_SOCKETS }, open);
      slowBody.socket.write(post(path, 'Content-Length: 1000'));
      const dripping = [drip(slowHeaders.socket, `POST ${path} HTTP/1.1\r\nX-A: b`), drip(slowBody.socket, '{"a": "b')];
      for (let call = 0; call < 5; call++) {
        expect((await fetch(`${served.url}/v1/payments/1`)).status).toBe(401);
      }
      const all = await Promise.all([slowHeaders, slowBody, ...idle].map(({ closed }) => closed));
      expect(all[0]?.received).toMatch(/^(HTTP\/1\.1 408|$)/);
      await Promise.all(dripping);
    });

    test('does not read a body without end', { timeout: LIMIT_MS }, async () => {
      const endless = open();
      const taken = await flood(endless.socket, post(path, 'Transfer-Encoding: chunked'));
      // The kernel's buffers on both sides hold some megabytes besides what is read.
      expect(taken).toBeLessThan(32 * KIB * KIB);
      const { received } = await endless.closed;
      expect(received).toMatch(/^(HTTP\/1\.1 4\d\d|$)/);
    });

    test.each([
      ['headers over 16 KiB', (at: string) => post(at, `X-A: ${'a'.repeat(20 * KIB)}`), /^HTTP\/1\.1 431/],
      [
        'a length beside chunks',
        (at: string) => `${post(at, 'Content-Length: 5\r\nTransfer-Encoding: chunked')}0\r\n\r\n`,
        /^HTTP\/1\.1 400/,
      ],
      ['two lengths', (at: string) => `${post(at, 'Content-Length: 5\r\nContent-Length: 6')}abcde`, /^HTTP\/1\.1 400/],
      ['a length that is no number', (at: string) => `${post(at, 'Content-Length: +5')}abcde`, /^HTTP\/1\.1 400/],
      ['another coding', (at: string) => `${post(at, 'Transfer-Encoding: xchunked')}0\r\n\r\n`, /^HTTP\/1\.1 4\d\d/],
      ['a header folded over lines', (at: string) => post(at, 'X-A: b\r\n c: d\r\nContent-Length: 0'), /^HTTP\/1\.1 400/],
    ])('refuses %s', async (_, requestOf, status) => {
      const { socket, closed } = open();
      socket.write(requestOf(path));
      socket.end();
      expect((await closed).received).toMatch(status);
    });
  },
);
