/** The server's time less the browser's, in ms; 0 on the server, and until an answer shows that the two differ. */
let offsetMs = 0;

/** The server's time, in ms since 1970: the only clock of the dashboard. The browser's may be wrong by hours. */
export function serverNow(): number {
  return Date.now() + offsetMs;
}

/** A time by the browser's clock, such as when a query was answered, as the server's. */
export function toServerTime(browserMs: number): number {
  return browserMs + offsetMs;
}

/** A time by the server's clock as the browser's. */
export function toBrowserTime(serverMs: number): number {
  return serverMs - offsetMs;
}

/**
 * Corrects the clock by an answer: the server wrote it at `serverMs`, known to `precisionMs`, between the browser's times of the request
 * and of the answer. Two clocks that agree as far as this can show are left alone.
 */
export function noteServerTime({
  serverMs,
  precisionMs = 0,
  sentAt,
  receivedAt,
}: {
  readonly serverMs: number;
  readonly precisionMs?: number;
  readonly sentAt: number;
  readonly receivedAt: number;
}): void {
  // The browser's clock was set meanwhile: the next answer corrects it.
  if (!Number.isFinite(serverMs) || receivedAt < sentAt) return;
  const least = Math.ceil(serverMs - receivedAt);
  const most = Math.floor(serverMs + precisionMs - sentAt);
  offsetMs = Math.max(least, Math.min(most, offsetMs));
}

const SECOND_MS = 1_000;

/** Calls the server, and corrects the clock by the date of its answer. */
export async function fetchWithClock(url: RequestInfo | URL | string, options?: RequestInit): Promise<Response> {
  const sentAt = Date.now();
  const response = await fetch(url, options);
  const date = response.headers.get('date');
  // A date has whole seconds.
  if (date !== null) noteServerTime({ serverMs: Date.parse(date), precisionMs: SECOND_MS - 1, sentAt, receivedAt: Date.now() });
  return response;
}
