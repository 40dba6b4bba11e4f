import type { Reports } from '@switchyard/db';
import {
  type DiscrepancyState,
  type Mode,
  Prisma,
  type SettlementDiscrepancyKind,
  type SettlementLineKind,
  type SettlementStatus,
} from '@switchyard/db/client';
import { type CreatedWithin, compares, isCreatedWithin, isOneOf, type TenantList } from '@switchyard/db/lists';
import { isListed } from '@switchyard/nouns';
import {
  SETTLEMENT_AMOUNT,
  type SettlementDiscrepancyFilter,
  type SettlementFilter,
  type SettlementLineFilter,
  settlementDiscrepancyNoun,
  settlementLineNoun,
  settlementNoun,
} from './nouns.ts';

export * from './nouns.ts';

/** Filter of files of settlements, by when they were taken in. An empty list and null match any. */
export interface SettlementFileFilter extends CreatedWithin {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  readonly accountIds: readonly string[];
}

/** The list of a filter's files. */
export function settlementFileList(filter: SettlementFileFilter): TenantList {
  const conditions = [Prisma.sql`p.mode = ${filter.mode}::mode`, ...isOneOf('p.account_id', filter.accountIds, 'uuid')];
  return { ...takenList('settlement_file', filter), conditions: [...conditions, ...isCreatedWithin(filter)] };
}

/** Filter of bank statements, by when they were taken in. An empty list and null match any. */
export interface BankStatementFilter extends CreatedWithin {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** `csv`, `mt940` or `camt.053`. */
  readonly formats: readonly string[];
}

/** The list of a filter's statements. */
export function bankStatementList(filter: BankStatementFilter): TenantList {
  const conditions = [Prisma.sql`p.mode = ${filter.mode}::mode`, ...isOneOf('p.format', filter.formats, 'text')];
  return { ...takenList('bank_statement', filter), conditions: [...conditions, ...isCreatedWithin(filter)] };
}

/** A list by time calls the time `created_at`. */
function takenList(table: string, { merchantIds }: { readonly merchantIds: readonly string[] }) {
  return { table: `(SELECT *, taken_at AS created_at FROM ${table})`, merchantIds, by: 'merchant' } as const;
}

/** Filter of the lines of bank statements. Empty lists and null match any. */
export interface BankLineFilter {
  readonly merchantIds: readonly string[];
  readonly mode: Mode;
  /** First and last day, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
  readonly statementId: string | null;
  /** As the bank names them. */
  readonly bankAccounts: readonly string[];
  /** Only those that no payout was matched with. */
  readonly unmatchedOnly: boolean;
}

const MATCHED = `EXISTS (SELECT FROM bank_match AS m WHERE m.merchant_id = p.merchant_id AND m.bank_line_id = p.id)`;

/** The list of a filter's lines of bank statements, by day; the period bounds the rows that are sorted. */
export function bankLineList(filter: BankLineFilter): TenantList {
  return {
    table: `(SELECT merchant_id, id, mode, statement_id, bank_account, booked_on, amount, currency,
      booked_on::timestamp AT TIME ZONE 'UTC' AS created_at FROM bank_line)`,
    merchantIds: filter.merchantIds,
    conditions: bankLineConditions(filter),
    by: 'merchant',
  };
}

function bankLineConditions(filter: BankLineFilter): Prisma.Sql[] {
  return [
    Prisma.sql`p.mode = ${filter.mode}::mode`,
    Prisma.sql`p.booked_on BETWEEN ${filter.from}::date AND ${filter.to}::date`,
    ...compares('p.statement_id =', filter.statementId, 'uuid'),
    ...isOneOf('p.bank_account', filter.bankAccounts, 'text'),
    ...(filter.unmatchedOnly ? [Prisma.sql`NOT ${Prisma.raw(MATCHED)}`] : []),
  ];
}

/** Lines of one bank account and currency together. Amounts are exact decimals of the main unit, without signs. */
export interface BankLineSum {
  readonly merchantId: string;
  readonly bankAccount: string;
  readonly currency: string;
  readonly count: number;
  readonly credits: string;
  readonly debits: string;
  /** Sum of the credits that payouts were matched with. */
  readonly matched: string;
}

