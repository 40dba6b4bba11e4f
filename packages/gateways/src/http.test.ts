import { createServer, type Server } from 'node:net';
import { Worker } from 'node:worker_threads';
import { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeGatewayConnections, exchange, originOf } from './connections.ts';
import { callGateway, type WireReply, type WireRequest } from './http.ts';
import { createRedactor } from './redact.ts';
import { type StubServer, startStubServer } from './testing/stub-server.ts';

let server: StubServer;

beforeAll(async () => {
  server = await startStubServer();
});
afterAll(async () => {
  await closeGatewayConnections();
  await server.close();
});

function call(changes: Partial<WireRequest> = {}): Promise<WireReply> {
  return callGateway({
    method: 'GET',
    baseUrl: server.url,
    path: '/thing?id=1',
    bearer: 'sk_test_0123456789',
    body: null,
    timeoutMs: 10_000,
    redactor: createRedactor(['sk_test_0123456789']),
    repeatable: true,
    ...changes,
  });
}

function answering(body: string, headers: Readonly<Record<string, string>> = {}, status = 200): void {
  server.script(() => ({ kind: 'answer', status, body, headers }));
}

/** A server that accepts connections and never sends a byte, not even of a TLS handshake. */
function startSilence(): Promise<{ readonly port: number; readonly server: Server }> {
  // Reading on is what lets it notice that the other side has left.
  const silent = createServer((socket) => socket.resume());
  return new Promise((resolve) => {
    silent.listen(0, '127.0.0.1', () => {
      const address = silent.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0, server: silent });
    });
  });
}

/**
 * A server on a thread of its own, which answers whatever this thread does, but not before `held` is let go. Its memory is shared: element 0
 * is set when the answer may go, element 1 when it has gone.
 */
