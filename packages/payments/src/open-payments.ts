import { newId } from '@switchyard/db';
import type { Resources } from '@switchyard/merchants';
import { createConfigurationFaultMonitor, createHealthMonitor } from '@switchyard/provider-health';
import type { PaymentsContext } from './context.ts';

export type { PaymentsContext } from './context.ts';

const INITIATE_BUDGET_MS = 20_000;
const HEALTH_TICK_MS = 1_000;

export interface PaymentsOptions {
  readonly now?: () => Date;
  readonly initiateBudgetMs?: number;
  /** Null when only tests change health. */
  readonly healthTickMs?: number | null;
  readonly onError?: (error: unknown, doing: string) => void;
}

/** The context of the payments use cases on a process's resources. Close its health before the resources. */
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
  return { resources, health, configurationFaults, now, newId, random: Math.random, initiateBudgetMs, onError };
}
