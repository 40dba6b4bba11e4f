import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { GatewayHandler } from './gateway-server.ts';

/** The open connections of requests to one gateway, so that a fault can cut them without those of the others. */
export class Connections {
  readonly #handler: GatewayHandler;
  readonly #sockets = new Set<Socket>();
  #isCut = false;

  constructor(handler: GatewayHandler) {
    this.#handler = handler;
  }

  /** Has the request answered, or resets its connection while connections are cut. */
  answer(target: string, request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request;
    if (this.#isCut) {
      socket.resetAndDestroy();
      return;
    }
    this.#sockets.add(socket);
    response.once('close', () => this.#sockets.delete(socket));
    this.#handler(target, request, response);
  }

  /** Resets the connections of unanswered requests, and those of every request to come. */
  cut(): void {
    this.#isCut = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  restore(): void {
    this.#isCut = false;
  }
}
