import type { Database } from '@switchyard/db';
import type {
  Mode,
  Prisma,
  SettlementDiscrepancy,
  SettlementDiscrepancyKind,
  SettlementIgnoreRule,
  SettlementLineKind,
} from '@switchyard/db/client';
import { compareDecimals, magnitude, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { dateOf, dayText } from '@switchyard/runtime/calendar-days';
import { auditDiscrepancy, SETTLEMENTS_ACTOR } from '../audit.ts';
import type { AccountKey, SettlementContext } from '../context.ts';
import type { StoredLine, UnmatchedLine } from '../ledger/line-queries.ts';
import { expectedDay } from '../matching/entries.ts';
import type { EntryResult, EntryState } from '../matching/match-settlement-lines.ts';
import { batches } from '../source-lease.ts';

/** The account whose discrepancies are written. */
export interface WrittenAccount extends AccountKey {
  readonly mode: Mode;
  readonly gateway: string;
}

/** How many discrepancies were found for the first time or again, and how many are resolved because nothing is open any more. */
export interface WrittenCounts {
  readonly found: number;
  readonly resolved: number;
}

/**
 * Writes what was found about these subjects and resolves what is no longer. One that people closed stays so while its facts are the same;
 * one that a rule covers is closed under it.
 *
 * @param subjects all that were looked at
 */
export async function writeDiscrepancies(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  account: WrittenAccount,
  {
    subjects,
    found,
    rules,
  }: {
    readonly subjects: readonly string[];
    readonly found: readonly FoundDiscrepancy[];
    readonly rules: readonly SettlementIgnoreRule[];
  },
): Promise<WrittenCounts> {
  const { merchantId, accountId } = account;
  const now = context.now();
  const rows: SettlementDiscrepancy[] = [];
  for (const some of batches(subjects)) {
    const where = { merchantId, accountId, subject: { in: some } };
    rows.push(...(await transaction.settlementDiscrepancy.findMany({ where })));
  }
  const stored = new Map(rows.map((row) => [row.subject, row]));
  const isFound = new Set(found.map(({ subject }) => subject));
  const added = found.filter(({ subject }) => !stored.has(subject));
  await insertFound(context, transaction, account, added, rules);
  let reopened = 0;
  for (const each of found) {
    const before = stored.get(each.subject);
    if (before !== undefined && (await rewrite(context, transaction, before, each, findRule(rules, each)))) reopened += 1;
  }
  const settled = rows.filter(({ state, subject }) => state === 'OPEN' && !isFound.has(subject)).map(({ id }) => id);
  const resolution = { state: 'RESOLVED', resolvedBy: SETTLEMENTS_ACTOR, resolvedAt: now, resolution: SETTLED } as const;
  for (const some of batches(settled)) {
    const where = { merchantId, id: { in: some } };
    await transaction.settlementDiscrepancy.updateMany({ where, data: resolution });
  }
  return { found: added.length + reopened, resolved: settled.length };
}

const SETTLED = 'As expected since.';

/** Writes those that are found for the first time. One parameter for all: Prisma takes seconds for those of a thousand rows. */
async function insertFound(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, mode, gateway }: WrittenAccount,
  found: readonly FoundDiscrepancy[],
  rules: readonly SettlementIgnoreRule[],
): Promise<void> {
  const now = context.now();
  for (const some of batches(found)) {
    const rows = some.map((each) => ({ ...each, ...closedBy(findRule(rules, each), now), id: context.newId() }));
    await transaction.$executeRaw`
      INSERT INTO settlement_discrepancy (merchant_id, account_id, mode, gateway, id, subject, kind, state, currency, expected, settled,
        expected_on, settlement_id, line_id, payment_id, refund_id, dispute_id, resolved_by, resolved_at, resolution, created_at)
      SELECT ${merchantId}::uuid, ${accountId}::uuid, ${mode}::mode, ${gateway}, found.id, subject, found.kind::settlement_discrepancy_kind,
        state::discrepancy_state, currency, expected, settled, "expectedOn", "settlementId", "lineId", "paymentId", "refundId", "disputeId",
        "resolvedBy", "resolvedAt", resolution, ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS found(id uuid, subject text, kind text, state text, currency text,
        expected numeric, settled numeric, "expectedOn" date, "settlementId" uuid, "lineId" uuid, "paymentId" uuid, "refundId" uuid,
        "disputeId" uuid, "resolvedBy" text, "resolvedAt" timestamptz, resolution text)`;
  }
}

/** Writes an earlier discrepancy that was found again. True if that opened it. */
async function rewrite(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  before: SettlementDiscrepancy,
  found: FoundDiscrepancy,
  rule: SettlementIgnoreRule | null,
): Promise<boolean> {
  const now = context.now();
  const isSame = hasSameFacts(before, found);
  const isOpen = before.state === 'OPEN';
  if (isSame && (isOpen ? rule === null : before.resolvedBy !== SETTLEMENTS_ACTOR)) return false;
  const closing = closedBy(rule, now);
  const after = await transaction.settlementDiscrepancy.update({
    where: { merchantId_id: { merchantId: before.merchantId, id: before.id } },
    data: { ...factsOf(found), ...closing },
  });
  const isReopened = !isOpen && after.state === 'OPEN';
  if (isReopened && before.resolvedBy?.startsWith('staff:')) {
    const change = { action: 'settlements.reopened', actor: SETTLEMENTS_ACTOR, before, after };
    await auditDiscrepancy(context, transaction, change, now);
  }
  return isReopened;
}

