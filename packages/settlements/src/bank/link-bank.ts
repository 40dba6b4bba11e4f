import { isUuid, type JsonValue } from '@switchyard/db';
import { Prisma } from '@switchyard/db/client';
import { sameDecimal } from '@switchyard/db/decimals';
import { dayText } from '@switchyard/runtime/calendar-days';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { appendEntry } from '../audit.ts';
import { accountNames, staffIdOf } from '../console/names.ts';
import type { SettlementContext } from '../context.ts';
import type { BankLink } from './match-bank.ts';
import { enqueueBankMatch } from './match-queries.ts';

/** A line of the bank and a payout, and the actor. */
export interface BankLinkCommand {
  readonly merchantId: string;
  readonly bankLineId: string;
  readonly settlementId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of linking, or the reason why it was refused. */
export type BankLinkOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Says that a line is the money of a payout, or a part of it. That stays whatever statements come, until a person undoes it. */
export function linkBankLine(context: SettlementContext, command: BankLinkCommand): Promise<BankLinkOutcome> {
  return decide(context, command, true);
}

/** Says that a line is not of a payout, whatever it looks like: matching looks for another. */
export function unlinkBankLine(context: SettlementContext, command: BankLinkCommand): Promise<BankLinkOutcome> {
  return decide(context, command, false);
}

function decide(
  context: SettlementContext,
  { merchantId, bankLineId, settlementId, actor }: BankLinkCommand,
  isLinked: boolean,
): Promise<BankLinkOutcome> {
  const { database } = context.resources;
  return database.prisma.$transaction(async (transaction): Promise<BankLinkOutcome> => {
    const key = { merchantId_bankLineId_settlementId: { merchantId, bankLineId, settlementId } };
    await transaction.$queryRaw`
      SELECT id FROM bank_line WHERE merchant_id = ${merchantId}::uuid AND id = ${bankLineId}::uuid FOR UPDATE`;
    const line = await transaction.bankLine.findUnique({ where: { merchantId_id: { merchantId, id: bankLineId } } });
    const payout = await transaction.settlement.findUnique({ where: { merchantId_id: { merchantId, id: settlementId } } });
    if (line === null || payout === null || line.mode !== payout.mode) return { kind: 'not_found' };
    const match = await transaction.bankMatch.findUnique({ where: key });
    const before = await transaction.bankDecision.findUnique({ where: key });
    if (isLinked ? before?.isLinked === true : match === null && before?.isLinked !== true) return { kind: 'unchanged' };
    const refusal = isLinked ? refusalOf(line, payout) : null;
    if (refusal !== null) return { kind: 'refused', why: refusal };
    const now = context.now();
    const decision = { isLinked, decidedBy: actor };
    await transaction.bankDecision.upsert({
      where: key,
      create: { merchantId, bankLineId, settlementId, ...decision },
      update: decision,
    });
    if (isLinked) {
      const data = { matchedBy: 'staff' };
      await transaction.bankMatch.upsert({
        where: key,
        create: { merchantId, bankLineId, settlementId, ...data, createdAt: now },
        update: data,
      });
    } else await transaction.bankMatch.deleteMany({ where: { merchantId, bankLineId, settlementId } });
    const about = { settlementId, payout: payout.reference, amount: line.amount.toFixed(), currency: line.currency };
    const entry = {
      tenantId: merchantId,
      entryId: context.newId(),
      actor,
      action: isLinked ? 'settlements.bank_linked' : 'settlements.bank_unlinked',
      objectType: 'bank_line',
      objectId: bankLineId,
      before: { ...about, matchedBy: match?.matchedBy ?? null } satisfies JsonValue,
      after: { ...about, matchedBy: isLinked ? 'staff' : null } satisfies JsonValue,
    };
    await appendEntry(context, transaction, entry, now);
    await enqueueBankMatch(transaction, { merchantId, mode: line.mode }, null);
    return { kind: 'changed' };
  });
}

function refusalOf(
  line: { readonly currency: string },
  payout: { readonly currency: string; readonly status: string; readonly net: Prisma.Decimal },
): string | null {
  if (payout.status !== 'PAID') return 'The payout is not paid.';
  if (sameDecimal(payout.net.toFixed(), '0')) return 'Nothing was paid out with it.';
  return line.currency === payout.currency ? null : `It is in ${payout.currency}, the line in ${line.currency}.`;
}

/** A line of the bank. Amounts are exact decimals of the main unit, days `YYYY-MM-DD`. */
export interface BankLineItem {
  readonly bankLineId: string;
  readonly bankAccount: string;
  readonly bookedOn: string;
  /** Negative where it left the account. */
  readonly amount: string;
  readonly currency: string;
  readonly text: string;
}

/** A line that is of a payout, and by what it was matched. */
export interface MatchedBankLine extends BankLineItem {
  readonly by: BankLink['by'];
  /** The person who matched it; null where none did. */
  readonly byName: string | null;
}

const LINES_MAX = 500;

/** The lines of the bank that are of a payout, by day; null when none of these merchants has the payout. */
export async function listBankLinesOf(
  context: SettlementContext,
  { merchantIds, settlementId }: { readonly merchantIds: readonly string[]; readonly settlementId: string },
): Promise<MatchedBankLine[] | null> {
  const { database } = context.resources;
  const payout = await database.prisma.settlement.findFirst({
    where: { merchantId: { in: [...merchantIds] }, id: settlementId },
    select: { merchantId: true },
  });
  if (payout === null) return null;
  const { merchantId } = payout;
  const matches = await database.prisma.bankMatch.findMany({ where: { merchantId, settlementId }, take: LINES_MAX });
  const ids = { in: matches.map(({ bankLineId }) => bankLineId) };
  const [lines, decisions] = await Promise.all([
    database.prisma.bankLine.findMany({ where: { merchantId, id: ids }, orderBy: [{ bookedOn: 'asc' }, { id: 'asc' }] }),
    database.prisma.bankDecision.findMany({ where: { merchantId, settlementId, bankLineId: ids, isLinked: true } }),
  ]);
  const byOf = new Map(matches.map(({ bankLineId, matchedBy }) => [bankLineId, matchedBy]));
  const staffOf = new Map(decisions.map(({ bankLineId, decidedBy }) => [bankLineId, staffIdOf(decidedBy) ?? '']));
  const names = await readStaffNames(database, [...new Set(staffOf.values())]);
  return lines.map((line): MatchedBankLine => {
    const by = byOf.get(line.id);
    return {
      bankLineId: line.id,
      bankAccount: line.bankAccount,
      bookedOn: dayText(line.bookedOn),
      amount: line.amount.toFixed(),
      currency: line.currency,
      text: line.text,
      by: by === 'staff' || by === 'reference' ? by : 'amount_and_date',
      byName: names.get(staffOf.get(line.id) ?? '') ?? null,
    };
  });
}

/** How many candidates are listed. */
const FOUND_MAX = 50;
/** Days around a payout in which lines are looked for, and the other way round, unless a text is entered. */
const DAYS_BEFORE = 5;
const DAYS_AFTER = 45;

/**
 * Lines that are of no payout and may be of this one: of its currency and the days about it, or with a text; those of the nearest amount first.
 * Null when none of these merchants has the payout.
 */
export async function findLinesForPayout(
  { resources }: SettlementContext,
  {
    merchantIds,
    settlementId,
    text,
  }: { readonly merchantIds: readonly string[]; readonly settlementId: string; readonly text: string },
): Promise<BankLineItem[] | null> {
  const { prisma } = resources.database;
  const payout = await prisma.settlement.findFirst({ where: { merchantId: { in: [...merchantIds] }, id: settlementId } });
  if (payout === null) return null;
  const { merchantId, mode, currency, settledOn } = payout;
  const net = payout.net.toFixed();
  const isWanted =
    text === ''
      ? Prisma.sql`line.booked_on BETWEEN ${settledOn}::date - ${DAYS_BEFORE}::int AND ${settledOn}::date + ${DAYS_AFTER}::int`
      : Prisma.sql`(strpos(lower(line.text), lower(${text})) > 0 OR trim_scale(line.amount)::text = ${plainAmount(text)})`;
  return prisma.$queryRaw<BankLineItem[]>`
    SELECT line.id AS "bankLineId", line.bank_account AS "bankAccount", line.booked_on::text AS "bookedOn",
      trim_scale(line.amount)::text AS amount, line.currency::text AS currency, line.text
    FROM bank_line AS line
    WHERE line.merchant_id = ${merchantId}::uuid AND line.mode = ${mode}::mode AND line.currency = ${currency} AND ${isWanted}
      AND NOT EXISTS (SELECT FROM bank_match AS match WHERE match.merchant_id = line.merchant_id AND match.bank_line_id = line.id)
    ORDER BY abs(line.amount - ${net}::numeric), abs(line.booked_on - coalesce(${settledOn}::date, line.booked_on)), line.id
    LIMIT ${FOUND_MAX}`;
}

/** A payout that a line may be of. */
export interface BankPayoutChoice {
  readonly settlementId: string;
  readonly reference: string;
  readonly accountLabel: string;
  readonly gatewayTitle: string;
  readonly settledOn: string;
  readonly net: string;
  readonly currency: string;
  /** True if something of it is known to be at the bank. */
  readonly isMatched: boolean;
}

/**
 * Payouts that a line may be of: of its currency and the days about it, or by a reference; those of the nearest amount first. Null when none of
 * these merchants has the line.
 */
export async function findPayoutsForLine(
  context: SettlementContext,
  {
    merchantIds,
    bankLineId,
    text,
  }: { readonly merchantIds: readonly string[]; readonly bankLineId: string; readonly text: string },
): Promise<BankPayoutChoice[] | null> {
  const { prisma } = context.resources.database;
  const line = await prisma.bankLine.findFirst({ where: { merchantId: { in: [...merchantIds] }, id: bankLineId } });
  if (line === null) return null;
  const { merchantId, mode, currency, bookedOn } = line;
  const amount = line.amount.toFixed();
  const isWanted =
    text === ''
      ? Prisma.sql`payout.settled_on BETWEEN ${bookedOn}::date - ${DAYS_AFTER}::int AND ${bookedOn}::date + ${DAYS_BEFORE}::int`
      : Prisma.sql`(strpos(lower(payout.reference), lower(${text})) > 0 OR trim_scale(payout.net)::text = ${plainAmount(text)}
          ${isUuid(text) ? Prisma.sql`OR payout.id = ${text}::uuid` : Prisma.empty})`;
  type Row = Omit<BankPayoutChoice, 'accountLabel' | 'gatewayTitle'> & { readonly accountId: string; readonly gateway: string };
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT payout.id AS "settlementId", payout.reference, payout.account_id AS "accountId", payout.gateway,
      payout.settled_on::text AS "settledOn", trim_scale(payout.net)::text AS net, payout.currency::text AS currency,
      EXISTS (SELECT FROM bank_match AS match WHERE match.merchant_id = payout.merchant_id AND match.settlement_id = payout.id) AS "isMatched"
    FROM settlement AS payout
    WHERE payout.merchant_id = ${merchantId}::uuid AND payout.mode = ${mode}::mode AND payout.currency = ${currency}
      AND payout.status = 'PAID' AND payout.net <> 0 AND payout.settled_on IS NOT NULL AND ${isWanted}
    ORDER BY abs(payout.net - ${amount}::numeric), abs(payout.settled_on - ${bookedOn}::date), payout.id LIMIT ${FOUND_MAX}`;
  return rows.map(({ accountId, gateway, ...payout }) => {
    const { accountLabel, gatewayTitle } = accountNames(context, { accountId, gateway });
    return { ...payout, accountLabel, gatewayTitle };
  });
}

/** An amount as it is compared: without grouping and zeros at the end. */
function plainAmount(text: string): string {
  const plain = text.replaceAll(/[,\s]/g, '');
  return /^-?\d{1,24}(\.\d{1,6})?$/.test(plain) ? new Prisma.Decimal(plain).toFixed() : plain;
}
