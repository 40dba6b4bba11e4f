import { NIL_ID } from '@switchyard/db';
import type { HealthContext } from '@switchyard/provider-health';
import type { AttentionContext } from '../context.ts';
import type { Condition, ConditionQuery, FindingScope, Observation, Task, TaskQuery } from './finding.ts';
import { gatewayConditions } from './gateway-conditions.ts';
import { INCIDENT_KINDS, type IncidentKind, TASK_KINDS, type TaskKind } from './kinds.ts';
import { certificateConditions, endpointConditions, keyConditions } from './merchant-conditions.ts';
import {
  discrepancyConditions,
  disputeConditions,
  moneyConditions,
  repeatConditions,
  reversalConditions,
} from './money-conditions.ts';
import {
  approvals,
  approvalWaivers,
  drafts,
  failingEndpoints,
  missingSecondPersons,
  refundApprovals,
  refundControlWaivers,
  reviewWaivers,
} from './tasks.ts';
import { backlogConditions, reportConditions, signInConditions } from './workspace-conditions.ts';

type ConditionReader = (context: HealthContext, query: ConditionQuery) => Promise<Condition[]>;
type TaskReader = (context: AttentionContext, query: TaskQuery) => Promise<Task[]>;

const moneyAndReversals: ConditionReader = async (context, query) =>
  (await Promise.all([moneyConditions(context, query), reversalConditions(context, query)])).flat();

/** Readers of the kinds that open incidents. One that finds several kinds reads once for them. */
export const CONDITION_READERS: Readonly<Record<IncidentKind, ConditionReader>> = {
  gateway_degraded: gatewayConditions,
  gateway_down: gatewayConditions,
  correlated_outage: gatewayConditions,
  credentials_refused: gatewayConditions,
  duplicate_charge: moneyAndReversals,
  refund_stuck: moneyAndReversals,
  repeated_payment: repeatConditions,
  payment_review: moneyAndReversals,
  reconciliation_discrepancy: discrepancyConditions,
  webhook_endpoint_off: endpointConditions,
  api_key_expiring: keyConditions,
  certificate_expiring: certificateConditions,
  backlog: backlogConditions,
  sign_in_from_new_place: signInConditions,
  dispute_opened: disputeConditions,
  dispute_due: disputeConditions,
  report_failed: reportConditions,
};

/** Readers of the kinds of a person's own work. */
export const TASK_READERS: Readonly<Record<TaskKind, TaskReader>> = {
  webhook_endpoint_failing: failingEndpoints,
  no_second_person: missingSecondPersons,
  approval: approvals,
  approval_waiver: approvalWaivers,
  draft: drafts,
  refund_approval: refundApprovals,
  review_waiver: reviewWaivers,
  refund_control_waiver: refundControlWaivers,
};

/** Present conditions: of all merchants, or those that concern a person. A reader that fails is reported and leaves its kinds out. */
export async function readConditions(context: HealthContext, scope: FindingScope | null, now: Date): Promise<Observation> {
  const readers = [...Map.groupBy(INCIDENT_KINDS, (kind) => CONDITION_READERS[kind])];
  const found = await Promise.all(
    readers.map(async ([read, kinds]) => {
      const query = scope === null ? { merchantIds: null, mode: null, workspace: true, now } : queryFor(kinds, scope, now);
      const concernsNoOne = query.merchantIds?.length === 0 && !query.workspace;
      const conditions = concernsNoOne ? [] : await orNull(context, kinds, read(context, query));
      return { kinds: conditions === null ? [] : kinds, conditions: conditions ?? [] };
    }),
  );
  const conditions = found.flatMap((each) => each.conditions).filter((condition) => scope === null || isOfMode(condition, scope));
  return { conditions, kinds: new Set(found.flatMap(({ kinds }) => kinds)) };
}

/** The work that waits for a person, and true if a reader failed, which is reported. */
export async function readTasks(
  context: AttentionContext,
  scope: FindingScope,
  staffId: string,
): Promise<{ readonly tasks: readonly Task[]; readonly incomplete: boolean }> {
  const found = await Promise.all(
    TASK_KINDS.map(async (kind) => {
      const { merchantIds } = scope.of(kind);
      const query = { merchantIds, mode: scope.mode, staffId };
      return merchantIds.length === 0 ? [] : orNull(context, [kind], TASK_READERS[kind](context, query));
    }),
  );
  return { tasks: found.flatMap((tasks) => tasks ?? []), incomplete: found.includes(null) };
}

function queryFor(kinds: readonly IncidentKind[], scope: FindingScope, now: Date): ConditionQuery {
  const scopes = kinds.map(scope.of);
  const merchantIds = [...new Set(scopes.flatMap((each) => each.merchantIds))];
  return { merchantIds, mode: scope.mode, workspace: scopes.some(({ workspace }) => workspace), now };
}

/** True of a condition of the scope's mode, and of what has no mode. */
function isOfMode({ merchantId, mode, facts }: Condition, scope: FindingScope): boolean {
  return mode === scope.mode || (merchantId === NIL_ID && facts.of !== 'outage');
}

/** A failing reader must not hide what the others find. */
async function orNull<Found>(context: HealthContext, kinds: readonly string[], found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    context.onError(error, `looking for ${kinds.join(', ')}`);
    return null;
  }
}
