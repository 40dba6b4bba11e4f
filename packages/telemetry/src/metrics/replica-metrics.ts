import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

/** Metrics of the database that reports are read from. `readLagSeconds` gives null when it cannot be read. */
export function reportReplica(registry: MetricsRegistry, readLagSeconds: () => Promise<number | null>): void {
  new Gauge({
    name: 'switchyard_replica_lag_seconds',
    help: 'How far the database that reports are read from is behind; 0 for the primary itself.',
    registers: [registry],
    async collect() {
      const lag = await readLagSeconds();
      this.remove();
      if (lag !== null) this.set(lag);
    },
  });
}
