import { readFileSync } from 'node:fs';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** The programs that report metrics. */
export type ProcessName = 'web' | 'worker' | 'reporting';

/** In OpenMetrics' text format, which Prometheus asks for. */
export type MetricsRegistry = Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>;

const EVENT_LOOP_RESOLUTION_MS = 20;
const MANIFEST = new URL('../../../../package.json', import.meta.url);

/** A registry with what Node itself reports (CPU, memory, garbage collection, event-loop delay) and which build runs. */
export function createRegistry(process: ProcessName): MetricsRegistry {
  const registry = new Registry<typeof Registry.OPENMETRICS_CONTENT_TYPE>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_RESOLUTION_MS });
  new Gauge({
    name: 'switchyard_build_info',
    help: 'The build that runs, as labels; always 1.',
    labelNames: ['process', 'version', 'node'],
    registers: [registry],
  }).set({ process, version: buildVersion(), node: globalThis.process.version }, 1);
  return registry;
}

/** The version of the root package; `unknown` where the programs were copied without it. */
function buildVersion(): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(MANIFEST, 'utf8'));
    if (typeof manifest === 'object' && manifest !== null && 'version' in manifest) return String(manifest.version);
  } catch {
    // Said by the label.
  }
  return 'unknown';
}
