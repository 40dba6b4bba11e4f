import type { IncomingMessage, ServerResponse } from 'node:http';

/** Longer than load balancers and the web process keep idle connections, so that none sends into one that is just being closed. */
const KEEP_ALIVE_MS = 75_000;

/**
 * Limits of a client's request: 16 KiB of headers within 10 seconds, the whole request within 15. Node looks for slower clients every
 * 30 seconds by default; every 2 seconds here, so that their sockets are free again soon after.
 */
export const SERVER_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 2_000,
  keepAliveTimeout: KEEP_ALIVE_MS,
  maxHeaderSize: 16_384,
} as const;

/** Part of a body that is still read once its request is answered: enough for a client to finish what was under way. */
const UNREAD_MAX_BYTES = 1_024 * 1_024;
const UNREAD_CHECK_MS = 10;

/**
 * Closes the connection of a request that was answered early, for example refused, and whose body goes on without end. Node reads and
 * drops the rest of a body, at full speed, until the request's timeout.
 */
export function limitUnreadBody(request: IncomingMessage, response: ServerResponse): void {
  response.once('finish', () => {
    if (request.complete) return;
    const { socket } = request;
    const readBefore = socket.bytesRead;
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed) clearInterval(timer);
      else if (socket.bytesRead - readBefore > UNREAD_MAX_BYTES) socket.destroy();
    }, UNREAD_CHECK_MS);
    timer.unref();
  });
}
