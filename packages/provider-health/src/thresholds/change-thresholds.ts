import { canonicalJson, type JsonValue } from '@switchyard/db';
import type { HealthThresholdSet, Mode, Prisma } from '@switchyard/db/client';
import { type ChangeContext, changeConfiguration, type FieldProblem } from '@switchyard/runtime';
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

/** A merchant's changes of the health thresholds in one mode; null while the defaults apply. */
function findHealthThresholdSet(
  client: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
): Promise<HealthThresholdSet | null> {
  const { merchantId, mode } = key;
  return client.healthThresholdSet.findUnique({ where: { merchantId_mode: { merchantId, mode } } });
}

/** Replaces the stored changes, under the next revision. */
async function putHealthThresholdSet(
  transaction: Prisma.TransactionClient,
  key: { readonly merchantId: string; readonly mode: Mode },
  changes: JsonValue,
  by: { readonly actor: string; readonly now: Date },
): Promise<HealthThresholdSet> {
  const { merchantId, mode } = key;
  const json: Prisma.InputJsonValue = JSON.parse(JSON.stringify(changes));
  const written = { changes: json, updatedBy: by.actor, updatedAt: by.now };
  // Two statements: Citus does not take the one that Prisma makes of an upsert whose key has an enum.
  await transaction.healthThresholdSet.createMany({
    data: [{ merchantId, mode, revision: 0, ...written }],
    skipDuplicates: true,
  });
  return transaction.healthThresholdSet.update({
    where: { merchantId_mode: { merchantId, mode } },
    data: { revision: { increment: 1 }, ...written },
  });
}
