import type { Database } from '@switchyard/db';
import { isDay } from '@switchyard/runtime/calendar-days';
import type { SettlementContext } from '../context.ts';

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

/** The matching of a merchant without a setting of its own. */
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

/** A stored setting. */
export function toMatching(row: {
  readonly tolerance: { toFixed(): string };
  readonly days: number;
  readonly workingDays: number;
}) {
  return { tolerance: row.tolerance.toFixed(), days: row.days, workingDays: row.workingDays };
}

/** Shorter references are parts of other numbers. */
const REFERENCE_MIN = 5;

/** Letters and digits of a text in upper case, in words. */
export function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The words by which a bank's text names a payout; none where its reference is short or a day, which are in many texts. */
export function namingWords({ reference }: { readonly reference: string }): readonly string[] {
  const words = wordsOf(reference);
  return words.join('').length < REFERENCE_MIN || isDay(reference.trim()) ? [] : words;
}

/** The bank's text of a line. */
interface Text {
  readonly text: string;
}

/** True if the bank's text names the payout's gateway. */
export function namesGateway({ text }: Text, { gateway }: { readonly gateway: string }): boolean {
  return text.toUpperCase().includes(gateway.toUpperCase());
}

/** True if a credit names a gateway of which payouts were known on its day. */
export function isOfGateway(
  credit: Text & { readonly bookedOn: string },
  gateway: string,
  firstPayouts: ReadonlyMap<string, string>,
): boolean {
  const first = firstPayouts.get(gateway);
  return first !== undefined && credit.bookedOn >= first && namesGateway(credit, { gateway });
}
