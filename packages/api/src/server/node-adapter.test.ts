import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveOverHttp } from '../testing/served.ts';
import { openTestSwitchyard } from '../testing/switchyard.ts';

let served: Awaited<ReturnType<typeof serveOverHttp>>;
let close: () => Promise<void>;

beforeAll(async () => {
  const opened = await openTestSwitchyard();
  close = opened.close;
  served = await serveOverHttp(opened.switchyard);
});
afterAll(async () => {
  await served.close();
  await close();
});

interface Answer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
}

/** Sends a request and returns the response as received. */
function send(path: string, accepted?: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
    const sent = request(`${served.url}${path}`, { method, headers, timeout: 10_000 }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ headers: response.headers, bytes: Buffer.concat(chunks) }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

const LONG = '/v1/openapi.json';

describe('a long answer', () => {
  test.each(['gzip', 'br, gzip;q=0.2', '*', 'GZIP', 'deflate,*;q=0.1'])(
    'is compressed for a client that accepts %s',
    async (accepted) => {
      const plain = await send(LONG);
      const compressed = await send(LONG, accepted);
      expect(compressed.headers['content-encoding']).toBe('gzip');
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
      expect(compressed.headers['content-length']).toBe(String(compressed.bytes.length));
      expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true);
    },
  );

  test.each([undefined, '', 'br', 'identity', 'gzip;q=0', 'gzip;q=0.0, *', 'gzip;q=much'])(
    'is not compressed for a client that accepts %s',
    async (accepted) => {
      const { headers, bytes } = await send(LONG, accepted);
      expect(headers['content-encoding']).toBeUndefined();
      expect(headers['content-length']).toBe(String(bytes.length));
      expect(JSON.parse(bytes.toString())).toHaveProperty('openapi');
    },
  );

  test('varies by Accept-Encoding', async () => {
    for (const accepted of ['gzip', undefined]) expect((await send(LONG, accepted)).headers.vary).toContain('accept-encoding');
  });

  test('to HEAD has headers only', async () => {
    const whole = await send(LONG, 'gzip');
    const head = await send(LONG, 'gzip', 'HEAD');
    expect(head.bytes.length).toBe(0);
    expect(head.headers['content-length']).toBe(whole.headers['content-length']);
  });
});

test('a short answer is never compressed', async () => {
  const { headers, bytes } = await send('/v1/nothing', 'gzip');
  expect(headers['content-encoding']).toBeUndefined();
  expect(JSON.parse(bytes.toString())).toHaveProperty('message');
});
