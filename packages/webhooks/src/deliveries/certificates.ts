import { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';

/** Hosts whose certificates are remembered; the one longest unchanged is forgotten first. */
const REMEMBERED_MAX = 10_000;

/** A connector that remembers when the certificates of the hosts it connected to expire. */
export interface CertificateTracker {
  readonly connect: buildConnector.connector;
  /** Of a host with its port, as in a URL; null when none is known. */
  expiryOf(host: string): Date | null;
}

/** Wraps a connector, which goes on deciding what is connected to and which certificates are accepted. */
export function trackCertificates(connect: buildConnector.connector): CertificateTracker {
  const expiries = new Map<string, Date>();
  const remember = (host: string, socket: TLSSocket) => {
    const expiry = socket.getPeerX509Certificate()?.validToDate;
    expiries.delete(host);
    if (expiry !== undefined) expiries.set(host, expiry);
    const [oldest] = expiries.keys();
    if (oldest !== undefined && expiries.size > REMEMBERED_MAX) expiries.delete(oldest);
  };
  return {
    connect: (options, callback) =>
      connect(options, (...result) => {
        const [, socket] = result;
        if (socket instanceof TLSSocket) remember(options.host ?? options.hostname, socket);
        callback(...result);
      }),
    expiryOf: (host) => expiries.get(host) ?? null,
  };
}