/** The lines of a filter added up by bank account and currency. */
export function sumBankLines(
  reports: Pick<Reports, 'read'>,
  filter: BankLineFilter,
  signal: AbortSignal,
): Promise<BankLineSum[]> {
  return readRows(
    reports,
    Prisma.sql`
    SELECT p.merchant_id AS "merchantId", p.bank_account AS "bankAccount", p.currency::text AS currency, count(*)::int AS count,
      trim_scale(coalesce(sum(p.amount) FILTER (WHERE p.amount > 0), 0))::text AS credits,
      trim_scale(coalesce(-sum(p.amount) FILTER (WHERE p.amount < 0), 0))::text AS debits,
      trim_scale(coalesce(sum(p.amount) FILTER (WHERE p.amount > 0 AND ${Prisma.raw(MATCHED)}), 0))::text AS matched
    FROM bank_line AS p WHERE p.merchant_id = ANY (${filter.merchantIds}::uuid[]) AND ${Prisma.join(bankLineConditions(filter), ' AND ')}
    GROUP BY p.merchant_id, p.bank_account, p.currency ORDER BY p.merchant_id, p.bank_account, p.currency LIMIT ${GROUPS_MAX}`,
    signal,
  );
}

const GROUPS_MAX = 5_000;

/** Discrepancies of one kind, state and currency together. */
export interface SettlementDiscrepancySum {
  readonly kind: SettlementDiscrepancyKind;
  readonly state: DiscrepancyState;
  readonly currency: string;
  readonly count: number;
  /** The amounts in question, as an exact decimal of the main unit. */
  readonly amount: string;
}

/** The discrepancies of a filter, counted and added up by kind, state and currency. */
export function sumSettlementDiscrepancies(
  reports: Pick<Reports, 'read'>,
  filter: SettlementDiscrepancyFilter,
  signal: AbortSignal,
): Promise<SettlementDiscrepancySum[]> {
  return readRows(
    reports,
    Prisma.sql`
    SELECT p.kind::text AS kind, p.state::text AS state, p.currency::text AS currency, count(*)::int AS count,
      trim_scale(sum(${Prisma.raw(SETTLEMENT_AMOUNT)}))::text AS amount
    FROM settlement_discrepancy AS p WHERE ${isListed(settlementDiscrepancyNoun, filter)}
    GROUP BY p.kind, p.state, p.currency ORDER BY p.kind, p.state, p.currency`,
    signal,
  );
}

async function readRows<Row extends object>(
  reports: Pick<Reports, 'read'>,
  { text, values }: Prisma.Sql,
  signal: AbortSignal,
): Promise<Row[]> {
  const { rows } = await reports.read((client) => client.query<Row>({ text, values }), { signal });
  return rows;
}

/** Settlements of one status and currency together. Amounts are exact decimals of the main unit. */
export interface SettlementSum {
  readonly status: SettlementStatus;
  readonly currency: string;
  readonly count: number;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly explained: string;
  readonly unexplained: string;
}

/** The settlements of a filter, counted and added up by status and currency. */
export function sumSettlements(
  reports: Pick<Reports, 'read'>,
  filter: SettlementFilter,
  signal: AbortSignal,
): Promise<SettlementSum[]> {
  const sums = ['gross', 'fees', 'deductions', 'net', 'explained', 'unexplained'];
  return readRows(
    reports,
    Prisma.sql`
    SELECT p.status::text AS status, p.currency::text AS currency, count(*)::int AS count,
      ${Prisma.raw(sums.map((column) => `trim_scale(sum(p.${column}))::text AS ${column}`).join(', '))}
    FROM settlement AS p WHERE ${isListed(settlementNoun, filter)}
    GROUP BY p.status, p.currency ORDER BY p.status, p.currency`,
    signal,
  );
}

/** Lines of one kind and currency together. Amounts are exact decimals of the main unit. */
export interface SettlementLineSum {
  readonly kind: SettlementLineKind;
  readonly currency: string;
  readonly count: number;
  readonly amount: string;
  readonly unmatchedCount: number;
  readonly unmatchedAmount: string;
}

/** The lines of a filter, counted and added up by kind and currency. */
export function sumSettlementLines(
  reports: Pick<Reports, 'read'>,
  filter: SettlementLineFilter,
  signal: AbortSignal,
): Promise<SettlementLineSum[]> {
  return readRows(
    reports,
    Prisma.sql`
    SELECT p.kind::text AS kind, p.currency::text AS currency, count(*)::int AS count, trim_scale(sum(p.amount))::text AS amount,
      count(*) FILTER (WHERE p.linked_by IS NULL)::int AS "unmatchedCount",
      trim_scale(coalesce(sum(p.amount) FILTER (WHERE p.linked_by IS NULL), 0))::text AS "unmatchedAmount"
    FROM settlement_line AS p WHERE ${isListed(settlementLineNoun, filter)}
    GROUP BY p.kind, p.currency ORDER BY p.kind, p.currency`,
    signal,
  );
}
