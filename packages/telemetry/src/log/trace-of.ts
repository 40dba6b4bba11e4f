/** A place in a distributed trace, in W3C's hexadecimal form. */
export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/;

/** The trace that a request belongs to by the caller's `traceparent`. */
export function traceOf(traceparent: string | string[] | undefined): TraceIds | null {
  if (typeof traceparent !== 'string') return null;
  const [, traceId, spanId] = TRACEPARENT.exec(traceparent) ?? [];
  return traceId === undefined || spanId === undefined ? null : { traceId, spanId };
}
