import type { Database } from '@switchyard/db';
import { type Archiving, readArchiving } from '@switchyard/runtime/archiving';
import { Gauge } from 'prom-client';
import { cached } from './backlog-metrics.ts';
import type { MetricsRegistry } from './registry.ts';

/** Metrics of how the database server archives its log, read by a worker when it is scraped; none where that cannot be read. */
export function reportArchiving(registry: MetricsRegistry, database: Pick<Database, 'pool'>): void {
  const read = cached(() => readArchiving(database));
  const gauge = (name: string, help: string, figure: (archiving: Archiving) => number | null) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const archiving = await read();
        const value = archiving === null ? null : figure(archiving);
        this.remove();
        if (value !== null) this.set(value);
      },
    });
  };
  gauge('switchyard_log_archiving', '1 while the database server is set up to archive its log, otherwise 0.', ({ archives }) =>
    Number(archives),
  );
  gauge(
    'switchyard_log_archive_failing',
    '1 while the last segment of the log could not be archived, otherwise 0.',
    ({ archives, failing }) => Number(archives && failing),
  );
  gauge(
    'switchyard_log_archived_age_seconds',
    'How long the last segment of the log was archived ago; infinite before the first.',
    ({ archives, archivedSeconds }) => (archives ? (archivedSeconds ?? Number.POSITIVE_INFINITY) : null),
  );
  gauge(
    'switchyard_base_backup_age_seconds',
    'How long the last base backup was taken ago; infinite before the first. Needs the role pg_monitor.',
    ({ archives, seesBackups, baseSeconds }) => (archives && seesBackups ? (baseSeconds ?? Number.POSITIVE_INFINITY) : null),
  );
}
