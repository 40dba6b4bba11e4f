import { enqueueJob, isUuid, type JsonValue } from '@switchyard/db';
import type { Prisma, SettlementDiscrepancyKind, SettlementLine } from '@switchyard/db/client';
import { sameDecimal } from '@switchyard/db/decimals';
import { dayText } from '@switchyard/runtime/calendar-days';
import { appendEntry } from '../audit.ts';
import { refundsFromWallet } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readEntries } from '../intake/read-entries.ts';
import { findByReference, findByTransaction } from '../ledger/ledger-queries.ts';
import { sumExplained } from '../ledger/line-queries.ts';
import type { EntryKind, LedgerEntry } from '../matching/entries.ts';

/** Money of the ledger that a line can be linked to. Amounts are exact decimals of the main unit, negative where they were deducted. */
export interface LinkableEntry {
  /** As a discrepancy's: `payment/<id>`, `refund/<id>`. */
  readonly subject: string;
  readonly kind: EntryKind;
  readonly paymentId: string;
  readonly merchantOrderId: string;
  readonly amount: string;
  readonly currency: string;
  readonly fee: string | null;
  readonly occurredAt: Date;
}

const FOUND_MAX = 50;

/**
 * Candidates for a line of its account, by an order id, a payment's id, or a reference or transaction id of ours or of the gateway's; empty
 * where the text is none. Of an empty text those of the line's amount that are missing. Null when none of these merchants has the line.
 */
export async function findLinkable(
  context: SettlementContext,
  { merchantIds, lineId, text }: { readonly merchantIds: readonly string[]; readonly lineId: string; readonly text: string },
): Promise<LinkableEntry[] | null> {
  const { database } = context.resources;
  const line = await database.prisma.settlementLine.findFirst({ where: { merchantId: { in: [...merchantIds] }, id: lineId } });
  if (line === null) return null;
  const { merchantId } = line;
  if (text === '') return nameOrders(context, merchantId, await findMissing(context, line));
  const [byReference, byTransaction, byOrder] = await Promise.all([
    findByReference(database, line, [text]),
    findByTransaction(database, line, [text], new Date(0)),
    database.prisma.payment.findMany({
      where: { merchantId, OR: [{ merchantOrderId: text }, ...(isUuid(text) ? [{ id: text }] : [])] },
      select: { id: true },
      take: FOUND_MAX,
    }),
  ]);
  const paymentIds = new Set([
    ...byReference.map(({ paymentId }) => paymentId),
    ...byTransaction,
    ...byOrder.map(({ id }) => id),
  ]);
  return nameOrders(context, merchantId, await readOf(context, line, [...paymentIds].slice(0, FOUND_MAX)));
}

async function nameOrders(
  { resources }: SettlementContext,
  merchantId: string,
  entries: readonly LedgerEntry[],
): Promise<LinkableEntry[]> {
  const orders = await resources.database.prisma.payment.findMany({
    where: { merchantId, id: { in: entries.map(({ paymentId }) => paymentId) } },
    select: { id: true, merchantOrderId: true },
  });
  const orderOf = new Map(orders.map(({ id, merchantOrderId }) => [id, merchantOrderId]));
  return entries.map(({ subject, kind, paymentId, amount, currency, fee, occurredAt }) => {
    return { subject, kind, paymentId, merchantOrderId: orderOf.get(paymentId) ?? '', amount, currency, fee, occurredAt };
  });
}

const IS_MISSING: readonly SettlementDiscrepancyKind[] = ['MISSING', 'LATE'];
/** A fee takes less than this part of an amount. */
const FEE_SHARE_MAX = 0.1;

