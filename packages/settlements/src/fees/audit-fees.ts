import type { SettlementIgnoreRule } from '@switchyard/db/client';
import { addDecimals, compareDecimals, magnitude, subtractDecimals } from '@switchyard/db/decimals';
import { type CardOrigin, computeFee, type FeeComputation, type FeeSchedule } from '@switchyard/routing';
import { lockConfiguration, raiseConfigurationRevision, readRevision } from '@switchyard/runtime';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { contractAt, type FeeContract } from '@switchyard/runtime/fee-contracts';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import {
  type FoundDiscrepancy,
  readActiveRules,
  type WrittenAccount,
  type WrittenCounts,
  writeDiscrepancies,
} from '../discrepancies/write-discrepancies.ts';
import { type AttemptPlace, readPaidPage } from '../ledger/ledger-queries.ts';
import { type AccountLease, BATCH, batches, LostLease, SourceLease } from '../source-lease.ts';
import {
  type ChargedRow,
  type PaymentFeeRow,
  readCharged,
  readChargedRates,
  withoutFees,
  writePaymentFees,
} from './fee-queries.ts';
import { bandAt } from './figures.ts';

/** A payment whose fee is audited. Amounts are exact decimals of the main unit. */
export interface ChargedPayment {
  /** Received with it. */
  readonly amount: string;
  readonly method: string | null;
  /** The gateway's fee as it came with the payment; null where it reports none. */
  readonly reported: string | null;
  /** Taken off in settlements as fees; null while it is not settled. */
  readonly settledFee: string | null;
  /** The same as other charges of the payment: stamp duty. */
  readonly settledDuty: string;
  /** Where the card is from; null where it is not known. */
  readonly cardOrigin: CardOrigin | null;
}

/** The price that a payment should have had, and what it had. */
interface AuditedFee {
  readonly computation: FeeComputation;
  /** True where the gateway charged its fee on amount and fee, because the customer bore it. */
  readonly onTop: boolean;
  /** Origin of the card, where it is known; else `international` where that price was charged. */
  readonly origin: CardOrigin | null;
  readonly expected: string;
  /** Null where the gateway reported no fee and it is not settled. */
  readonly charged: string | null;
  /** Charged above what was expected, negative below; 0 within the tolerance. */
  readonly excess: string;
}

/**
 * Compares what a payment was charged with its contract. What was settled counts, and until then what the gateway reported with the
 * payment, without stamp duty, which no gateway reports there. Where it is not known whether a card is international, or whether the
 * customer bore the fee, a charge that is exactly as agreed for one of both is as agreed.
 */
export function auditFee(
  { schedule, tolerance }: { readonly schedule: FeeSchedule; readonly tolerance: string },
  { amount, method, reported, settledFee, settledDuty, cardOrigin }: ChargedPayment,
): AuditedFee {
  const isSettled = settledFee !== null;
  const duty = hasStampDuty(schedule) ? settledDuty : '0';
  const charged = isSettled ? addDecimals(settledFee, duty) : reported;
  const price = (onTop: boolean, origin: CardOrigin | null) => {
    const base = onTop && charged !== null ? addDecimals(amount, charged) : amount;
    const computed = computeFee(schedule, { amount: hundredths(base), method, origin });
    const computation = isSettled ? computed : { ...computed, stampDuty: 0, total: computed.total - computed.stampDuty };
    return { computation, onTop, origin, expected: decimalOf(computation.total) };
  };
  const usual = price(false, cardOrigin);
  if (charged === null) return { ...usual, charged, excess: '0' };
  const isAsAgreed = ({ expected }: { readonly expected: string }) =>
    compareDecimals(magnitude(subtractDecimals(charged, expected)), tolerance) <= 0;
  const isPriceByOrigin = (method ?? 'CARD') === 'CARD' && hasInternationalPrice(schedule);
  const prices = [
    usual,
    price(true, cardOrigin),
    ...(isPriceByOrigin && cardOrigin === null ? [price(false, 'international'), price(true, 'international')] : []),
  ];
  const agreed = prices.find(isAsAgreed);
  if (agreed !== undefined) return { ...agreed, charged, excess: '0' };
  return { ...usual, charged, excess: subtractDecimals(charged, usual.expected) };
}

/** True if payments of some kind have stamp duty beside their fee. */
export function hasStampDuty(schedule: FeeSchedule): boolean {
  return schedule.stampDuty !== undefined || (schedule.exceptions ?? []).some(({ stampDuty }) => stampDuty !== undefined);
}

function hasInternationalPrice({ exceptions = [] }: FeeSchedule): boolean {
  return exceptions.some(({ origin }) => origin === 'international');
}

