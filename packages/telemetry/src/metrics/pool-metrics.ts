import { Gauge } from 'prom-client';
import type { MetricsRegistry } from './registry.ts';

/** Numbers of connections in a pool. */
export interface PoolUse {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
}

/** Metrics of this process's connection pools by name. */
export function reportPools(registry: MetricsRegistry, pools: Readonly<Record<string, PoolUse>>): void {
  const registers = [registry];
  new Gauge({
    name: 'switchyard_db_pool_connections',
    help: 'Connections of a pool of this process, by whether they are in use.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'used' }, totalCount - idleCount);
      }
    },
  });
  new Gauge({
    name: 'switchyard_db_pool_waiting',
    help: 'Callers that wait for a connection of the pool.',
    labelNames: ['pool'],
    registers,
    collect() {
      for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount);
    },
  });
}