/** Missing or late entries of a line's account and currency whose amount, before or after the fee, is that of the line; the newest first. */
async function findMissing(context: SettlementContext, line: SettlementLine): Promise<LedgerEntry[]> {
  const { merchantId, accountId, currency, amount } = line;
  const least = amount.isNegative() ? amount : amount.mul(1 - FEE_SHARE_MAX);
  const missing = await context.resources.database.prisma.settlementDiscrepancy.findMany({
    where: {
      merchantId,
      accountId,
      currency,
      state: 'OPEN',
      kind: { in: [...IS_MISSING] },
      expected: { gte: least, lte: amount },
    },
    select: { subject: true, paymentId: true, expected: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: FOUND_MAX,
  });
  const expectedOf = new Map(missing.map(({ subject, expected }) => [subject, expected?.toFixed() ?? '']));
  const entries = await readOf(context, line, [...new Set(missing.flatMap(({ paymentId }) => paymentId ?? []))]);
  const isEqual = (other: string) => other !== '' && sameDecimal(other, amount.toFixed());
  return entries.filter(
    (entry) => expectedOf.has(entry.subject) && [entry.amount, expectedOf.get(entry.subject) ?? ''].some(isEqual),
  );
}

/** A line that is not matched, and missing money of the ledger of the same amount. */
export interface LinkablePair {
  readonly lineId: string;
  readonly settlementId: string;
  readonly settlementReference: string;
  /** Day of the payout, `YYYY-MM-DD`; null while it is not known. */
  readonly settledOn: string | null;
  readonly entry: LinkableEntry;
}

/**
 * The pairs that would close a discrepancy: of a line that is not matched, the missing entries of its amount; of a missing entry, the lines
 * of its amount, before or after its fee. Null when none of these merchants has the discrepancy.
 */
export async function findPairs(
  context: SettlementContext,
  { merchantIds, discrepancyId }: { readonly merchantIds: readonly string[]; readonly discrepancyId: string },
): Promise<LinkablePair[] | null> {
  const { prisma } = context.resources.database;
  const where = { merchantId: { in: [...merchantIds] }, id: discrepancyId };
  const discrepancy = await prisma.settlementDiscrepancy.findFirst({ where });
  if (discrepancy === null) return null;
  const { merchantId, accountId, currency, kind, lineId, paymentId, subject, expected, state } = discrepancy;
  if (state !== 'OPEN') return [];
  if (kind === 'UNMATCHED' && lineId !== null) {
    const line = await prisma.settlementLine.findUnique({ where: { merchantId_id: { merchantId, id: lineId } } });
    return line === null ? [] : pairsOf(context, merchantId, [line], await findMissing(context, line));
  }
  if (!IS_MISSING.includes(kind) || paymentId === null) return [];
  const entry = (await readOf(context, discrepancy, [paymentId])).find((each) => each.subject === subject);
  if (entry === undefined) return [];
  const lines = await prisma.settlementLine.findMany({
    where: {
      merchantId,
      accountId,
      currency,
      linkedBy: null,
      kind: { not: 'RESIDUE' },
      amount: { in: [entry.amount, expected?.toFixed() ?? entry.amount] },
    },
    orderBy: { id: 'desc' },
    take: FOUND_MAX,
  });
  return pairsOf(context, merchantId, lines, [entry]);
}

async function pairsOf(
  context: SettlementContext,
  merchantId: string,
  lines: readonly SettlementLine[],
  entries: readonly LedgerEntry[],
): Promise<LinkablePair[]> {
  const named = await nameOrders(context, merchantId, entries);
  const settlements = await context.resources.database.prisma.settlement.findMany({
    where: { merchantId, id: { in: lines.map(({ settlementId }) => settlementId) } },
    select: { id: true, reference: true, settledOn: true },
  });
  return lines.flatMap(({ id, settlementId }) => {
    const settlement = settlements.find((one) => one.id === settlementId);
    if (settlement === undefined) return [];
    const settledOn = settlement.settledOn === null ? null : dayText(settlement.settledOn);
    return named.map((entry) => ({ lineId: id, settlementId, settlementReference: settlement.reference, settledOn, entry }));
  });
}

/** A line to link, and the actor. */
export interface LinkCommand {
  readonly merchantId: string;
  readonly lineId: string;
  /** `staff:<id>`. */
  readonly actor: string;
}

/** Result of linking a line, or the reason why it was refused. */
export type LinkOutcome =
  | { readonly kind: 'changed' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'refused'; readonly why: string };

/** Links a line that is not matched to an entry of its account, of the same currency; what is open is judged again within a minute. */
export function linkLine(
  context: SettlementContext,
  { entry: wanted, ...command }: LinkCommand & { readonly entry: { readonly subject: string; readonly paymentId: string } },
): Promise<LinkOutcome> {
  return change(context, command, 'settlements.line_linked', async (line) => {
    if (line.linkedBy === 'STAFF' && line.subjects.length === 1 && line.subjects[0] === wanted.subject) return null;
    if (line.linkedBy !== null) return { refused: 'It is matched already.' };
    if (line.kind === 'RESIDUE') return { refused: 'A residue is of nothing: the gateway does not explain it.' };
    const entry = (await readOf(context, line, [wanted.paymentId])).find(({ subject }) => subject === wanted.subject);
    if (entry === undefined) return { refused: 'The account has no such payment or refund.' };
    if (entry.currency !== line.currency) return { refused: `It is in ${entry.currency}, the line in ${line.currency}.` };
    const { subject, paymentId, refundId, disputeId } = entry;
    return { linkedBy: 'STAFF', subjects: [subject], paymentId, refundId, disputeId };
  });
}

/** Undoes a link that staff made; what matching makes of the line then, it makes by itself. */
export function unlinkLine(context: SettlementContext, command: LinkCommand): Promise<LinkOutcome> {
  return change(context, command, 'settlements.line_unlinked', (line) => {
    if (line.linkedBy === null) return null;
    if (line.linkedBy !== 'STAFF') return { refused: 'It was matched by what the gateway says, not by staff.' };
    return { linkedBy: null, subjects: [], paymentId: null, refundId: null, disputeId: null };
  });
}

type Link = Pick<SettlementLine, 'linkedBy' | 'subjects' | 'paymentId' | 'refundId' | 'disputeId'>;
/** A change, null for none, or why it is refused. */
type Decision = Link | { readonly refused: string } | null;

function change(
  context: SettlementContext,
  { merchantId, lineId, actor }: LinkCommand,
  action: string,
  decide: (line: SettlementLine) => Decision | Promise<Decision>,
): Promise<LinkOutcome> {
  const { database } = context.resources;
  return database.prisma.$transaction(async (transaction): Promise<LinkOutcome> => {
    const before = await lockLine(transaction, merchantId, lineId);
    if (before === null) return { kind: 'not_found' };
    const decided = await decide(before);
    if (decided === null) return { kind: 'unchanged' };
    if ('refused' in decided) return { kind: 'refused', why: decided.refused };
    const { accountId, settlementId } = before;
    await transaction.settlementLine.update({ where: { merchantId_id: { merchantId, id: lineId } }, data: decided });
    await sumExplained(transaction, merchantId, settlementId, context.now());
    const object = { objectType: 'settlement_line', objectId: lineId, before: audited(before), after: audited(decided) };
    const entry = { tenantId: merchantId, entryId: context.newId(), actor, action, ...object };
    await appendEntry(context, transaction, entry, context.now());
    // Where the account is being matched, the schedule finds it due.
    await transaction.settlementSource.updateMany({ where: { merchantId, accountId }, data: { matchedAt: null } });
    const key = { key: `read-settlements:${accountId}`, keepsJob: true };
    await enqueueJob(transaction, 'read-settlements', { merchantId, accountId }, key);
    return { kind: 'changed' };
  });
}

function audited({ linkedBy, subjects }: Pick<Link, 'linkedBy' | 'subjects'>): JsonValue {
  return { linkedBy, subjects: [...subjects] };
}

async function lockLine(transaction: Prisma.TransactionClient, merchantId: string, id: string): Promise<SettlementLine | null> {
  const locked = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id FROM settlement_line WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  if (locked.length === 0) return null;
  return transaction.settlementLine.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

function readOf(
  context: SettlementContext,
  line: Pick<SettlementLine, 'merchantId' | 'accountId'>,
  paymentIds: readonly string[],
): Promise<LedgerEntry[]> {
  const { database, configuration } = context.resources;
  const known = configuration.account(line.accountId);
  const expectation = {
    workingDays: 0,
    holidays: [],
    known: [],
    refundsFromWallet: refundsFromWallet(known?.account.gateway ?? ''),
    contracts: known?.merchant.feeContracts ?? [],
  };
  return readEntries(database, line, paymentIds, expectation);
}
