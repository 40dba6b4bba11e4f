import type { HealthState } from '@switchyard/routing';

/** Why an account was demoted, with the figures. */
export interface Demotion {
  readonly to: 'degraded' | 'down';
  /** `others`: only accounts of other merchants at the gateway saw the fault. */
  readonly cause: 'faults' | 'slow' | 'lookups' | 'others';
  /** When it was demoted, or demoted again, epoch milliseconds. */
  readonly at: number;
  /** Openings it is based on; 0 when it is based on look-ups or on others. */
  readonly succeeded: number;
  readonly faulted: number;
  /** Faults among them that affect all merchants. */
  readonly sharedFaults: number;
}

/** True if only accounts of other merchants saw why this one is not healthy. */
export function isByOthers({ state, demotion }: { readonly state: HealthState; readonly demotion: Demotion | null }): boolean {
  return state !== 'healthy' && demotion?.cause === 'others';
}