/** A positive amount in hundredths of the main unit, rounded half up. */
function hundredths(amount: string): number {
  const [whole = '0', fraction = ''] = amount.split('.');
  const thousandths = BigInt(whole) * 1_000n + BigInt(fraction.padEnd(3, '0').slice(0, 3));
  return Number((thousandths + 5n) / 10n);
}

/** Hundredths of the main unit as an exact decimal. */
export function decimalOf(amount: number): string {
  const digits = BigInt(amount).toString().padStart(3, '0');
  return addDecimals(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Rates are of the payments of this time. */
const SINCE_MS = 90 * 24 * 3_600_000;
/** Fewer payments than this say little: the contract prices such a cell. */
const PAYMENTS_MIN = 30;

/** Writes what the account was charged lately, for rules that rank by it. Processes read it again only where a rate changed. */
async function updateEffectiveRates(context: SettlementContext, account: WrittenAccount): Promise<void> {
  const { database, configuration } = context.resources;
  const { merchantId, accountId } = account;
  const now = context.now();
  const since = new Date(now.getTime() - SINCE_MS);
  const found = await readChargedRates(database, account, { since, minPayments: PAYMENTS_MIN });
  const key = (rate: { currency: string; method: string; amountFrom: bigint; rateMillionths: number }) =>
    `${rate.currency} ${rate.method} ${rate.amountFrom} ${rate.rateMillionths}`;
  const rates = found.map(({ band, ...rate }) => {
    const { from, to } = bandAt(band);
    return { ...rate, amountFrom: BigInt(from), amountTo: to === null ? null : BigInt(to) };
  });
  const revision = await database.prisma.$transaction(async (transaction) => {
    if (!(await lockConfiguration(transaction, merchantId))) return null;
    const before = await transaction.effectiveRate.findMany({ where: { merchantId, accountId } });
    await transaction.effectiveRate.deleteMany({ where: { merchantId, accountId } });
    await transaction.effectiveRate.createMany({ data: rates.map((rate) => ({ ...rate, merchantId, accountId })) });
    const known = new Set(before.map(key));
    if (before.length === rates.length && rates.every((rate) => known.has(key(rate)))) return null;
    return raiseConfigurationRevision(transaction, merchantId);
  });
  if (revision !== null) await readRevision(configuration, merchantId, revision);
}

const DAY_MS = 24 * 3_600_000;
/** How long a checkout may be open before it is paid: attempts of this time are looked at again. */
const OPEN_MAX_MS = 7 * DAY_MS;
/** How long before an audit a contract may have been entered that it did not know of yet. */
const UNREAD_MS = 60_000;

/** Result of auditing an account's fees. */
export type AuditFeesOutcome =
  | { readonly kind: 'audited'; readonly found: number; readonly resolved: number }
  /** Another process reads, matches or audits the account. */
  | { readonly kind: 'busy' }
  /** The merchant has no such account, or it never had a contract. */
  | { readonly kind: 'not_found' };

/** An account's audit, for the process that has its lease; null where it never had a contract. */
export async function openFeeAudit(
  context: SettlementContext,
  lease: Pick<AccountLease, 'key' | 'renew' | 'confirm'>,
): Promise<FeeAudit | null> {
  const { database, configuration } = context.resources;
  const { merchantId, accountId } = lease.key;
  const known = configuration.account(accountId);
  if (known === undefined || known.merchant.merchant.id !== merchantId) return null;
  const contracts = known.merchant.feeContracts.filter((contract) => contract.accountId === accountId);
  if (contracts.length === 0) return null;
  const { mode, gateway } = known.account;
  return {
    context,
    lease,
    account: { ...lease.key, mode, gateway },
    contracts,
    rules: await readActiveRules(database, lease.key),
  };
}

/**
 * Audits the fees of payments that were not yet, of all since a contract that was entered meanwhile, and once a day what the account was
 * charged lately. Those of settled payments are audited when their lines are linked.
 */
export async function auditFees(context: SettlementContext, key: AccountKey): Promise<AuditFeesOutcome> {
  await context.resources.configuration.ready();
  const lease = await SourceLease.take(context, key);
  if (lease === null) return { kind: 'busy' };
  try {
    const audit = await openFeeAudit(context, lease);
    return audit === null ? { kind: 'not_found' } : { kind: 'audited', ...(await auditAll(audit, lease)) };
  } catch (error) {
    if (error instanceof LostLease) return { kind: 'busy' };
    throw error;
  } finally {
    await lease.release();
  }
}

async function auditAll(audit: FeeAudit, lease: SourceLease): Promise<{ readonly found: number; readonly resolved: number }> {
  const { context, account, contracts } = audit;
  const { database } = context.resources;
  const now = context.now();
  const { feesTo, feesAt } = await lease.read();
  const enteredFrom = feesAt === null ? 0 : feesAt.getTime() - UNREAD_MS;
  const entered = contracts.filter(({ createdAt }) => createdAt.getTime() > enteredFrom);
  const changedFrom = entered.reduce(
    (first, { appliesFrom }) => Math.min(first, appliesFrom.getTime()),
    Number.POSITIVE_INFINITY,
  );
  const overlap = (feesTo?.getTime() ?? Number.POSITIVE_INFINITY) - OPEN_MAX_MS;
  const from = new Date(Math.max(0, Math.min(changedFrom - OPEN_MAX_MS, overlap)));
  const counts = { found: 0, resolved: 0 };
  for (let after: AttemptPlace | null = null; ; ) {
    const page: (AttemptPlace & { readonly paymentId: string })[] = await readPaidPage(
      database,
      account,
      { from, to: now },
      after,
      BATCH,
    );
    const paymentIds = [...new Set(page.map(({ paymentId }) => paymentId))];
    const due = entered.length > 0 ? paymentIds : await withoutFees(database, account.merchantId, paymentIds);
    const { found, resolved } = await auditPayments(audit, due);
    counts.found += found;
    counts.resolved += resolved;
    after = page.at(-1) ?? null;
    if (page.length < BATCH) break;
    await lease.renew();
  }
  const isNewDay = feesAt === null || calendarDay(feesAt, SETTLEMENT_ZONE) < calendarDay(now, SETTLEMENT_ZONE);
  if (isNewDay || entered.length > 0) await updateEffectiveRates(context, account);
  await lease.write(database.prisma, { feesTo: now, feesAt: now });
  return counts;
}

const TRANSACTION_LIMITS = { timeout: 30_000, maxWait: 10_000 };

/** An account whose fees are audited, by the process that has its lease. */
interface FeeAudit {
  readonly context: SettlementContext;
  readonly lease: Pick<AccountLease, 'key' | 'renew' | 'confirm'>;
  readonly account: WrittenAccount;
  /** The merchant's. */
  readonly contracts: readonly FeeContract[];
  readonly rules: readonly SettlementIgnoreRule[];
}

/** Compares the fees of these payments with the contracts of when they were paid, and opens a discrepancy for each overcharge. */
export async function auditPayments(audit: FeeAudit, paymentIds: readonly string[]): Promise<WrittenCounts> {
  const { context, lease, account, rules } = audit;
  const { database } = context.resources;
  let counts: WrittenCounts = { found: 0, resolved: 0 };
  for (const some of batches(paymentIds)) {
    const rows = (await readCharged(database, account, some)).map((row) => auditPayment(audit, row));
    if (rows.length === 0) continue;
    await lease.renew();
    const { found, resolved } = await database.prisma.$transaction(async (transaction) => {
      await lease.confirm(transaction);
      await writePaymentFees(transaction, account, rows);
      const subjects = rows.map(({ paymentId }) => `fee/${paymentId}`);
      return writeDiscrepancies(context, transaction, account, { subjects, found: rows.flatMap(overcharge), rules });
    }, TRANSACTION_LIMITS);
    counts = { found: counts.found + found, resolved: counts.resolved + resolved };
  }
  return counts;
}

function auditPayment({ contracts, account }: FeeAudit, row: ChargedRow): PaymentFeeRow {
  const contract = contractAt(contracts, account.accountId, row.paidAt);
  const settled = row.settledFee;
  if (contract === null || contract.schedule === null) {
    const charged = settled ?? row.reported;
    return { ...row, contractId: null, expected: null, settled, charged, excess: '0' };
  }
  const { schedule, tolerance } = contract;
  const { expected, charged, excess } = auditFee({ schedule, tolerance }, row);
  return { ...row, contractId: contract.contractId, expected, settled: settled === null ? null : charged, charged, excess };
}

function overcharge({ paymentId, currency, expected, charged, excess, settlementId }: PaymentFeeRow): FoundDiscrepancy[] {
  if (compareDecimals(excess, '0') <= 0) return [];
  const amounts = { expected, settled: charged, expectedOn: null };
  const about = { settlementId, lineId: null, lineKind: null, paymentId, refundId: null, disputeId: null };
  return [{ subject: `fee/${paymentId}`, kind: 'OVERCHARGED', currency, ...amounts, ...about }];
}
