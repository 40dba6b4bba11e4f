import { createServer } from 'node:net';
import { errorCode } from './problem.ts';

/** Why a port is not available: a program listens there, or the user may not open it. */
export type PortState = 'free' | 'taken' | 'not_permitted';

function tryListening(port: number, host: string): Promise<{ code: string | undefined; port: number }> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error) => done({ code: errorCode(error) ?? 'UNKNOWN', port }));
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address();
      const bound = address !== null && typeof address === 'object' ? address.port : port;
      server.close(() => done({ code: undefined, port: bound }));
    });
  });
}

/** Whether a server could listen on this port on every address of the machine. */
export async function portState(port: number): Promise<PortState> {
  for (const host of ['::', '0.0.0.0', '127.0.0.1']) {
    const { code } = await tryListening(port, host);
    if (code === 'EADDRINUSE') return 'taken';
    if (code === 'EACCES') return 'not_permitted';
  }
  return 'free';
}

/** A free port of the loopback address. */
export async function freePort(): Promise<number> {
  const { code, port } = await tryListening(0, '127.0.0.1');
  if (code !== undefined) throw new Error(`No port can be opened on 127.0.0.1 (${code})`);
  return port;
}

/** The first port free on every address, counting up from this one. */
export async function nextFreePort(from: number): Promise<number> {
  for (let port = from; port < 65_536; port += 1) if ((await portState(port)) === 'free') return port;
  return freePort();
}