async function startApart() {
  const asked = Promise.withResolvers<void>();
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(
    `const { parentPort, workerData: shared } = require('node:worker_threads');
    const server = require('node:http').createServer((request, response) => {
      parentPort.postMessage('asked');
      Atomics.wait(shared, 0, 0);
      response.end('{"ok":true}', () => {
        Atomics.store(shared, 1, 1);
        Atomics.notify(shared, 1);
      });
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`,
    { eval: true, workerData: shared },
  );
  const port = await new Promise<number>((resolve) => {
    worker.on('message', (message: unknown) => (typeof message === 'number' ? resolve(message) : asked.resolve()));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    asked: asked.promise,
    /** Lets it answer, and holds this thread up until it has answered and a time has passed. */
    answerWhileBlocked(ms: number) {
      Atomics.store(shared, 0, 1);
      Atomics.notify(shared, 0);
      Atomics.wait(shared, 1, 0);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    },
    close: () => worker.terminate(),
  };
}

describe('a request that was never sent is reported as not sent', () => {
  it('when the handshake never ends', async () => {
    const silence = await startSilence();
    const reply = await call({ baseUrl: `https://127.0.0.1:${silence.port}`, method: 'POST', body: {}, timeoutMs: 80 });
    expect(reply).toMatchObject({ kind: 'failed', failed: { code: 'connection_refused', nothingDone: true } });
    await closeGatewayConnections();
    await new Promise((resolve) => silence.server.close(resolve));
  });

  it('when the server does not support TLS', async () => {
    server.script(() => ({ kind: 'hang' }));
    const reply = await call({ baseUrl: server.url.replace('http:', 'https:'), method: 'POST', body: {} });
    expect(reply).toMatchObject({ kind: 'failed', failed: { code: 'connection_refused', nothingDone: true } });
    expect(server.calls).toEqual([]);
  });

  it('when the name leads nowhere', async () => {
    const reply = await call({ baseUrl: 'https://gateway.invalid', timeoutMs: 2000 });
    expect(reply).toMatchObject({ kind: 'failed', failed: { code: 'connection_refused', nothingDone: true } });
  });

  it('where the address must not be called, which is no fault of the gateway', async () => {
    const reply = await call({ baseUrl: 'http://169.254.169.254' });
    const failed = { class: 'our_configuration', code: 'address_refused', nothingDone: true };
    expect(reply).toMatchObject({ kind: 'failed', failed });
  });

  it('when there was no time at all', async () => {
    answering('{}');
    const reply = await call({ baseUrl: server.url.replace('127.0.0.1', '127.0.0.2'), timeoutMs: -5 });
    expect(reply).toMatchObject({ kind: 'failed', failed: { nothingDone: true } });
  });

  it('and is never sent later, when a connection comes free', async () => {
    const pool = new Pool(server.url, { connections: 1, pipelining: 1 });
    const request = { method: 'POST', headers: {}, body: null, maxBytes: 1000 } as const;
    server.script(() => ({ kind: 'hang' }));
    const first = exchange(pool, { ...request, path: '/first' }, 300);
    const second = await exchange(pool, { ...request, path: '/second' }, 20);
    expect(second).toMatchObject({ kind: 'broken', why: 'unreachable', sent: false });
    expect(await first).toMatchObject({ kind: 'broken', why: 'timeout', sent: true });
    answering('{}');
    expect((await exchange(pool, { ...request, path: '/third' }, 10_000)).kind).toBe('answered');
    expect(server.calls.map((each) => each.path)).toEqual(['/third']);
    await pool.destroy();
  });
});

describe('time that this process took itself', () => {
  it('is not counted against an answer that came while nobody read it', async () => {
    const apart = await startApart();
    const timeoutMs = 2_000;
    const underWay = call({ baseUrl: apart.url, timeoutMs });
    await apart.asked;
    apart.answerWhileBlocked(timeoutMs + 100);
    expect(await underWay).toMatchObject({ kind: 'answer' });
    await apart.close();
  });

  it('is told apart: a request that waits behind others is unsent meanwhile', async () => {
    const pool = new Pool(server.url, { connections: 1, pipelining: 1 });
    const request = { method: 'POST', path: '/', headers: {}, body: null, maxBytes: 1000 } as const;
    server.script(() => ({ kind: 'hang' }));
    const first = exchange(pool, request, 400);
    const [second, third] = await Promise.all([exchange(pool, request, 100), exchange(pool, request, 5_000)]);
    expect(second).toMatchObject({ why: 'unreachable', sent: false });
    expect(third).toMatchObject({ why: 'timeout', sent: true });
    // The first was sent at once. The third waited for its end, which the second did not see.
    expect(second.unsentMs).toBeGreaterThan((await first).unsentMs);
    expect(third.unsentMs).toBeGreaterThan(second.unsentMs);
    await pool.destroy();
  });

  it('is none where the gateway takes no connection', async () => {
    const silence = await startSilence();
    const reply = await call({ baseUrl: `https://127.0.0.1:${silence.port}`, timeoutMs: 80 });
    expect(reply.call.unsentMs).toBe(0);
    await closeGatewayConnections();
    await new Promise((resolve) => silence.server.close(resolve));
  });
});

describe('what was sent once and could not be sent again', () => {
  it('is still not known, however clear the second failure', async () => {
    const dying = await startStubServer();
    dying.script(() => ({ kind: 'answer', status: 200, body: '{}' }));
    await call({ baseUrl: dying.url });
    const closed = Promise.withResolvers<void>();
    dying.script(() => {
      dying.close().then(closed.resolve, closed.reject);
      return { kind: 'reset' };
    });
    const reply = await call({ baseUrl: dying.url, method: 'POST', body: {} });
    expect(reply).toMatchObject({ kind: 'failed', failed: { code: 'connection_lost', nothingDone: false } });
    await closed.promise;
  });
});

describe('one record per call', () => {
  it('carries no key, and the request and the answer as they were', async () => {
    answering('{"ok":true,"echo":"sk_test_0123456789"}');
    const reply = await call({ method: 'POST', body: { note: 'sk_test_0123456789', amount: '1000' } });
    expect(reply.call).toMatchObject({
      method: 'POST',
      url: `${server.url}/thing?id=1`,
      httpStatus: 200,
      request: '{"note":"[redacted]","amount":"1000"}',
      answer: '{"ok":true,"echo":"[redacted]"}',
      retryAfterMs: null,
    });
  });

  it('is cut to its bounds between characters', async () => {
    answering(JSON.stringify({ text: '₦'.repeat(40_000) }));
    const { call: record } = await call({ method: 'POST', body: { text: '₦'.repeat(20_000) } });
    expect(Buffer.byteLength(record.request ?? '')).toBeGreaterThan(4 * 1024 - 4);
    expect(Buffer.byteLength(record.request ?? '')).toBeLessThanOrEqual(4 * 1024);
    expect(Buffer.byteLength(record.answer ?? '')).toBeGreaterThan(16 * 1024 - 4);
    expect(Buffer.byteLength(record.answer ?? '')).toBeLessThanOrEqual(16 * 1024);
    expect(record.answer).not.toContain('\ufffd');
  });

  it('redacts before it cuts, so that no part of a secret is left at the edge', async () => {
    for (let at = 0; at < 12; at += 1) {
      answering(`<p>${'x'.repeat(16 * 1024 - 14 + at)}sk_test_0123456789</p>`);
      expect((await call()).call.answer).not.toContain('sk_');
    }
  });

  it('redacts a body too large to walk as well as any other', async () => {
    const refused = {
      cvv: '408',
      PIN: 1111,
      card: { token: 'flw-t1nf-x', number: '4084084084084081' },
      key: 'sk_test_0123456789',
    };
    answering(JSON.stringify({ ...refused, pad: 'x'.repeat(100_000) }));
    const { call: record } = await call();
    for (const secret of ['"408"', '1111', 'flw-t1nf', '4084084084084081', 'sk_test'])
      expect(record.answer).not.toContain(secret);
    expect(record.answer).toContain('xxx');
  });

  it.each([
    ['3', 3000],
    ['0', 0],
    ['999999999', 3_600_000],
    ['soon', null],
    ['-1', null],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('reads Retry-After: %s', async (header, ms) => {
    answering('{}', { 'retry-after': header }, 429);
    expect((await call()).call.retryAfterMs).toBe(ms);
  });

  it('reads Retry-After as a date, from now', async () => {
    answering('{}', { 'retry-after': new Date(Date.now() + 600_000).toUTCString() }, 503);
    const { retryAfterMs } = (await call()).call;
    expect(retryAfterMs).toBeGreaterThan(300_000);
    expect(retryAfterMs).toBeLessThanOrEqual(600_000);
  });
});

describe('answers are read as the protocol allows', () => {
  it('with a byte order mark, in pieces, after a hint', async () => {
    answering('\ufeff{"ok":true}');
    expect(await call()).toMatchObject({ kind: 'answer', json: { ok: true } });
  });

  it('up to 256 KiB', async () => {
    answering(JSON.stringify({ pad: 'x'.repeat(255 * 1024) }));
    expect((await call()).kind).toBe('answer');
  });
});

describe('connections', () => {
  it('are reused between calls', async () => {
    answering('{}');
    for (let at = 0; at < 20; at += 1) await call();
    expect(originOf(server.url).pool.stats.connected).toBeLessThan(5);
  });

  it('of two services on one host and port are apart', async () => {
    server.script(() => ({ kind: 'answer', status: 200, body: '{}', headers: {} }));
    const one = `${server.url}/one`;
    const other = `${server.url}/other/v3`;
    expect(await call({ baseUrl: one })).toMatchObject({ kind: 'answer', call: { url: `${one}/thing?id=1` } });
    expect(await call({ baseUrl: other })).toMatchObject({ kind: 'answer', call: { url: `${other}/thing?id=1` } });
    expect(server.calls.slice(-2).map(({ path }) => path)).toEqual(['/one/thing?id=1', '/other/v3/thing?id=1']);
    expect(originOf(one)).not.toBe(originOf(other));
  });

  it('are kept for 64 base addresses and no more', () => {
    const first = originOf('http://127.0.0.1:1');
    for (let port = 2; port <= 64; port += 1) originOf(`http://127.0.0.1:${port}`);
    expect(originOf('http://127.0.0.1:1')).toBe(first);
    for (let port = 65; port <= 128; port += 1) originOf(`http://127.0.0.1:${port}`);
    expect(originOf('http://127.0.0.1:1')).not.toBe(first);
  });

  it('can be closed under way, and open again for the next call', async () => {
    const arrived = Promise.withResolvers<void>();
    server.script(() => {
      arrived.resolve();
      return { kind: 'hang' };
    });
    const underWay = call({ method: 'POST', body: {}, repeatable: false });
    await arrived.promise;
    await closeGatewayConnections();
    expect(await underWay).toMatchObject({ kind: 'failed', failed: { code: 'connection_lost', nothingDone: false } });
    answering('{}');
    expect((await call()).kind).toBe('answer');
  });
});
