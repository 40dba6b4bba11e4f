import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { HealthContext } from '@switchyard/provider-health';
import type { AttentionContext } from '../context.ts';
import type { ConditionQuery, FoundCondition, FoundTask } from '../kinds/kind.ts';
import {
  type FindingFacts,
  type FindingKind,
  INCIDENT_KINDS,
  INCIDENTS,
  type IncidentFacts,
  type IncidentKind,
  type IncidentSeverity,
  TASK_KINDS,
  TASKS,
  type TaskKind,
} from '../kinds/kinds.ts';

/** Something that needs attention now. */
export interface Finding {
  /** The nil UUID for the workspace. */
  readonly merchantId: string;
  readonly mode: Mode;
  readonly kind: FindingKind;
  /** Id of the object it is about, where a merchant may have several of the kind. */
  readonly subject: string;
  readonly severity: IncidentSeverity;
  /** Null where nothing records it. */
  readonly since: Date | null;
  readonly facts: FindingFacts;
}

/** A finding of a kind that opens incidents. */
export interface Condition extends Finding, FoundCondition<IncidentFacts> {
  readonly kind: IncidentKind;
  readonly severity: IncidentSeverity;
  readonly since: Date;
  readonly facts: IncidentFacts;
  readonly opens: boolean;
}

/** A finding of a kind that opens none. */
interface Task extends Finding {
  readonly kind: TaskKind;
}

/** The present conditions, and which kinds were looked at: incidents of others stay as they are. */
export interface Observation {
  readonly conditions: readonly Condition[];
  readonly kinds: ReadonlySet<IncidentKind>;
}

/** Findings that a person sees. */
export interface FindingScope {
  readonly mode: Mode;
  /** For each kind the merchants, and true if those of the workspace are seen too. Of a workspace's outage the merchants suffice. */
  readonly of: (kind: FindingKind) => { readonly merchantIds: readonly string[]; readonly workspace: boolean };
}

/** The text that identifies a finding, and its incident among the open ones. */
export function keyOf({ merchantId, mode, kind, subject }: Pick<Finding, 'merchantId' | 'mode' | 'kind' | 'subject'>): string {
  return `${merchantId}|${mode}|${kind}|${subject}`;
}

/** True if a person sees a finding of their mode. */
export function isVisible(
  { merchantId, kind, facts }: Pick<Finding, 'merchantId' | 'kind' | 'facts'>,
  scope: Pick<FindingScope, 'of'>,
): boolean {
  const { merchantIds, workspace } = scope.of(kind);
  if (merchantId !== NIL_ID) return merchantIds.includes(merchantId);
  return workspace || (facts.of === 'outage' && facts.members.some((member) => merchantIds.includes(member.merchantId)));
}

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
