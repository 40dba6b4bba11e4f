import type { ProcessName } from '../metrics/registry.ts';
import type { TracingOptions } from './otlp-tracing.ts';

/** Runs `work` in a span of its own where the process traces, otherwise just runs it. */
type InSpan = <T>(name: string, attributes: Readonly<Record<string, string>>, work: () => T) => T;

/** The traces of a process. */
export interface Tracing {
  readonly inSpan: InSpan;
  /** Sends what is left. */
  close(): Promise<void>;
}

const NONE: Tracing = { inSpan: (_name, _attributes, work) => work(), close: async () => undefined };

/**
 * Sends traces of requests, statements and calls to `OTEL_EXPORTER_OTLP_ENDPOINT`, by OTLP over HTTP. Without that variable nothing is
 * loaded. Call before the process opens its server and its pools.
 */
export async function startTracing(
  process: ProcessName,
  environment: Readonly<Record<string, string | undefined>>,
  options: TracingOptions = {},
): Promise<Tracing> {
  if (!environment.OTEL_EXPORTER_OTLP_ENDPOINT && !environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT) return NONE;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(process, options);
}
