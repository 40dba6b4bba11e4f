import { canonicalJson, type JsonValue } from '@switchyard/db';
import { addDecimals, compareDecimals } from '@switchyard/db/decimals';
import { appendEntry } from '../audit.ts';
import type { SettlementContext } from '../context.ts';
import { BANK_MATCHING_LIMITS, type BankMatching, toMatching } from './matching.ts';
import { enqueueBankMatch } from './request-bank-match.ts';

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
  const { database, configuration } = context.resources;
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
    await appendEntry(context, transaction, entry, now);
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
