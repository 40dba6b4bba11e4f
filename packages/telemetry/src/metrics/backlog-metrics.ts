import type { Database } from '@switchyard/db';
import { Gauge } from 'prom-client';
import { type Backlog, readBacklog } from './backlog-queries.ts';
import type { MetricsRegistry } from './registry.ts';

/** A scrape within this time of the last gets its reading again. */
const CACHED_MS = 5_000;

/**
 * Metrics of what waits in the database, read by a worker when it is scraped. Every worker reports the same figures, so queries take
 * their `max`. When they cannot be read there are none, rather than old ones.
 */
export function reportBacklog(registry: MetricsRegistry, database: Pick<Database, 'pool'>): void {
  const read = cached(() => readBacklog(database));
  const single = singleGauges(registry, read);
  single('switchyard_payment_checks_due', 'Payments that are due to be verified at their gateway.', 'checksDue');
  single('switchyard_payment_check_oldest_seconds', 'How long the most overdue payment check is due.', 'oldestCheckSeconds');
  single('switchyard_webhook_deliveries_due', 'Events that are due to be delivered to merchants.', 'deliveriesDue');
  single('switchyard_webhook_delivery_oldest_seconds', 'How long the most overdue delivery is due.', 'oldestDeliverySeconds');
  single('switchyard_rollup_changes_pending', 'Changes that are not in the roll-ups yet; reports add them up.', 'rollupChanges');
  single('switchyard_rollup_lag_seconds', 'How late the next update of the roll-ups is.', 'rollupSeconds');
  single('switchyard_payments_for_review', 'Payments that a person has to decide on.', 'reviews');
  single('switchyard_duplicate_charges_open', 'Duplicate charges that are not refunded yet.', 'duplicateCharges');
  single('switchyard_refunds_failed_unresolved', 'Failed refunds that nobody has resolved.', 'failedRefunds');
  single(
    'switchyard_reconciliation_oldest_seconds',
    'How long the oldest unfinished reconciliation was requested ago.',
    'reconciliationSeconds',
  );
  reportQueue(registry, read);
  reportAccounts(registry, read);
  new Gauge({
    name: 'switchyard_backlog_readable',
    help: '1 while the figures about the database can be read within a second each, otherwise 0.',
    registers: [registry],
    async collect() {
      this.set((await read()) === null ? 0 : 1);
    },
  });
}

type Read = () => Promise<Backlog | null>;
type Figure = { [Key in keyof Backlog]: Backlog[Key] extends number ? Key : never }[keyof Backlog];

function singleGauges(registry: MetricsRegistry, read: Read): (name: string, help: string, figure: Figure) => void {
  return (name, help, figure) => {
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.remove();
        if (backlog !== null) this.set(backlog[figure]);
      },
    });
  };
}

function reportQueue(registry: MetricsRegistry, read: Read): void {
  const gauge = (name: string, help: string, figure: 'ready' | 'oldestSeconds' | 'failed') => {
    new Gauge({
      name,
      help,
      labelNames: ['task'],
      registers: [registry],
      async collect() {
        const backlog = await read();
        this.reset();
        for (const one of backlog?.tasks ?? []) this.set({ task: one.task }, one[figure]);
      },
    });
  };
  gauge('switchyard_queue_ready_jobs', 'Jobs of the queue that are due and wait for a worker.', 'ready');
  gauge('switchyard_queue_oldest_seconds', 'How long the oldest waiting job of a task is due.', 'oldestSeconds');
  gauge('switchyard_queue_failed_jobs', 'Jobs that are out of retries.', 'failed');
}

function reportAccounts(registry: MetricsRegistry, read: Read): void {
  new Gauge({
    name: 'switchyard_gateway_account_health',
    help: 'The health state of each enabled gateway account, as a label; always 1. The oldest 500 accounts.',
    labelNames: ['gateway', 'account', 'mode', 'state'],
    registers: [registry],
    async collect() {
      const backlog = await read();
      this.reset();
      for (const { gateway, account, mode, state } of backlog?.accounts ?? []) this.set({ gateway, account, mode, state }, 1);
    },
  });
}

/** One reading for all gauges of a scrape, and for scrapes close together; null when it fails. */
export function cached<Reading>(readNow: () => Promise<Reading>): () => Promise<Reading | null> {
  let reading: Promise<Reading | null> | undefined;
  let until = 0;
  return () => {
    if (reading === undefined || performance.now() >= until) {
      until = performance.now() + CACHED_MS;
      reading = readNow().catch(() => null);
    }
    return reading;
  };
}
