import { type Database, NIL_ID } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import type { Prisma, RetentionProgress, RetentionSetting } from '@switchyard/db/client';
import { type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { inSnapshot } from '@switchyard/runtime/in-snapshot';
import { z } from 'zod';
import type { PrivacyContext } from '../context.ts';
import { RETENTION_KINDS, RETENTION_LIMITS, type RetentionKind, type RetentionLimits } from './kinds.ts';

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
    canary_customers: daysSchema('canary_customers', of),
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

/** A kind of data with its setting and the last run. */
export interface DescribedRetention extends RetentionLimits, EffectiveDays {
  readonly kind: RetentionKind;
  /** Days that apply without a setting here: the workspace's for a merchant, else the default. */
  readonly otherwiseDays: number;
  /** When ageing out last came to the end, of the latest merchant in question; null before the first time. */
  readonly lastRunAt: Date | null;
  /** Rows removed by the last run and in all, of the merchants in question together. */
  readonly removedLastRun: number;
  readonly removedInAll: number;
}

/**
 * How long each kind is kept, and what ageing out removed. With a merchant, its settings, and only kinds that merchants have; without,
 * the workspace's settings, and what was removed of `visibleMerchantIds` together.
 */
export async function describeRetention(
  context: PrivacyContext,
  { merchantId, visibleMerchantIds }: { readonly merchantId: string | null; readonly visibleMerchantIds: readonly string[] },
): Promise<readonly DescribedRetention[]> {
  const owner = merchantId ?? NIL_ID;
  const [settings, progress] = await inSnapshot(context, ({ resources: { database } }) =>
    Promise.all([
      readSettings(database.prisma, [owner, NIL_ID]),
      readProgress(database, merchantId === null ? [...visibleMerchantIds, NIL_ID] : [merchantId]),
    ]),
  );
  const kinds = RETENTION_KINDS.filter((kind) => merchantId === null || RETENTION_LIMITS[kind].of === 'merchant');
  return kinds.map((kind) => {
    const runs = progress.filter((one) => one.kind === kind);
    const times = runs.flatMap(({ lastRunAt }) => lastRunAt?.getTime() ?? []);
    return {
      kind,
      ...RETENTION_LIMITS[kind],
      ...effectiveDays(settings, owner, kind),
      otherwiseDays: merchantId === null ? RETENTION_LIMITS[kind].defaultDays : effectiveDays(settings, NIL_ID, kind).days,
      lastRunAt: times.length === 0 ? null : new Date(Math.max(...times)),
      removedLastRun: runs.reduce((sum, run) => sum + run.removedLastRun, 0),
      removedInAll: Number(runs.reduce((sum, run) => sum + run.removedInAll, 0n)),
    };
  });
}

const ROWS_MAX = 1_000_000;

/** All settings, or those of these owners. */
export function readSettings(
  prisma: Database['prisma'] | Prisma.TransactionClient,
  merchantIds?: readonly string[],
): Promise<RetentionSetting[]> {
  const where = merchantIds === undefined ? {} : { merchantId: { in: [...merchantIds] } };
  return prisma.retentionSetting.findMany({ where, take: ROWS_MAX });
}

/** Stores a setting; null days removes it, so that the next wider one applies. */
async function writeSetting(
  transaction: Prisma.TransactionClient,
  { merchantId, kind, days }: { readonly merchantId: string; readonly kind: RetentionKind; readonly days: number | null },
): Promise<void> {
  if (days === null) {
    await transaction.retentionSetting.deleteMany({ where: { merchantId, kind } });
    return;
  }
  const where = { merchantId_kind: { merchantId, kind } };
  await transaction.retentionSetting.upsert({ where, create: { merchantId, kind, days }, update: { days } });
}

/** The progress of every kind, of all owners or of these. */
export function readProgress({ prisma }: Database, merchantIds?: readonly string[]): Promise<RetentionProgress[]> {
  const where = merchantIds === undefined ? {} : { merchantId: { in: [...merchantIds] } };
  return prisma.retentionProgress.findMany({ where, take: ROWS_MAX });
}

/** Stores the progress of one kind of one owner. */
export async function writeProgress({ prisma }: Database, progress: RetentionProgress): Promise<void> {
  const { merchantId, kind, ...values } = progress;
  const where = { merchantId_kind: { merchantId, kind } };
  await prisma.retentionProgress.upsert({ where, create: progress, update: values });
}

export async function readMerchantIds({ prisma }: Database): Promise<string[]> {
  const rows = await prisma.merchant.findMany({ select: { id: true }, orderBy: { id: 'asc' }, take: ROWS_MAX });
  return rows.map(({ id }) => id);
}

const DAY_MS = 86_400_000;

/** A stored setting: days of one kind, of one merchant or, under the nil UUID, of all without a setting of their own. */
export interface StoredSetting {
  readonly merchantId: string;
  readonly kind: string;
  readonly days: number;
}

/** The days a merchant's data of a kind is kept, and where that was decided. */
interface EffectiveDays {
  readonly days: number;
  readonly from: 'default' | 'workspace' | 'merchant';
}

/**
 * The setting that applies: the merchant's, else the workspace's, else the default. A stored number outside the limits counts as the
 * nearest limit, so that no stored value removes what the product needs.
 */
export function effectiveDays(settings: readonly StoredSetting[], merchantId: string, kind: RetentionKind): EffectiveDays {
  const { of, defaultDays, minDays, maxDays } = RETENTION_LIMITS[kind];
  const find = (owner: string) => settings.find((one) => one.kind === kind && one.merchantId === owner)?.days;
  const own = of === 'merchant' && merchantId !== NIL_ID ? find(merchantId) : undefined;
  const workspace = find(NIL_ID);
  const days = Math.min(maxDays, Math.max(minDays, own ?? workspace ?? defaultDays));
  return { days, from: own !== undefined ? 'merchant' : workspace !== undefined ? 'workspace' : 'default' };
}

/** The instant before which data is removed. */
export function cutOff(now: Date, days: number): Date {
  return new Date(now.getTime() - days * DAY_MS);
}
