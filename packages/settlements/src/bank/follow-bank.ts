import { calendarDay } from '@switchyard/runtime/calendar-days';
import { readCalendars } from '../account-calendar.ts';
import { SETTLEMENT_ZONE } from '../calendar.ts';
import type { SettlementContext } from '../context.ts';
import { readOpenSubjects } from '../intake/discrepancy-queries.ts';
import { readActiveRules } from '../intake/ignore-rules.ts';
import { isQuiet } from '../intake/quiet.ts';
import { writeDiscrepancies } from '../intake/write-discrepancies.ts';
import { type BankState, judgeBank } from './judge-bank.ts';
import { type BankDecision, type BankTolerance, matchBank } from './match-bank.ts';
import { hasStatements, readDecisions, readLastBankIntake, readLines, readPayouts, replaceMatches } from './match-queries.ts';
import { readBankMatching } from './matching.ts';
import { type BankScope, readCoverage } from './queries.ts';
import { createRelevance } from './relevant-lines.ts';

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
