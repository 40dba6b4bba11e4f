import { addDays, calendarDay } from '@switchyard/runtime/calendar-days';
import { earlierDay, laterDay, readCalendars, SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { type FoundDiscrepancy, readActiveRules, writeDiscrepancies } from '../discrepancies/write-discrepancies.ts';
import { readOpenSubjects } from '../ledger/line-queries.ts';
import { isQuiet } from '../source-lease.ts';
import { type AccountCoverage, type Arrival, judgeArrivals, type PayoutWithLines, type UsedBankAccount } from './arrivals.ts';
import { type BankDecision, type BankLine, type BankLink, type BankTolerance, matchBank, type Payout } from './match-bank.ts';
import { hasStatements, readDecisions, readLastBankIntake, readLines, readPayouts, replaceMatches } from './match-queries.ts';
import { isOfGateway, namesGateway, namingWords, readBankMatching, wordsOf } from './matching.ts';
import { type BankScope, readCoverage } from './queries.ts';

/** A gateway account of the merchant. */
interface JudgedAccount {
  readonly accountId: string;
  readonly gateway: string;
  /** An arrival that differs by no more is whole; an exact decimal of the main unit. */
  readonly tolerance: string;
}

/** The bank of a merchant, as it is matched. */
interface BankState {
  /** All of the merchant and mode, the first of a gateway first. */
  readonly accounts: readonly JudgedAccount[];
  readonly payouts: readonly Payout[];
  /** Those that may be of payouts. */
  readonly lines: readonly BankLine[];
  readonly links: readonly BankLink[];
  readonly coverage: readonly AccountCoverage[];
  readonly workingDays: number;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** Discrepancies at the bank, by gateway account: payouts short, over or missing, and lines that name a gateway and are of no payout. Pure. */
function judgeBank({
  accounts,
  payouts,
  lines,
  links,
  coverage,
  workingDays,
  today,
}: BankState): ReadonlyMap<string, readonly FoundDiscrepancy[]> {
  const lineOf = new Map(lines.map((line) => [line.bankLineId, line]));
  const linksOf = Map.groupBy(links, ({ settlementId }) => settlementId);
  const matched = payouts.map((payout): PayoutWithLines & Payout => {
    const own = (linksOf.get(payout.settlementId) ?? []).flatMap(({ bankLineId }) => lineOf.get(bankLineId) ?? []);
    return { ...payout, lines: own };
  });
  const tolerances = new Map(accounts.map(({ accountId, tolerance }) => [accountId, tolerance]));
  const accountOf = new Map(payouts.map(({ settlementId, accountId }) => [settlementId, accountId]));
  const arrivals = judgeArrivals(matched, {
    coverage,
    used: usedBy(matched, lineOf),
    workingDays,
    toleranceOf: (settlementId) => tolerances.get(accountOf.get(settlementId) ?? '') ?? '0',
  });
  const linked = new Set(links.map(({ bankLineId }) => bankLineId));
  const open = lines.filter(({ bankLineId, bookedOn }) => !linked.has(bankLineId) && addDays(bookedOn, workingDays) < today);
  const firstPayouts = firstDaysOf(payouts);
  const byAccount = Map.groupBy(payouts, ({ accountId }) => accountId);
  return new Map(
    accounts.map(({ accountId, gateway }) => {
      // Lines of a gateway are worked at its first account.
      const isFirst = accounts.find((each) => each.gateway === gateway)?.accountId === accountId;
      const ofGateway = isFirst ? open.filter((line) => isOfGateway(line, gateway, firstPayouts)) : [];
      const own = byAccount.get(accountId) ?? [];
      const found = own.flatMap((payout) => payoutDiscrepancy(payout, arrivals.get(payout.settlementId)) ?? []);
      return [accountId, [...found, ...ofGateway.map(lineDiscrepancy)]];
    }),
  );
}

function usedBy(
  payouts: readonly (PayoutWithLines & Payout)[],
  lineOf: ReadonlyMap<string, BankLine>,
): readonly UsedBankAccount[] {
  const used = new Map<string, UsedBankAccount>();
  for (const { accountId, currency, settledOn, lines } of payouts) {
    for (const { bankLineId } of lines) {
      const bankAccount = lineOf.get(bankLineId)?.bankAccount ?? '';
      const key = `${accountId} ${currency} ${bankAccount}`;
      const { from, to } = used.get(key) ?? { from: settledOn, to: settledOn };
      const days = { from: earlierDay(settledOn, from), to: laterDay(settledOn, to) };
      used.set(key, { accountId, currency, bankAccount, ...days });
    }
  }
  return [...used.values()];
}

function firstDaysOf(payouts: readonly Payout[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { gateway, settledOn } of payouts) {
    if (settledOn < (first.get(gateway) ?? '9999')) first.set(gateway, settledOn);
  }
  return first;
}

const NOTHING = { lineId: null, lineKind: null, paymentId: null, refundId: null, disputeId: null };
const KINDS = {
  short: 'UNDER',
  over: 'OVER',
  missing: 'MISSING',
  arrived: null,
  on_the_way: null,
  not_covered: null,
  nothing_due: null,
} as const;

function payoutDiscrepancy({ settlementId, currency, net }: Payout, arrival: Arrival | undefined): FoundDiscrepancy | null {
  const kind = arrival === undefined ? null : KINDS[arrival.state];
  if (arrival === undefined || kind === null) return null;
  const { arrived: settled, expectedOn } = arrival;
  return { ...NOTHING, subject: `payout/${settlementId}`, kind, currency, expected: net, settled, expectedOn, settlementId };
}

function lineDiscrepancy({ bankLineId, currency, amount }: BankLine): FoundDiscrepancy {
  const facts = { currency, expected: null, settled: amount, expectedOn: null, settlementId: null };
  return { ...NOTHING, ...facts, subject: `bank/${bankLineId}`, kind: 'UNMATCHED' };
}

/** Result of matching a merchant's payouts with its bank: links that are new and that are gone, discrepancies found and resolved. */
export interface BankOutcome {
  readonly matched: number;
  readonly unmatched: number;
  readonly found: number;
  readonly resolved: number;
}

/** All that a merchant's bank is matched and judged by, but for the links. */
type BankMaterial = Omit<BankState, 'links'> & {
  readonly decisions: readonly BankDecision[];
  readonly tolerance: BankTolerance;
};

/** Reads all of a merchant's payouts, and the lines of its bank that may be of them. */
async function readBankMaterial(context: SettlementContext, scope: BankScope): Promise<BankMaterial> {
  const { configuration, database } = context.resources;
  const { merchantId, mode } = scope;
  const own = (configuration.merchant(merchantId)?.accounts ?? []).filter((account) => account.mode === mode);
  const keys = own.map(({ id: accountId, gateway }) => ({ merchantId, accountId, gateway }));
  const calendars = await readCalendars(database, keys);
  const { tolerance: amount, days, workingDays } = await readBankMatching(database, merchantId);
  const [payouts, decisions, coverage] = [
    await readPayouts(database, scope),
    await readDecisions(database, scope),
    await readCoverage(database, scope),
  ];
  const gateways = new Set(keys.map(({ gateway }) => gateway));
  return {
    accounts: keys.map(({ accountId, gateway }) => {
      return { accountId, gateway, tolerance: calendars.get(accountId)?.tolerance ?? '0' };
    }),
    payouts,
    lines: await readLines(database, scope, createRelevance(payouts, decisions, gateways)),
    coverage,
    decisions,
    workingDays,
    today: calendarDay(context.now(), SETTLEMENT_ZONE),
    tolerance: { amount, days },
  };
}

/**
 * Matches all of a merchant's payouts with the lines of its bank statements anew, so that it is the same in whatever order they came, and writes
 * what is open: payouts that are short, over or missing at the bank, and lines that name a gateway and are of no payout. While statements and
 * payouts are still coming in, nothing is judged: the next of them may be what lacks. Repeating it writes the same.
 */
export async function followBank(context: SettlementContext, scope: BankScope): Promise<BankOutcome> {
  const { configuration, database } = context.resources;
  await configuration.ready();
  if (!(await hasStatements(database, scope))) return { matched: 0, unmatched: 0, found: 0, resolved: 0 };
  const { state, ...counts } = await match(context, scope);
  const isDone = isQuiet(await readLastBankIntake(database, scope, state.accounts), context.now());
  return isDone ? { ...counts, ...(await writeOpen(context, scope, state)) } : { ...counts, found: 0, resolved: 0 };
}

/** The same, whether or not more is coming in. */
export async function matchAndJudgeBank(context: SettlementContext, scope: BankScope): Promise<void> {
  const { state } = await match(context, scope);
  await writeOpen(context, scope, state);
}

async function match(
  context: SettlementContext,
  scope: BankScope,
): Promise<{ readonly matched: number; readonly unmatched: number; readonly state: BankState }> {
  const { tolerance, decisions, ...material } = await readBankMaterial(context, scope);
  const links = matchBank({ ...material, decisions }, tolerance);
  const { added, removed } = await context.resources.database.prisma.$transaction(
    (transaction) => replaceMatches(transaction, scope, links, context.now()),
    TRANSACTION_LIMITS,
  );
  return { matched: added, unmatched: removed, state: { ...material, links } };
}

const TRANSACTION_LIMITS = { timeout: 60_000, maxWait: 10_000 };

async function writeOpen(
  context: SettlementContext,
  { merchantId, mode }: BankScope,
  state: BankState,
): Promise<{ readonly found: number; readonly resolved: number }> {
  const { database } = context.resources;
  const found = judgeBank(state);
  let counts = { found: 0, resolved: 0 };
  for (const { accountId, gateway } of state.accounts) {
    const key = { merchantId, accountId };
    const own = found.get(accountId) ?? [];
    const open = await readOpenSubjects(database, key, ['payout/', 'bank/']);
    const subjects = [...new Set([...open, ...own.map(({ subject }) => subject)])];
    if (subjects.length === 0) continue;
    const rules = await readActiveRules(database, key);
    const written = await database.prisma.$transaction(
      (transaction) => writeDiscrepancies(context, transaction, { ...key, mode, gateway }, { subjects, found: own, rules }),
      TRANSACTION_LIMITS,
    );
    counts = { found: counts.found + written.found, resolved: counts.resolved + written.resolved };
  }
  return counts;
}

/**
 * Selects the lines that matching may link to payouts, or that name a gateway: with a payout's amount and currency, with a part of a payout's
 * reference in the text, or decided by a person.
 */
function createRelevance(
  payouts: readonly Payout[],
  decisions: readonly BankDecision[],
  gateways: ReadonlySet<string>,
): (line: BankLine) => boolean {
  const amounts = new Set(payouts.map(({ net, currency }) => `${currency} ${net}`));
  const decided = new Set(decisions.map(({ bankLineId }) => bankLineId));
  const firstWords = new Set(payouts.flatMap((payout) => namingWords(payout)[0] ?? []));
  return (line) =>
    decided.has(line.bankLineId) ||
    amounts.has(`${line.currency} ${line.amount}`) ||
    [...gateways].some((gateway) => namesGateway(line, { gateway })) ||
    wordsOf(line.text).some((word) => firstWords.has(word));
}
