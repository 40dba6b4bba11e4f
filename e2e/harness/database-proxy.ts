import { connect, createServer, type Server, type Socket } from 'node:net';
import type { Database } from '@switchyard/db';
import { reservePort } from '@switchyard/runtime/reserve-port';

/** A TCP proxy in front of PostgreSQL that can be shut, to make the database unavailable to one process. */
export interface DatabaseProxy {
  /** The database's address, through the proxy. */
  readonly url: string;
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

/** Starts a proxy. `listen` is called for each connection, and what it returns with the bytes that the connection sends. */
export async function startDatabaseProxy(databaseUrl: string, listen?: () => (bytes: Buffer) => void): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  // Nothing else may listen there while the proxy is shut.
  const port = await reservePort();
  let server: Server | null = null;

  function pass(inward: Socket): void {
    const outward = connect(Number(target.port || 5432), target.hostname);
    if (listen !== undefined) inward.on('data', listen());
    for (const [one, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  }

  async function open(): Promise<void> {
    if (server !== null) return;
    const next = createServer(pass);
    await new Promise<void>((resolve, reject) => {
      next.once('error', reject);
      next.listen(port, '127.0.0.1', resolve);
    });
    server = next;
  }

  await open();
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  url.searchParams.delete('host'); // the server's socket, where it has one
  return {
    url: url.href,
    open,
    async shut() {
      const closing = server;
      server = null;
      const closed = new Promise((resolve) => (closing === null ? resolve(null) : closing.close(resolve)));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Ends the session of a payment now, as if its time had run out. */
export async function endSession({ prisma }: Pick<Database, 'prisma'>, paymentId: string): Promise<void> {
  await prisma.payment.updateMany({ where: { id: paymentId }, data: { expiresAt: new Date() } });
}
