import { canonicalJson } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import { appendEntry } from '../audit.ts';
import { enqueueBankMatch } from '../bank/match-queries.ts';
import type { SettlementContext } from '../context.ts';
import { sha256 } from '../context.ts';

import { quietAt } from '../source-lease.ts';
import { type Look, type Rehearsal, rehearse } from './rehearse.ts';

/** A statement that was imported by mistake. */
export interface WithdrawnStatement {
  readonly merchantId: string;
  readonly statementId: string;
}

/** The changes that withdrawing a statement would make now. */
export interface StatementWithdrawalPreview {
  readonly kind: 'preview';
  /** Lines that go, by bank account and currency, with the sums of their amounts. */
  readonly accounts: readonly StatementSum[];
  /** Lines that stay, as another statement has them too. */
  readonly kept: number;
  /** Payouts that a line which goes is matched with. */
  readonly payouts: number;
  /** Names exactly this preview; the withdrawal is asked for with it. */
  readonly hash: string;
}

/** Lines of one bank account and currency together. Amounts are exact decimals of the main unit. */
interface StatementSum {
  readonly bankAccount: string;
  readonly currency: string;
  readonly lines: number;
  readonly credits: string;
  readonly debits: string;
}

/** Why a statement cannot be withdrawn. */
export type StatementWithdrawalRefusal = { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly why: string };

/** Result of withdrawing a statement. */
export type StatementWithdrawalOutcome =
  | { readonly kind: 'withdrawn'; readonly lines: number }
  /** Another preview holds by now; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: StatementWithdrawalPreview }
  | StatementWithdrawalRefusal;

const TRANSACTION_LIMITS = { timeout: 120_000, maxWait: 10_000 };

/** Says what withdrawing a statement would change. Changes nothing. */
export function previewStatementWithdrawal(
  { resources }: SettlementContext,
  withdrawn: WithdrawnStatement,
): Promise<StatementWithdrawalPreview | StatementWithdrawalRefusal> {
  return resources.database.prisma.$transaction(async (transaction) => {
    const plan = await planWithdrawal(transaction, withdrawn);
    return plan.kind === 'plan' ? plan.preview : plan;
  });
}

/**
 * Withdraws a statement as the preview of this hash said: its days are covered no more by it, and its lines are gone, but for those that another
 * statement has as well. They are kept beside the change, and the statement can be imported again. Audited.
 */
export function withdrawStatement(
  context: SettlementContext,
  {
    hash,
    reason,
    actor,
    ...withdrawn
  }: WithdrawnStatement & { readonly hash: string; readonly reason: string; readonly actor: string },
): Promise<StatementWithdrawalOutcome> {
  const why = reason.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
  return context.resources.database.prisma.$transaction(async (transaction): Promise<StatementWithdrawalOutcome> => {
    await transaction.$queryRaw`
      SELECT id FROM bank_statement WHERE merchant_id = ${withdrawn.merchantId}::uuid AND id = ${withdrawn.statementId}::uuid FOR UPDATE`;
    const plan = await planWithdrawal(transaction, withdrawn);
    if (plan.kind !== 'plan') return plan;
    if (plan.preview.hash !== hash) return { kind: 'changed', preview: plan.preview };
    const lines = await apply(context, transaction, plan, { reason: why, actor });
    const { merchantId, mode } = plan;
    await enqueueBankMatch(transaction, { merchantId, mode }, null);
    await enqueueBankMatch(transaction, { merchantId, mode }, quietAt(context.now()));
    return { kind: 'withdrawn', lines };
  }, TRANSACTION_LIMITS);
}

/** The effect of withdrawing a statement on discrepancies, and to what `look` reads before and after it. */
export async function rehearseStatementWithdrawal<Seen>(
  context: SettlementContext,
  withdrawn: WithdrawnStatement,
  look: Look<Seen>,
): Promise<Rehearsal<Seen> | StatementWithdrawalRefusal> {
  const plan = await planWithdrawal(context.resources.database.prisma, withdrawn);
  if (plan.kind !== 'plan') return plan;
  const { merchantId, mode } = plan;
  const by = { reason: 'rehearsed', actor: 'system:settlements' };
  return rehearse(
    context,
    { merchantId, mode, accountId: null },
    async (inner, transaction) => {
      await apply(inner, transaction, plan, by);
      return { paymentIds: [], days: [] };
    },
    look,
  );
}

interface StatementWithdrawalPlan {
  readonly kind: 'plan';
  readonly merchantId: string;
  readonly mode: Mode;
  readonly statementId: string;
  readonly preview: StatementWithdrawalPreview;
}

