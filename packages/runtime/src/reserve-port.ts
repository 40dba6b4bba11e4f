import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below the ports that systems give to connections and to servers that ask for any: Linux begins at 32768, others at 49152. */
const RESERVED_PORTS = { min: 12_000, max: 32_000 } as const;
const RESERVE_TRIES = 200;

/**
 * A free port of the loopback address for a program that is yet to start, reserved until this process ends. No connection gets it, as the
 * system gives none of these ports by itself; no other caller of this function gets it, in whatever process, as a UDP socket of the same
 * number holds it. (A TCP socket cannot: the program could not listen there then.)
 */
export async function reservePort(): Promise<number> {
  for (let tried = 0; tried < RESERVE_TRIES; tried += 1) {
    const port = randomInt(RESERVED_PORTS.min, RESERVED_PORTS.max);
    if (!reserved.has(port) && (await mayReserve(port))) return port;
  }
  throw new Error(`No port from ${RESERVED_PORTS.min} to ${RESERVED_PORTS.max} can be opened on 127.0.0.1`);
}

const reserved = new Set<number>();

/** Reserves a port until this process ends. Resolves with false when something listens there, or another process has reserved it. */
export async function mayReserve(port: number): Promise<boolean> {
  if (!(await isFree(port))) return false;
  if (!reserved.has(port) && !(await holdByUdp(port))) return false;
  reserved.add(port);
  return true;
}

/** Binds a UDP socket that stays open as long as this process, without keeping it running. Resolves with false when another has it. */
function holdByUdp(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve(true);
    });
  });
}

/** True if a server could listen on a port, on this address or on all. */
async function isFree(port: number): Promise<boolean> {
  for (const host of ['::', '0.0.0.0', '127.0.0.1']) if (!(await mayListen(port, host))) return false;
  return true;
}

function mayListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has no address `::`.
    server.once('error', (error) => resolve('code' in error && error.code !== 'EADDRINUSE' && error.code !== 'EACCES'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
