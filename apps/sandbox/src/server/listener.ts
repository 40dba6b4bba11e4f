import { createServer, type RequestListener, type Server } from 'node:http';

/** Thrown when a port cannot be had; its message is fit to be shown as it is. */
export class PortUnavailable extends Error {}

/**
 * One port that can be closed and opened again on the same number.
 * Closed means refused: nothing listens, and every open connection has been cut.
 */
export class Listener {
  readonly #handler: RequestListener;
  readonly #host: string;
  readonly #what: string;
  #server: Server | null = null;
  #port: number;
  /** Opening and closing follow one another, however fast the switch is flipped. */
  #queue: Promise<void> = Promise.resolve();

  constructor(what: string, host: string, port: number, handler: RequestListener) {
    this.#what = what;
    this.#host = host;
    this.#port = port;
    this.#handler = handler;
  }

  get listening(): boolean {
    return this.#server !== null;
  }

  get url(): string {
    const host = this.#host.includes(':') ? `[${this.#host}]` : this.#host;
    return `http://${host}:${this.#port}`;
  }

  open(): Promise<void> {
    return this.#then(async () => {
      if (this.#server !== null) return;
      const server = createServer({ keepAliveTimeout: 30_000, maxHeaderSize: 16_384 }, this.#handler);
      await listen(server, this.#host, this.#port, this.#what);
      const address = server.address();
      if (address !== null && typeof address === 'object') this.#port = address.port;
      this.#server = server;
    });
  }

  close(): Promise<void> {
    return this.#then(async () => {
      const server = this.#server;
      if (server === null) return;
      this.#server = null;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    });
  }

  #then(step: () => Promise<void>): Promise<void> {
    const run = this.#queue.then(step);
    this.#queue = run.catch(() => undefined);
    return run;
  }
}

function listen(server: Server, host: string, port: number, what: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new PortUnavailable(explain(error.code, host, port, what)));
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      server.on('error', () => undefined);
      resolve();
    });
  });
}

function explain(code: string | undefined, host: string, port: number, what: string): string {
  const where = `${host}:${port}`;
  if (code === 'EADDRINUSE') return `The ${what} cannot start: ${where} is already in use by another program.`;
  if (code === 'EACCES') return `The ${what} cannot start: this user may not listen on ${where}.`;
  return `The ${what} cannot start: listening on ${where} failed (${code ?? 'unknown reason'}).`;
}
