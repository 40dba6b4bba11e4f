import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import { isZone } from '../format/calendar.ts';
import { ZONE_COOKIE } from '../format/zone.ts';

const zones = new AsyncLocalStorage<string>();
// Pages are bundled and have modules of their own: the process's global object is what both sides see.
globalThis.requestZone = () => zones.getStore();

/** Renders a page in the zone that the request's cookie names; in the workspace's without one, or with one that is none. */
export function inZoneOf<T>(request: Pick<IncomingMessage, 'headers'>, render: () => T): T {
  const zone = zoneInCookie(request.headers.cookie ?? '');
  return zone === null ? render() : zones.run(zone, render);
}

/** The zone that a Cookie header names, or null. */
export function zoneInCookie(header: string): string | null {
  for (const pair of header.split(';')) {
    const [name, value = ''] = pair.trim().split('=');
    if (name !== ZONE_COOKIE) continue;
    try {
      const zone = decodeURIComponent(value);
      return zone !== '' && isZone(zone) ? zone : null;
    } catch {
      return null;
    }
  }
  return null;
}
