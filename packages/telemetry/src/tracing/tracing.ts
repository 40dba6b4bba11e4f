/** How a process describes its requests. */
export interface TracingOptions {
  /** The route template of a request; null is not traced. */
  readonly routeOf?: (method: string, path: string) => string | null;
}

/**
 * Runs `work` in a span of its own where the process traces, otherwise just runs it. `link` is the `traceparent` of another trace that
 * the work is about.
 */
type InSpan = <T>(name: string, attributes: Readonly<Record<string, string>>, work: () => T, link?: string | null) => T;

/** The traces of a process. */
export interface Tracing {
  readonly inSpan: InSpan;
  /** True if the process traces. */
  readonly isOn: boolean;
  /** Sends what is left. */
  close(): Promise<void>;
}
