import type { Database } from '@switchyard/db';
import { canonicalJson, type JsonValue } from '@switchyard/db';
import { appendAuditEntry } from '@switchyard/db/audit';
import { addDecimals, compareDecimals } from '@switchyard/db/decimals';
import type { SettlementContext } from '../context.ts';
import { enqueueBankMatch } from './request-bank-match.ts';

/** How near the money at the bank has to be to a payout. */
export interface BankMatching {
  /**
   * A credit whose text names the gateway and whose amount differs by no more is of the payout: the charge that a bank may take off. An exact
   * decimal of the main unit.
   */
  readonly tolerance: string;
  /** Days after a payout within which a credit without a reference is looked for. */
  readonly days: number;
  /** Working days that the bank takes; a payout is missing once statements go on past them. */
  readonly workingDays: number;
}

/** Of a merchant without a setting of its own. */
export const DEFAULT_BANK_MATCHING: BankMatching = { tolerance: '100', days: 5, workingDays: 2 };

/** Bounds of the setting. Windows of more days would find the money of other payouts. */
export const BANK_MATCHING_LIMITS = { toleranceMax: 1_000_000, daysMax: 30, workingDaysMax: 15 } as const;

/** The database, or a copy of it that reports read. */
export interface BankMatchingSource {
  readonly prisma: Pick<Database['prisma'], 'bankMatching'>;
}

/** How a merchant's payouts are matched with its bank. */
export async function readBankMatching({ prisma }: BankMatchingSource, merchantId: string): Promise<BankMatching> {
  const row = await prisma.bankMatching.findUnique({ where: { merchantId } });
  return row === null ? DEFAULT_BANK_MATCHING : toMatching(row);
}

/** A merchant's setting. */
export interface MerchantBankMatching extends BankMatching {
  readonly merchantId: string;
  readonly merchantName: string;
  /** True if the merchant has no setting of its own. */
  readonly isDefault: boolean;
}

/** The settings of these merchants, by name. */
export async function listBankMatching(
  { resources }: SettlementContext,
  merchantIds: readonly string[],
): Promise<MerchantBankMatching[]> {
  const { configuration, database } = resources;
  const rows = await database.prisma.bankMatching.findMany({ where: { merchantId: { in: [...merchantIds] } } });
  const own = new Map(rows.map((row) => [row.merchantId, toMatching(row)]));
  const items = merchantIds.map((merchantId) => ({
    merchantId,
    merchantName: configuration.merchant(merchantId)?.merchant.name ?? '',
    ...(own.get(merchantId) ?? DEFAULT_BANK_MATCHING),
    isDefault: !own.has(merchantId),
  }));
  return items.toSorted((a, b) => a.merchantName.localeCompare(b.merchantName));
}

function toMatching(row: { readonly tolerance: { toFixed(): string }; readonly days: number; readonly workingDays: number }) {
  return { tolerance: row.tolerance.toFixed(), days: row.days, workingDays: row.workingDays };
}

/** Result of changing a setting, or the reason why it was refused. */
export type BankMatchingOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly field: keyof BankMatching; readonly why: string };

/**
 * Sets how a merchant's payouts are matched with its bank; null returns to the default. All are matched and judged again by it at once, but for
 * what people linked.
 */
export async function changeBankMatching(
  context: SettlementContext,
  {
    merchantId,
    matching,
    actor,
  }: {
    readonly merchantId: string;
    readonly matching: BankMatching | null;
    /** `staff:<id>`. */
    readonly actor: string;
  },
): Promise<BankMatchingOutcome> {
  const { database, configuration, auditKeys } = context.resources;
  if (configuration.merchant(merchantId) === undefined) return { kind: 'not_found' };
  const refusal = matching === null ? null : refusalOf(matching);
  if (refusal !== null) return { kind: 'refused', ...refusal };
  return database.prisma.$transaction(async (transaction) => {
    const now = context.now();
    const row = await transaction.bankMatching.findUnique({ where: { merchantId } });
    const before = jsonOf(row === null ? null : toMatching(row));
    const after = jsonOf(matching);
    if (canonicalJson(before) === canonicalJson(after)) return { kind: 'unchanged' };
    if (matching === null) await transaction.bankMatching.deleteMany({ where: { merchantId } });
    else {
      const data = { ...matching, updatedBy: actor, updatedAt: now };
      await transaction.bankMatching.upsert({ where: { merchantId }, create: { merchantId, ...data }, update: data });
    }
    for (const mode of ['test', 'live'] as const) {
      await enqueueBankMatch(transaction, { merchantId, mode }, null);
    }
    const object = { objectType: 'merchant', objectId: merchantId, before, after };
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: 'settlements.bank_matching_changed',
      ...object,
    };
    await appendAuditEntry(transaction, auditKeys, entry, now);
    return { kind: 'changed' };
  });
}

function jsonOf(matching: BankMatching | null): JsonValue {
  if (matching === null) return null;
  return { tolerance: addDecimals(matching.tolerance), days: matching.days, workingDays: matching.workingDays };
}

const AMOUNT = /^\d{1,7}(?:\.\d{1,6})?$/;

function refusalOf({
  tolerance,
  days,
  workingDays,
}: BankMatching): { readonly field: keyof BankMatching; readonly why: string } | null {
  const { toleranceMax, daysMax, workingDaysMax } = BANK_MATCHING_LIMITS;
  if (!AMOUNT.test(tolerance) || compareDecimals(tolerance, String(toleranceMax)) > 0) {
    return { field: 'tolerance', why: `Enter an amount up to ${toleranceMax}, with six decimals at most.` };
  }
  if (!isCount(days, daysMax)) return { field: 'days', why: `Enter 0 to ${daysMax} days.` };
  if (!isCount(workingDays, workingDaysMax)) return { field: 'workingDays', why: `Enter 0 to ${workingDaysMax} days.` };
  return null;
}

function isCount(value: number, max: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= max;
}
