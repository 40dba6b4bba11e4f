import { EventEmitter } from 'node:events';
import http, { type RequestListener } from 'node:http';
import type { Network } from './network.ts';
import { serveInMemory } from './serve.ts';

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
