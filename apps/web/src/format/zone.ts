import { clockIn } from '@switchyard/routing';

/** The workspace's time zone: the one of every staff user who has chosen none. */
export const WORKSPACE_ZONE = 'Africa/Lagos';

/** The cookie that has the viewer's zone, so that pages are rendered in it. The preference itself is the staff user's, in the database. */
export const ZONE_COOKIE = 'zone';

declare global {
  /** The zone of the request that is being rendered, in the server's process (`server/request-zone.ts`). */
  var requestZone: (() => string | undefined) | undefined;
}

/**
 * The time zone that the viewer reads times in: every time in the dashboard follows it. In the browser the page says it, as rendered;
 * it does not change while the page is open.
 */
export function viewerZone(): string {
  const page = typeof document === 'undefined' ? undefined : document.documentElement;
  const chosen = page?.dataset === undefined ? globalThis.requestZone?.() : page.dataset.zone;
  return chosen ?? WORKSPACE_ZONE;
}

const clocks = new Map<string, ReturnType<typeof clockIn>>();

/** How sentences on the page write times. */
export function pageClock(): ReturnType<typeof clockIn> {
  const zone = viewerZone();
  const clock = clocks.get(zone) ?? clockIn(zone);
  clocks.set(zone, clock);
  return clock;
}

/** A format of moments in the viewer's zone. Formats are kept: making one costs far more than using it. */
export function zonedFormat(
  locale: string,
  options: Omit<Intl.DateTimeFormatOptions, 'timeZone'>,
): { format(value: Date | number): string } {
  const made = new Map<string, Intl.DateTimeFormat>();
  return {
    format(value) {
      const timeZone = viewerZone();
      let format = made.get(timeZone);
      if (format === undefined) {
        format = new Intl.DateTimeFormat(locale, { ...options, timeZone });
        made.set(timeZone, format);
      }
      return format.format(value);
    },
  };
}