function factsOf({
  kind,
  currency,
  expected,
  settled,
  expectedOn,
  settlementId,
  lineId,
  paymentId,
  refundId,
  disputeId,
}: FoundDiscrepancy) {
  const day = expectedOn === null ? null : dateOf(expectedOn);
  return { kind, currency, expected, settled, expectedOn: day, settlementId, lineId, paymentId, refundId, disputeId };
}

/** Closed under a rule, or open. */
function closedBy(rule: SettlementIgnoreRule | null, now: Date) {
  if (rule === null) return { state: 'OPEN', resolvedBy: null, resolvedAt: null, resolution: null } as const;
  return { state: 'EXPLAINED', resolvedBy: `rule:${rule.id}`, resolvedAt: now, resolution: rule.reason } as const;
}

function hasSameFacts(stored: SettlementDiscrepancy, found: FoundDiscrepancy): boolean {
  return (
    stored.kind === found.kind &&
    isSameAmount(stored.expected, found.expected) &&
    isSameAmount(stored.settled, found.settled) &&
    (stored.expectedOn === null ? null : dayText(stored.expectedOn)) === found.expectedOn
  );
}

function isSameAmount(stored: Prisma.Decimal | null, found: string | null): boolean {
  if (stored === null || found === null) return stored === null && found === null;
  return sameDecimal(stored.toFixed(), found);
}

const RULES_MAX = 500;

/** The rules that apply to an account, the oldest first. */
export function readActiveRules({ prisma }: Database, { merchantId, accountId }: AccountKey): Promise<SettlementIgnoreRule[]> {
  return prisma.settlementIgnoreRule.findMany({
    where: { merchantId, endedAt: null, OR: [{ accountId: null }, { accountId }] },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: RULES_MAX,
  });
}

/** The first rule that covers a discrepancy; null without one. */
function findRule(rules: readonly SettlementIgnoreRule[], found: FoundDiscrepancy): SettlementIgnoreRule | null {
  const amount = amountInQuestion(found);
  const covers = ({ kind, lineKind, amountMax }: SettlementIgnoreRule) =>
    kind === found.kind &&
    (lineKind === null || lineKind === found.lineKind) &&
    compareDecimals(amount, amountMax.toFixed()) <= 0;
  return rules.find(covers) ?? null;
}

/** A difference that matching found. Amounts are exact decimals of the main unit, after fees. */
export interface FoundDiscrepancy {
  /** Identity at its account. */
  readonly subject: string;
  readonly kind: SettlementDiscrepancyKind;
  readonly currency: string;
  readonly expected: string | null;
  readonly settled: string | null;
  readonly expectedOn: string | null;
  readonly settlementId: string | null;
  readonly lineId: string | null;
  readonly lineKind: SettlementLineKind | null;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
}

/** The difference where something was settled, else the whole amount; without a sign. */
export function amountInQuestion({ expected, settled }: Pick<FoundDiscrepancy, 'expected' | 'settled'>): string {
  return magnitude(subtractDecimals(settled ?? '0', expected ?? '0'));
}

const KINDS: Readonly<Record<EntryState, SettlementDiscrepancyKind | null>> = {
  undecided: null,
  expected: null,
  settled: null,
  late: 'LATE',
  missing: 'MISSING',
  over: 'OVER',
  under: 'UNDER',
};

/** The discrepancy of an entry; null where nothing is open. */
export function entryDiscrepancy(
  { entry, state, expected, settled }: EntryResult,
  lines: readonly StoredLine[],
): FoundDiscrepancy | null {
  const kind = KINDS[state];
  if (kind === null) return null;
  const { subject, currency, paymentId, refundId, disputeId } = entry;
  const expectedOn = expectedDay(entry, settled !== null);
  const settlementId =
    lines.toSorted((a, b) => ((a.settledOn ?? '') < (b.settledOn ?? '') ? -1 : 1)).at(-1)?.settlementId ?? null;
  const about = { paymentId, refundId, disputeId };
  return { subject, kind, currency, expected, settled, expectedOn, settlementId, lineId: null, lineKind: null, ...about };
}

/** The discrepancy of a line that nothing explains. */
export function lineDiscrepancy({ lineId, settlementId, kind, amount, currency }: UnmatchedLine): FoundDiscrepancy {
  return {
    subject: `line/${lineId}`,
    kind: 'UNMATCHED',
    currency,
    expected: null,
    settled: amount,
    expectedOn: null,
    settlementId,
    lineId,
    lineKind: kind,
    paymentId: null,
    refundId: null,
    disputeId: null,
  };
}
