import { EventEmitter } from 'node:events';
import http, { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { HttpAnswer, HttpRequest, Network } from './network.ts';

/** `node:http` whose servers listen on the network of a world; ports are given out in order. */
export function httpOn(network: Network, firstPort: number) {
  let next = firstPort;

  class VirtualServer extends EventEmitter {
    private readonly listener: RequestListener;
    private port = 0;

    constructor(listener: RequestListener) {
      super();
      this.listener = listener;
    }

    listen(port: number, _host: string, listening: () => void): this {
      this.port = port === 0 ? next++ : port;
      network.attach(`http://127.0.0.1:${this.port}`, {
        isUp: () => true,
        answer: (request, done) => serveInMemory(this.listener, request, done),
      });
      queueMicrotask(listening);
      return this;
    }

    address(): { readonly port: number } {
      return { port: this.port };
    }

    close(closed: () => void): this {
      network.detach(`http://127.0.0.1:${this.port}`);
      queueMicrotask(closed);
      return this;
    }

    closeAllConnections(): void {}
  }

  return { ...http, createServer: (_options: unknown, listener: RequestListener) => new VirtualServer(listener) };
}

/** An answer that is kept in memory instead of being written to a socket. */
class MemoryResponse extends ServerResponse {
  private readonly chunks: Buffer[] = [];
  private readonly done: (answer: HttpAnswer | null) => void;
  private sent: { readonly status: number; readonly headers: Record<string, string> } | null = null;
  private isOver = false;

  constructor(request: IncomingMessage, done: (answer: HttpAnswer | null) => void) {
    super(request);
    this.done = done;
    Object.defineProperty(this, 'headersSent', { get: () => this.sent !== null });
    Object.defineProperty(this, 'writableFinished', { get: () => this.isOver });
  }

  override writeHead(status: number, ...rest: readonly unknown[]): this {
    const headers: Record<string, string> = {};
    const given = rest.at(-1);
    for (const [name, value] of Object.entries(typeof given === 'object' && given !== null ? given : {})) {
      headers[name.toLowerCase()] = String(value);
    }
    this.sent = { status, headers };
    return this;
  }

  override write(chunk: unknown): boolean {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.chunks.push(Buffer.from(chunk));
    return true;
  }

  override end(chunk?: unknown): this {
    if (this.isOver) return this;
    this.write(chunk);
    this.isOver = true;
    const { status, headers } = this.sent ?? { status: this.statusCode, headers: {} };
    this.done({ status, headers, body: Buffer.concat(this.chunks) });
    this.emit('finish');
    this.emit('close');
    return this;
  }

  override destroy(): this {
    if (this.isOver) return this;
    this.isOver = true;
    this.destroyed = true;
    this.done(null);
    this.emit('close');
    return this;
  }
}

/** Has a request answered by a handler of Node's HTTP server, without a server. */
export function serveInMemory(
  listener: RequestListener,
  { method, path, headers, body, origin }: HttpRequest,
  done: (answer: HttpAnswer | null) => void,
): void {
  const socket = new Socket();
  const request = new IncomingMessage(socket);
  const response = new MemoryResponse(request, done);
  socket.resetAndDestroy = () => {
    response.destroy();
    return socket;
  };
  request.method = method;
  request.url = path;
  Object.assign(request.headers, { host: origin.replace(/^http:\/\//, ''), ...headers });
  if (body.length > 0) request.push(body);
  request.push(null);
  request.complete = true;
  listener(request, response);
}
