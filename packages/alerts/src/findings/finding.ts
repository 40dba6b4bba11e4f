import { NIL_ID } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import type { FoundCondition } from '../kinds/kind.ts';
import type { FindingFacts, FindingKind, IncidentFacts, IncidentKind, IncidentSeverity, TaskKind } from '../kinds/kinds.ts';

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
export interface Task extends Finding {
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