async function planWithdrawal(
  client: Pick<Prisma.TransactionClient, '$queryRaw' | 'bankStatement'>,
  { merchantId, statementId }: WithdrawnStatement,
): Promise<StatementWithdrawalPlan | StatementWithdrawalRefusal> {
  const statement = await client.bankStatement.findUnique({ where: { merchantId_id: { merchantId, id: statementId } } });
  if (statement === null) return { kind: 'not_found' };
  if (statement.withdrawnAt !== null) return { kind: 'refused', why: 'It is withdrawn already.' };
  const accounts = await client.$queryRaw<StatementSum[]>`
    SELECT bank_account AS "bankAccount", currency::text AS currency, count(*)::int AS lines,
      trim_scale(coalesce(sum(amount) FILTER (WHERE amount > 0), 0))::text AS credits,
      trim_scale(coalesce(sum(amount) FILTER (WHERE amount < 0), 0))::text AS debits
    FROM bank_line AS line WHERE merchant_id = ${merchantId}::uuid AND statement_id = ${statementId}::uuid
      AND NOT EXISTS (SELECT FROM bank_line_repeat AS repeat WHERE repeat.merchant_id = line.merchant_id AND repeat.bank_line_id = line.id)
    GROUP BY bank_account, currency ORDER BY bank_account, currency`;
  const [{ kept = 0, payouts = 0 } = {}] = await client.$queryRaw<{ kept: number; payouts: number }[]>`
    SELECT count(DISTINCT line.id) FILTER (WHERE line.is_repeated)::int AS kept,
      count(DISTINCT match.settlement_id) FILTER (WHERE NOT line.is_repeated)::int AS payouts
    FROM (SELECT id, merchant_id, EXISTS (SELECT FROM bank_line_repeat AS repeat
        WHERE repeat.merchant_id = bank_line.merchant_id AND repeat.bank_line_id = bank_line.id) AS is_repeated
      FROM bank_line WHERE merchant_id = ${merchantId}::uuid AND statement_id = ${statementId}::uuid) AS line
    LEFT JOIN bank_match AS match ON match.merchant_id = line.merchant_id AND match.bank_line_id = line.id`;
  const facts = { accounts, kept, payouts };
  const preview = { kind: 'preview' as const, ...facts, hash: sha256(canonicalJson({ merchantId, statementId, ...facts })) };
  return { kind: 'plan', merchantId, mode: statement.mode, statementId, preview };
}

/** Returns how many lines are gone. */
async function apply(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, mode, statementId, preview }: StatementWithdrawalPlan,
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<number> {
  const now = context.now();
  const changeId = context.newId();
  await transaction.$executeRaw`
    UPDATE bank_line SET statement_id = other.statement_id
    FROM (SELECT DISTINCT ON (bank_line_id) bank_line_id, statement_id FROM bank_line_repeat
      WHERE merchant_id = ${merchantId}::uuid AND statement_id <> ${statementId}::uuid ORDER BY bank_line_id, statement_id) AS other
    WHERE bank_line.merchant_id = ${merchantId}::uuid AND bank_line.statement_id = ${statementId}::uuid AND bank_line.id = other.bank_line_id`;
  await transaction.$executeRaw`
    DELETE FROM bank_line_repeat AS repeat USING bank_line AS line
    WHERE repeat.merchant_id = ${merchantId}::uuid AND line.merchant_id = ${merchantId}::uuid AND line.id = repeat.bank_line_id
      AND (repeat.statement_id = line.statement_id OR repeat.statement_id = ${statementId}::uuid)`;
  await transaction.$executeRaw`
    INSERT INTO withdrawn_line (merchant_id, change_id, id, line)
    SELECT merchant_id, ${changeId}::uuid, id, to_jsonb(line) FROM bank_line AS line
    WHERE merchant_id = ${merchantId}::uuid AND statement_id = ${statementId}::uuid`;
  for (const table of ['bank_match', 'bank_decision'] as const) {
    await transaction.$executeRawUnsafe(
      `DELETE FROM ${table} AS link USING bank_line AS line WHERE link.merchant_id = $1::uuid AND line.merchant_id = $1::uuid
         AND line.id = link.bank_line_id AND line.statement_id = $2::uuid`,
      merchantId,
      statementId,
    );
  }
  const lines = await transaction.bankLine.deleteMany({ where: { merchantId, statementId } });
  await transaction.bankCoverage.deleteMany({ where: { merchantId, statementId } });
  const where = { merchantId_id: { merchantId, id: statementId } };
  const { name, hash } = await transaction.bankStatement.update({ where, data: { withdrawnAt: now } });
  const before = {
    name,
    hash,
    lines: lines.count,
    kept: preview.kept,
    accounts: preview.accounts.map((account) => ({ ...account })),
  };
  const facts = { mode, action: 'withdrawn', statementId, before, reason, changedBy: actor, changedAt: now };
  await transaction.intakeChange.create({ data: { merchantId, id: changeId, ...facts } });
  const object = { objectType: 'bank_statement', objectId: statementId, before, after: { reason } };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.statement_withdrawn', ...object };
  await appendEntry(context, transaction, entry, now);
  return lines.count;
}
