import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { FindingFacts, IncidentFacts } from './facts.ts';
import type { FindingKind, IncidentKind, IncidentSeverity, TaskKind } from './kinds.ts';

/** Identifies an incident among the open ones. */
export interface IncidentKey {
  /** The nil UUID for the workspace. */
  readonly merchantId: string;
  readonly mode: Mode;
  readonly kind: IncidentKind;
  readonly subject: string;
}

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
export interface Condition extends Finding, IncidentKey {
  readonly kind: IncidentKind;
  readonly since: Date;
  readonly facts: IncidentFacts;
  /** False for a condition that keeps an incident open without opening one: an account that is being probed. */
  readonly opens: boolean;
  /**
   * True for an account that has been probed for so long without another fault that nothing shows its trouble any more. It keeps its own
   * incident open until it has proved itself, and no correlated outage.
   */
  readonly isUnproven?: boolean;
}

/** A finding of a kind that opens none. */
export interface Task extends Finding {
  readonly kind: TaskKind;
}

/** The present conditions, and which kinds were looked at: incidents of others stay as they are. */
export interface Observation {
  readonly conditions: readonly Condition[];
  readonly kinds: ReadonlySet<IncidentKind>;
}

/** Which conditions a reader looks for. It may find others: who sees one is decided by {@link isVisible}. */
export interface ConditionQuery {
  /** Null for all merchants. */
  readonly merchantIds: readonly string[] | null;
  /** Null for both modes. */
  readonly mode: Mode | null;
  /** True if those of the workspace are looked for. */
  readonly workspace: boolean;
  readonly now: Date;
}

/** Whose work a reader looks for. */
export interface TaskQuery {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly staffId: string;
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
