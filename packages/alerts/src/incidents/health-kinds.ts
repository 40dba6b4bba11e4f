import type { IncidentKind } from '../kinds/kinds.ts';

/** Kinds about the health of gateway accounts: those that payments meet, and that have impact. */
export const HEALTH_KINDS: readonly IncidentKind[] = ['gateway_degraded', 'gateway_down', 'correlated_outage'];
