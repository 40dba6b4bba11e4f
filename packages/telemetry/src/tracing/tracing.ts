/** How a process describes its requests. */
export interface TracingOptions {
  /** The route template of a request; null is not traced. */
  readonly routeOf?: (method: string, path: string) => string | null;
}

/** Runs `work` in a span of its own where the process traces, otherwise just runs it. */
type InSpan = <T>(name: string, attributes: Readonly<Record<string, string>>, work: () => T) => T;

/** The traces of a process. */
export interface Tracing {
  readonly inSpan: InSpan;
  /** Sends what is left. */
  close(): Promise<void>;
}
