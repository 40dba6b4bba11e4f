import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { HealthThresholdSet, Mode } from '@switchyard/db/client';
import { type ChangeContext, changeConfiguration, type FieldProblem } from '@switchyard/runtime';
import { findHealthThresholdSet, putHealthThresholdSet } from './queries.ts';
import { checkHealthThresholds, type HealthThresholds } from './thresholds.ts';

/** Asks to replace a merchant's health thresholds in one mode. */
export interface ChangeHealthThresholdsCommand {
  readonly merchantId: string;
  readonly mode: Mode;
  /** All differences from the defaults, replacing earlier ones; empty for the defaults. */
  readonly changes: Partial<HealthThresholds>;
  /** The revision the change is based on; 0 where nothing was ever changed. */
  readonly revision: number;
  readonly actor: string;
}

/** Result of changing the thresholds, or the reason why it was refused. */
export type ChangeHealthThresholdsOutcome =
  | { readonly kind: 'changed'; readonly revision: number }
  /** The thresholds equal the requested ones already; nothing was written. */
  | { readonly kind: 'unchanged'; readonly revision: number }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  /** They were changed since `revision`. */
  | { readonly kind: 'stale'; readonly revision: number; readonly updatedBy: string }
  | { readonly kind: 'not_found' };

const OBJECT = 'health_thresholds';

/** Changes the thresholds at which a merchant's accounts become degraded or down. All processes apply them within seconds. */
export async function changeHealthThresholds(
  context: ChangeContext,
  command: ChangeHealthThresholdsCommand,
): Promise<ChangeHealthThresholdsOutcome> {
  const checked = checkHealthThresholds(command.changes);
  if (!checked.ok) return { kind: 'invalid', problems: checked.problems };
  const { merchantId, mode, actor } = command;
  const changes = toJson(checked.changes);
  return changeConfiguration<ChangeHealthThresholdsOutcome>(context, command, async (transaction, now) => {
    const before = await findHealthThresholdSet(transaction, { merchantId, mode });
    const revision = before?.revision ?? 0;
    if (revision !== command.revision) {
      return { outcome: { kind: 'stale', revision, updatedBy: before?.updatedBy ?? '' }, audit: null };
    }
    if (isSame(before, changes)) return { outcome: { kind: 'unchanged', revision }, audit: null };
    const after = await putHealthThresholdSet(transaction, { merchantId, mode }, changes, { actor, now });
    const isReset = Object.keys(checked.changes).length === 0;
    return {
      outcome: { kind: 'changed', revision: after.revision },
      audit: {
        action: isReset ? `${OBJECT}.reset` : `${OBJECT}.changed`,
        objectType: OBJECT,
        objectId: `${merchantId}/${mode}`,
        before: toJson(before?.changes ?? {}),
        after: changes,
      },
    };
  });
}

function isSame(before: HealthThresholdSet | null, changes: JsonValue): boolean {
  const stored = checkHealthThresholds(before?.changes ?? {});
  return stored.ok && canonicalJson(stored.changes) === canonicalJson(changes);
}

/** Plain JSON with sorted names, so that the audit log shows thresholds in one order. */
function toJson(value: object | JsonValue): JsonValue {
  return JSON.parse(canonicalJson(value));
}
