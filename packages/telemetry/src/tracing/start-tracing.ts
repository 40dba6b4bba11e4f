import type { ProcessName } from '../metrics/registry.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

const NONE: Tracing = { isOn: false, inSpan: (_name, _attributes, work) => work(), close: async () => undefined };

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
