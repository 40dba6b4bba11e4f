import { canonicalJson } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import { sumDecimals } from '@switchyard/db/decimals';
import { appendEntry } from '../audit.ts';
import { allowComputing, FILE_TRANSACTION, type SettlementContext, sha256 } from '../context.ts';

import { noteIntake } from '../source-lease.ts';
import { applyPayoutChanges } from './apply-changes.ts';
import { type PayoutChange, type PayoutFigures, reducePayout, touchedBy } from './compare-file.ts';
import { type Look, type Rehearsal, rehearse } from './rehearse.ts';
import { readStoredLines, readStoredPayouts } from './stored-payouts.ts';

/** A payout that came by a file, or all that a file brought. */
export type Withdrawn =
  | { readonly merchantId: string; readonly settlementId: string }
  | { readonly merchantId: string; readonly fileId: string };

/** A payout that a withdrawal changes. */
export interface WithdrawnPayout {
  readonly settlementId: string;
  readonly reference: string;
  readonly before: PayoutFigures;
  /** Null where it counts no more; else what other files have of it. */
  readonly after: PayoutFigures | null;
}

/** The changes that a withdrawal would make now. */
export interface WithdrawalPreview {
  readonly kind: 'preview';
  /** The first. */
  readonly payouts: readonly WithdrawnPayout[];
  readonly count: number;
  /** Lines that go, and the sum of their amounts by currency. */
  readonly lines: number;
  readonly sums: readonly { readonly currency: string; readonly amount: string }[];
  /** Names exactly this preview; the withdrawal is asked for with it. */
  readonly hash: string;
}

/** Why nothing can be withdrawn. */
export type WithdrawalRefusal = { readonly kind: 'not_found' } | { readonly kind: 'refused'; readonly why: string };

/** Result of a withdrawal. */
export type WithdrawalOutcome =
  | { readonly kind: 'withdrawn'; readonly payouts: number }
  /** Another preview holds by now; nothing was done. */
  | { readonly kind: 'changed'; readonly preview: WithdrawalPreview }
  | WithdrawalRefusal;

const SHOWN_MAX = 100;

/** Says what a withdrawal would change. Changes nothing. */
export async function previewWithdrawal(
  context: SettlementContext,
  withdrawn: Withdrawn,
): Promise<WithdrawalPreview | WithdrawalRefusal> {
  const plan = await planWithdrawal(context.resources.database.prisma, withdrawn);
  return plan.kind === 'plan' ? previewOf(plan) : plan;
}

/**
 * Withdraws what a file brought by mistake, as the preview of this hash said: it counts nowhere any more, its lines are kept beside the change, and
 * a file can bring it again. Audited.
 */
export function withdraw(
  context: SettlementContext,
  { hash, reason, actor, ...withdrawn }: Withdrawn & { readonly hash: string; readonly reason: string; readonly actor: string },
): Promise<WithdrawalOutcome> {
  const why = reason.trim();
  if (why === '') return Promise.resolve({ kind: 'refused', why: 'Enter a reason.' });
  return context.resources.database.prisma.$transaction(async (transaction): Promise<WithdrawalOutcome> => {
    await allowComputing(transaction);
    await lockSource(transaction, withdrawn);
    const plan = await planWithdrawal(transaction, withdrawn);
    if (plan.kind !== 'plan') return plan;
    if (plan.hash !== hash) return { kind: 'changed', preview: previewOf(plan) };
    await apply(context, transaction, plan, { reason: why, actor });
    await noteIntake(transaction, plan, context.now());
    return { kind: 'withdrawn', payouts: plan.changes.length };
  }, FILE_TRANSACTION);
}

/** The effect of a withdrawal on discrepancies, and to what `look` reads before and after it. */
export async function rehearseWithdrawal<Seen>(
  context: SettlementContext,
  withdrawn: Withdrawn,
  look: Look<Seen>,
): Promise<Rehearsal<Seen> | WithdrawalRefusal> {
  const plan = await planWithdrawal(context.resources.database.prisma, withdrawn);
  if (plan.kind !== 'plan') return plan;
  const by = { reason: 'rehearsed', actor: 'system:settlements' };
  return rehearse(
    context,
    plan,
    async (inner, transaction) => {
      await apply(inner, transaction, plan, by);
      return touchedBy(plan.changes);
    },
    look,
  );
}

/** A withdrawal as it would be carried out now. */
interface WithdrawalPlan {
  readonly kind: 'plan';
  readonly merchantId: string;
  readonly accountId: string;
  readonly mode: Mode;
  readonly fileId: string | null;
  readonly changes: readonly PayoutChange[];
  readonly hash: string;
}

type Source = Pick<Prisma.TransactionClient, '$queryRaw' | 'settlement' | 'settlementFile' | 'intakeChange'>;

