import { NIL_ID } from '@switchyard/db';
import type { HealthContext } from '@switchyard/provider-health';
import type { AttentionContext } from '../context.ts';
import type { ConditionQuery, FoundCondition, FoundTask } from '../kinds/kind.ts';
import {
  type FindingFacts,
  INCIDENT_KINDS,
  INCIDENTS,
  type IncidentFacts,
  type IncidentKind,
  TASK_KINDS,
  TASKS,
} from '../kinds/kinds.ts';
import type { Condition, FindingScope, Observation, Task } from './finding.ts';

/** Present conditions: of all merchants, or those that concern a person. A kind that fails is reported and left out. */
export async function findConditions(context: HealthContext, scope: FindingScope | null, now: Date): Promise<Observation> {
  const families = [...Map.groupBy(INCIDENT_KINDS, (kind) => INCIDENTS[kind].find)];
  const observed = await Promise.all(
    families.map(async ([find, kinds]) => {
      const query = scope === null ? { merchantIds: null, mode: null, workspace: true, now } : queryFor(kinds, scope, now);
      const concernsNoOne = query.merchantIds?.length === 0 && !query.workspace;
      const found = concernsNoOne
        ? []
        : await orNull<readonly FoundCondition<IncidentFacts>[]>(context, kinds, find(context, query));
      const conditions = found?.map((each): Condition => ({ severity: INCIDENTS[each.kind].severity, opens: true, ...each }));
      return { kinds: conditions === undefined ? [] : kinds, conditions: conditions ?? [] };
    }),
  );
  const conditions = observed
    .flatMap((each) => each.conditions)
    .filter((condition) => scope === null || isOfMode(condition, scope));
  return { conditions, kinds: new Set(observed.flatMap(({ kinds }) => kinds)) };
}

/** The work that waits for a person, and true if a kind failed, which is reported. */
export async function findTasks(
  context: AttentionContext,
  scope: FindingScope,
  staffId: string,
): Promise<{ readonly tasks: readonly Task[]; readonly incomplete: boolean }> {
  const { mode } = scope;
  const found = await Promise.all(
    TASK_KINDS.map(async (kind) => {
      const { merchantIds } = scope.of(kind);
      if (merchantIds.length === 0) return [];
      const { severity, find } = TASKS[kind];
      const tasks = await orNull<readonly FoundTask<FindingFacts>[]>(
        context,
        [kind],
        find(context, { merchantIds, mode, staffId }),
      );
      return tasks?.map((task): Task => ({ ...task, mode, kind, severity })) ?? null;
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

/** A kind that cannot be looked for must not hide what the others find. */
async function orNull<Found>(context: HealthContext, kinds: readonly string[], found: Promise<Found>): Promise<Found | null> {
  try {
    return await found;
  } catch (error) {
    context.onError(error, `looking for ${kinds.join(', ')}`);
    return null;
  }
}
