import http from 'node:http';
import https from 'node:https';

/**
 * Sends this process's HTTPS requests to a host to another base address instead: path and headers stay. For packages whose address is a
 * constant. It has to run before they are loaded.
 */
export function redirectHost(host: string, base: string): void {
  const original = https.request;
  const target = new URL(base);
  const { request } = target.protocol === 'https:' ? { request: original } : http;
  const replacement = (
    address: string | URL,
    options: https.RequestOptions,
    answered?: (answer: http.IncomingMessage) => void,
  ) => {
    if (new URL(address).hostname !== host) return original(address, options, answered);
    return request(target.origin, { ...options, path: target.pathname + (options.path ?? '/') }, answered);
  };
  Object.assign(https, { request: replacement });
}
