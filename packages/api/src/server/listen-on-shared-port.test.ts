import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { expect, test } from 'vitest';
import { listenOnSharedPort } from './listen-on-shared-port.ts';

const AT = { host: '127.0.0.1', backlog: 128, connectionsMax: 1_024 };

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

test('connections to every socket of the port are answered, and none is accepted once the server has closed', async () => {
  const server = createServer((_, response) => response.end('ok'));
  await listenOnSharedPort(server, { ...AT, port: 0 });
  const port = portOf(server);
  const ask = () =>
    new Promise<number | undefined>((resolve, reject) => {
      request({ port, host: AT.host, agent: false }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
  expect(new Set(await Promise.all(Array.from({ length: 200 }, ask)))).toEqual(new Set([200]));
  server.close();
  await once(server, 'close');
  await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a port that is taken is refused, by a server of the same kind too', async () => {
  const first = createServer();
  await listenOnSharedPort(first, { ...AT, port: 0 });
  await expect(listenOnSharedPort(createServer(), { ...AT, port: portOf(first) })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  first.close();
  await once(first, 'close');
});
