import type { HealthContext } from '@switchyard/provider-health';
import type { Condition, Observation } from '../incidents/decide-incidents.ts';
import type { IncidentKind } from '../incidents/kinds.ts';
import { gatewayConditions } from './gateway-conditions.ts';
import { certificateConditions, endpointConditions, keyConditions } from './merchant-conditions.ts';
import { discrepancyConditions, moneyConditions, reversalConditions } from './money-conditions.ts';
import { backlogConditions, signInConditions } from './workspace-conditions.ts';

/** One reading, and the kinds it tells everything about. */
interface Source {
  readonly kinds: readonly IncidentKind[];
  readonly read: (context: HealthContext, now: Date) => Promise<Condition[]>;
}

const SOURCES: readonly Source[] = [
  { kinds: ['gateway_degraded', 'gateway_down', 'correlated_outage', 'credentials_refused'], read: gatewayConditions },
  {
    kinds: ['duplicate_charge', 'refund_stuck', 'payment_review'],
    read: async ({ resources }, now) => [
      ...(await moneyConditions(resources.database)),
      ...(await reversalConditions(resources.database, now)),
    ],
  },
  { kinds: ['reconciliation_discrepancy'], read: ({ resources }) => discrepancyConditions(resources.database) },
  { kinds: ['webhook_endpoint_off'], read: ({ resources }) => endpointConditions(resources.database) },
  { kinds: ['api_key_expiring'], read: ({ resources }, now) => keyConditions(resources.database, now) },
  { kinds: ['certificate_expiring'], read: ({ resources }, now) => certificateConditions(resources.database, now) },
  { kinds: ['backlog'], read: ({ resources }, now) => backlogConditions(resources.database, now) },
  { kinds: ['sign_in_from_new_place'], read: ({ resources }, now) => signInConditions(resources.database, now) },
];

/** Present conditions of all merchants. A source that fails is reported and leaves its kinds out. */
export async function readConditions(context: HealthContext, now: Date): Promise<Observation> {
  const read = await Promise.all(
    SOURCES.map(async (source) => {
      try {
        return { kinds: source.kinds, conditions: await source.read(context, now) };
      } catch (error) {
        context.onError(error, `looking for ${source.kinds.join(', ')}`);
        return { kinds: [], conditions: [] };
      }
    }),
  );
  return { conditions: read.flatMap(({ conditions }) => conditions), kinds: new Set(read.flatMap(({ kinds }) => kinds)) };
}
