import { NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { PrivacyContext } from '../context.ts';
import { RETENTION_KINDS, RETENTION_LIMITS, type RetentionKind, type RetentionLimits } from './kinds.ts';
import { readSettings, writeSetting } from './queries.ts';

/** Asks to change how long data is kept. */
export interface ChangeRetentionCommand {
  /** Null for all merchants without a setting of their own, and for data that belongs to none. */
  readonly merchantId: string | null;
  /** Days by kind; null removes the setting, omitted kinds stay unchanged. */
  readonly changes: Readonly<Partial<Record<RetentionKind, number | null>>>;
  readonly actor: string;
}

/** Result of changing the settings, or the problems by field. */
export type ChangeRetentionOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] };

/** Changes how long kinds of data are kept, audited. Shorter times apply from the next run of ageing out, and cannot be undone then. */
export async function changeRetention(
  context: PrivacyContext,
  { merchantId, changes, actor }: ChangeRetentionCommand,
): Promise<ChangeRetentionOutcome> {
  const parsed = schemaOf(merchantId === null ? 'workspace' : 'merchant').safeParse(changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const owner = merchantId ?? NIL_ID;
  const now = context.now();
  return context.resources.database.prisma.$transaction(async (transaction) => {
    const settings = await readSettings(transaction, [owner]);
    const daysOf = (kind: string) => settings.find((one) => one.kind === kind)?.days ?? null;
    const wanted = RETENTION_KINDS.flatMap((kind) => {
      const days = parsed.data[kind];
      return days === undefined || days === daysOf(kind) ? [] : [{ kind, days }];
    });
    if (wanted.length === 0) return { kind: 'unchanged' };
    for (const { kind, days } of wanted) await writeSetting(transaction, { merchantId: owner, kind, days });
    await appendAuditEntry(
      transaction,
      context.resources.auditKeys,
      {
        tenantId: owner,
        entryId: context.newId(),
        actor,
        action: 'retention.changed',
        objectType: 'retention',
        objectId: owner,
        before: Object.fromEntries(wanted.map(({ kind }) => [kind, daysOf(kind)])),
        after: Object.fromEntries(wanted.map(({ kind, days }) => [kind, days])),
      },
      now,
    );
    return { kind: 'changed' };
  });
}

function schemaOf(of: RetentionLimits['of']) {
  return z.object({
    gateway_calls: daysSchema('gateway_calls', of),
    gateway_webhooks: daysSchema('gateway_webhooks', of),
    refused_webhooks: daysSchema('refused_webhooks', of),
    webhook_deliveries: daysSchema('webhook_deliveries', of),
    health_counts: daysSchema('health_counts', of),
    health_events: daysSchema('health_events', of),
    alerts: daysSchema('alerts', of),
    shadow_drafts: daysSchema('shadow_drafts', of),
    report_files: daysSchema('report_files', of),
    sign_in_records: daysSchema('sign_in_records', of),
    failed_jobs: daysSchema('failed_jobs', of),
    api_requests: daysSchema('api_requests', of),
    idempotency_records: daysSchema('idempotency_records', of),
  });
}

function daysSchema(kind: RetentionKind, of: RetentionLimits['of']) {
  const limits = RETENTION_LIMITS[kind];
  if (limits.minDays === limits.maxDays) return refusing('is fixed');
  if (of === 'merchant' && limits.of === 'workspace') return refusing('is set for the whole workspace, not for one merchant');
  return z
    .int('must be a whole number of days')
    .min(limits.minDays, `must be at least ${inDays(limits.minDays)}: ${lowerFirst(limits.whyNotShorter)}`)
    .max(limits.maxDays, `must be at most ${inDays(limits.maxDays)}`)
    .nullable()
    .exactOptional();
}

function refusing(message: string) {
  return z
    .number()
    .nullable()
    .refine(() => false, message)
    .exactOptional();
}

function inDays(count: number): string {
  return count === 1 ? '1 day' : `${count} days`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '');
}
