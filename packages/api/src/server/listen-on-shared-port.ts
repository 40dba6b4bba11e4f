import type { Server } from 'node:http';
import { createServer, type ListenOptions, type Server as NetServer } from 'node:net';

/**
 * Listening sockets of a process on its port. In each turn of the event loop libuv accepts one connection from each
 * ({@link https://github.com/libuv/libuv/pull/3696}), and turns get longer the more there is to do: with a single one, new connections of a busy
 * process wait in the kernel behind everybody who is connected already.
 */
const SOCKETS = 128;

/** Where to listen. */
export interface ListenAt {
  readonly port: number;
  readonly host: string;
  /** Connections that wait to be accepted, of each socket. */
  readonly backlog: number;
  /** About how many connections may be open. */
  readonly connectionsMax: number;
}

/**
 * Lets a server listen on several sockets of one port, among which the kernel spreads connections (`SO_REUSEPORT`), or on one where the
 * system has no such option. Rejects with `EADDRINUSE` when another program has the port. The sockets close with the server.
 */
export async function listenOnSharedPort(server: Server, { port, host, backlog, connectionsMax }: ListenAt): Promise<void> {
  // Sockets with the option share a port with those of any other process of this user: whether it is free is asked without.
  const probe = createServer();
  await open(probe, { port, host });
  const address = probe.address();
  const freePort = address === null || typeof address === 'string' ? port : address.port;
  await new Promise((closed) => probe.close(closed));
  const at = { port: freePort, host, backlog };
  try {
    await open(server, { ...at, reusePort: true });
  } catch (error) {
    if (!isUnsupported(error)) throw error;
    server.maxConnections = connectionsMax;
    await open(server, at);
    return;
  }
  // Twice the share of each: chance spreads connections unevenly.
  const maxConnections = Math.ceil((2 * connectionsMax) / SOCKETS);
  server.maxConnections = maxConnections;
  const others = Array.from({ length: SOCKETS - 1 }, () => {
    // As servers of HTTP are made. What they accept is the server's.
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => server.emit('connection', socket));
    other.maxConnections = maxConnections;
    return other;
  });
  await Promise.all(others.map((other) => open(other, { ...at, reusePort: true })));
  const close = server.close.bind(server);
  server.close = (done) => {
    for (const other of others) other.close();
    return close(done);
  };
}

function open(server: NetServer, options: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function isUnsupported(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOTSUP' || error.code === 'EINVAL');
}
