/** A place in a distributed trace, in W3C's hexadecimal form. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

let readActive: (() => TraceIds | null) | null = null;

/** Gives {@link traceOf} the active span; set once tracing has started. */
export function setActiveTrace(read: () => TraceIds | null): void {
  readActive = read;
}

/** The trace that a request belongs to: of the active span, or of the caller's `traceparent` while this process traces nothing. */
export function traceOf(traceparent: string | string[] | undefined): TraceIds | null {
  if (readActive !== null) return readActive();
  return typeof traceparent === 'string' ? parseTraceparent(traceparent) : null;
}

/** The `traceparent` of the active span; null while this process traces nothing. */
export function activeTraceparent(): string | null {
  const active = readActive?.() ?? null;
  return active === null ? null : `00-${active.traceId}-${active.spanId}-01`;
}

/** The ids of a `traceparent`; null where it is none. */
export function parseTraceparent(traceparent: string): TraceIds | null {
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
