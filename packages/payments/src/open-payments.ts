import { newId } from '@switchyard/db';
import { createConfigurationFaultMonitor, createHealthMonitor } from '@switchyard/provider-health';
import type { Resources } from '@switchyard/runtime';
import type { PaymentsContext } from './record/context.ts';
import { createLookupPace } from './record/lookup-pace.ts';
import { watchWebhookArrivals } from './record/webhook-arrivals.ts';

export type { PaymentsContext } from './record/context.ts';

const INITIATE_BUDGET_MS = 20_000;
const HEALTH_TICK_MS = 1_000;

/**
 * Overrides for tests and tools; the defaults are the system clock, 20 s for all attempts of a payment and a health tick each
 * second.
 */
export interface PaymentsOptions {
  readonly now?: () => Date;
  readonly initiateBudgetMs?: number;
  /** Null when only tests change health and refresh what is known of webhooks. */
  readonly healthTickMs?: number | null;
  readonly onError?: (error: unknown, doing: string) => void;
  /** Without it, payments are recorded without the trace they began in. */
  readonly traceparent?: () => string | null;
}

/** The context of the payments use cases on a process's resources. Close it before the resources. */
export function openPayments(resources: Resources, options: PaymentsOptions = {}): PaymentsContext {
  const now = options.now ?? (() => new Date());
  const onError = options.onError ?? (() => undefined);
  const health = createHealthMonitor({
    resources,
    now,
    newId,
    onError: (error) => onError(error, 'sharing health'),
    tickMs: options.healthTickMs === undefined ? HEALTH_TICK_MS : options.healthTickMs,
  });
  const initiateBudgetMs = options.initiateBudgetMs ?? INITIATE_BUDGET_MS;
  const configurationFaults = createConfigurationFaultMonitor({ resources, now, newId, onError });
  const webhookArrivals = watchWebhookArrivals(resources.database, {
    now,
    onError: (error) => onError(error, 'reading which webhooks arrive'),
    ...(options.healthTickMs === null && { refreshMs: null }),
  });
  return {
    resources,
    health,
    configurationFaults,
    webhookArrivals,
    lookupPace: createLookupPace(resources.lookupLimits),
    now,
    newId,
    random: Math.random,
    initiateBudgetMs,
    traceparent: options.traceparent ?? (() => null),
    onError,
    close() {
      health.close();
      webhookArrivals.close();
    },
  };
}