async function planWithdrawal(client: Source, withdrawn: Withdrawn): Promise<WithdrawalPlan | WithdrawalRefusal> {
  const { merchantId } = withdrawn;
  const found = 'fileId' in withdrawn ? await findFile(client, withdrawn) : await findPayout(client, withdrawn);
  if (found.kind !== 'found') return found;
  const { accountId, mode, fileId, references } = found;
  const stored = await readStoredPayouts(client, { merchantId, accountId }, references);
  const lines = Map.groupBy(
    await readStoredLines(
      client,
      { merchantId },
      stored.map(({ settlementId }) => settlementId),
    ),
    ({ settlementId }) => settlementId,
  );
  const changes = stored.map((payout) =>
    reducePayout(payout, lines.get(payout.settlementId) ?? [], (line) => fileId === null || line.fileId === fileId),
  );
  const effective = changes.filter(({ removed }) => removed.length > 0);
  const states = stored.map(({ settlementId, status, net, lines: digest }) => [settlementId, status, net, digest]).toSorted();
  const hash = sha256(canonicalJson({ merchantId, accountId, fileId, states }));
  return { kind: 'plan', merchantId, accountId, mode, fileId, changes: effective, hash };
}

type Found =
  | {
      readonly kind: 'found';
      readonly accountId: string;
      readonly mode: Mode;
      readonly fileId: string | null;
      readonly references: readonly string[];
    }
  | WithdrawalRefusal;

async function findPayout(
  client: Source,
  { merchantId, settlementId }: { readonly merchantId: string; readonly settlementId: string },
): Promise<Found> {
  const payout = await client.settlement.findUnique({ where: { merchantId_id: { merchantId, id: settlementId } } });
  if (payout === null) return { kind: 'not_found' };
  const { accountId, mode, reference, road, status } = payout;
  if (status === 'WITHDRAWN') return { kind: 'refused', why: 'It is withdrawn already.' };
  if (road !== 'FILE') return { kind: 'refused', why: 'The gateway itself reported it: it would come again.' };
  return { kind: 'found', accountId, mode, fileId: null, references: [reference] };
}

async function findFile(
  client: Source,
  { merchantId, fileId }: { readonly merchantId: string; readonly fileId: string },
): Promise<Found> {
  const file = await client.settlementFile.findUnique({ where: { merchantId_id: { merchantId, id: fileId } } });
  if (file === null) return { kind: 'not_found' };
  if (file.withdrawnAt !== null) return { kind: 'refused', why: 'It is withdrawn already.' };
  const { accountId, mode } = file;
  const [own, changed] = [
    await client.settlement.findMany({ where: { merchantId, accountId, fileId }, select: { id: true } }),
    await client.intakeChange.findMany({ where: { merchantId, accountId, fileId }, select: { settlementId: true } }),
  ];
  const ids = [...new Set([...own.map(({ id }) => id), ...changed.flatMap(({ settlementId }) => settlementId ?? [])])];
  const payouts: { readonly reference: string }[] = await client.$queryRaw`
    SELECT reference FROM settlement WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND id = ANY (${ids}::uuid[])
      AND road = 'FILE' AND status <> 'WITHDRAWN' ORDER BY reference`;
  return { kind: 'found', accountId, mode, fileId, references: payouts.map(({ reference }) => reference) };
}

/** Locks the account for the transaction, as taking a file in does. */
async function lockSource(transaction: Prisma.TransactionClient, withdrawn: Withdrawn): Promise<void> {
  const { merchantId } = withdrawn;
  const [table, id] =
    'fileId' in withdrawn ? (['file', withdrawn.fileId] as const) : (['payout', withdrawn.settlementId] as const);
  await transaction.$queryRaw`
    SELECT account_id FROM settlement_source WHERE merchant_id = ${merchantId}::uuid AND account_id = (
      SELECT account_id FROM settlement_file WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid AND ${table} = 'file'
      UNION ALL SELECT account_id FROM settlement WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid AND ${table} = 'payout'
    ) FOR UPDATE`;
}

async function apply(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, mode, fileId, changes }: WithdrawalPlan,
  { reason, actor }: { readonly reason: string; readonly actor: string },
): Promise<void> {
  await applyPayoutChanges(context, transaction, { merchantId, accountId, mode, fileId, reason, actor }, changes);
  if (fileId === null) return;
  const now = context.now();
  const where = { merchantId_id: { merchantId, id: fileId } };
  const file = await transaction.settlementFile.update({ where, data: { withdrawnAt: now } });
  const before = { name: file.name, hash: file.hash, settlements: file.settlements, lines: file.lines };
  const facts = { mode, action: 'withdrawn', accountId, fileId, before, reason, changedBy: actor, changedAt: now };
  await transaction.intakeChange.create({ data: { merchantId, id: context.newId(), ...facts } });
  const object = { objectType: 'settlement_file', objectId: fileId, before, after: { reason, payouts: changes.length } };
  const entry = { tenantId: merchantId, entryId: context.newId(), actor, action: 'settlements.file_withdrawn', ...object };
  await appendEntry(context, transaction, entry, now);
}

function previewOf({ changes, hash }: WithdrawalPlan): WithdrawalPreview {
  const removed = changes.flatMap((change) => change.removed);
  const byCurrency = Map.groupBy(removed, ({ currency }) => currency);
  return {
    kind: 'preview',
    payouts: changes.slice(0, SHOWN_MAX).map(({ settlementId, reference, before, after }) => {
      return { settlementId, reference, before, after };
    }),
    count: changes.length,
    lines: removed.length,
    sums: [...byCurrency].map(([currency, lines]) => ({ currency, amount: sumDecimals(lines.map(({ amount }) => amount)) })),
    hash,
  };
}
