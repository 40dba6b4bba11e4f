import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';
import type { ProcessName } from '../metrics/registry.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

const TRACING_SETTINGS = SETTINGS.pick({ OTEL_EXPORTER_OTLP_ENDPOINT: true, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: true });

const NONE: Tracing = { isOn: false, inSpan: (_name, _attributes, work) => work(), close: async () => undefined };

/**
 * Sends traces of requests, statements and calls to `OTEL_EXPORTER_OTLP_ENDPOINT`, by OTLP over HTTP. Without that variable nothing is
 * loaded. Call before the process opens its server and its pools.
 */
export async function startTracing(
  process: ProcessName,
  environment: Environment,
  options: TracingOptions = {},
): Promise<Tracing> {
  const settings = readSettings(TRACING_SETTINGS, environment);
  if (Object.values(settings).every((endpoint) => endpoint === undefined)) return NONE;
  const { startOtlpTracing } = await import('./otlp-tracing.ts');
  return startOtlpTracing(process, options);
}
