import type {
  Prisma,
  Settlement,
  SettlementLine,
  SettlementLineKind,
  SettlementRoad,
  SettlementStatus,
} from '@switchyard/db/client';
import { addDecimals, compareDecimals, magnitude, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import type { ListedSettlement, ListedSettlementLine } from '@switchyard/gateways';
import { dateOf } from '@switchyard/runtime/calendar-days';
import type { AccountKey } from '../account.ts';
import type { SettlementContext } from '../context.ts';
import { batches } from './batches.ts';
import { createSource } from './source-lease.ts';

/** A settlement as a gateway reports it, by whatever road. */
export interface ReceivedSettlement extends AccountKey {
  readonly road: SettlementRoad;
  readonly settlement: ListedSettlement;
  /** All of its lines in the gateway's order; null until it is paid. */
  readonly lines: readonly ListedSettlementLine[] | null;
  /** The file that it came in; absent where it came by another road. */
  readonly fileId?: string;
}

/** Result of storing a settlement. */
export type StoreOutcome =
  | { readonly kind: 'stored' | 'updated' | 'unchanged'; readonly settlementId: string }
  /** The merchant has no such account. */
  | { readonly kind: 'not_found' };

const TRANSACTION_LIMITS = { timeout: 120_000, maxWait: 10_000 };

/**
 * Stores a settlement, and its lines once: with them a residue where they do not add up to its net amount. Repeating it writes nothing.
 * Lines are matched by `matchAccount` afterwards.
 */
export async function storeSettlement(context: SettlementContext, received: ReceivedSettlement): Promise<StoreOutcome> {
  const { database } = context.resources;
  const { merchantId, accountId } = received;
  if (knownAccount(context, received) === null) return { kind: 'not_found' };
  await createSource(database, { merchantId, accountId });
  return database.prisma.$transaction((transaction) => storeWithin(context, transaction, received), TRANSACTION_LIMITS);
}

/** The same within a transaction, for an account that has a source. The one writer for every road. */
export async function storeWithin(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { road, settlement, lines, fileId, ...account }: ReceivedSettlement,
): Promise<StoreOutcome> {
  const known = knownAccount(context, account);
  if (known === null) return { kind: 'not_found' };
  const { merchantId, accountId } = account;
  const key = { merchantId, accountId, reference: settlement.settlementId };
  const head = headOf(settlement);
  const now = context.now();
  const times = { createdAt: settlement.createdAt, updatedAt: now };
  const created = {
    ...key,
    ...head,
    ...times,
    id: context.newId(),
    mode: known.mode,
    gateway: known.gateway,
    road,
    fileId: fileId ?? null,
  };
  const { count } = await transaction.settlement.createMany({ data: [created], skipDuplicates: true });
  const before = await lockSettlement(transaction, key);
  if (road !== 'POLLED') await hear(transaction, { merchantId, accountId }, now);
  if (lines !== null && before.linesReadAt === null) {
    await storeLines(context, transaction, before, settlement, lines);
    await transaction.settlementSource.updateMany({ where: { merchantId, accountId }, data: { matchedAt: null } });
    return { kind: count === 1 ? 'stored' : 'updated', settlementId: before.id };
  }
  if (count === 1) return { kind: 'stored', settlementId: before.id };
  // Its lines explain the amounts that it had when they were stored; whether it was paid may still change. An unrecognised status does
  // not change it.
  const { unrecognised, unrecognisedRecord } = head;
  const status = unrecognised === null ? head.status : before.status;
  const changes = before.linesReadAt === null ? { ...head, status } : { status, unrecognised, unrecognisedRecord };
  if (isAsBefore(before, changes)) return { kind: 'unchanged', settlementId: before.id };
  await transaction.settlement.update({ where: keyOf(before), data: { ...changes, updatedAt: now } });
  if (before.linesReadAt !== null) {
    await transaction.settlementSource.updateMany({ where: { merchantId, accountId }, data: { matchedAt: null } });
  }
  return { kind: 'updated', settlementId: before.id };
}

function knownAccount({ resources }: SettlementContext, { merchantId, accountId }: AccountKey) {
  const known = resources.configuration.account(accountId);
  return known === undefined || known.merchant.merchant.id !== merchantId ? null : known.account;
}

type Head = Pick<Settlement, 'status' | 'currency' | 'settledOn' | 'unrecognised' | 'unrecognisedRecord'> &
  Record<'gross' | 'fees' | 'deductions' | 'net', string>;

const STATUSES: Readonly<Record<ListedSettlement['status'], SettlementStatus>> = {
  pending: 'PENDING',
  paid: 'PAID',
  failed: 'FAILED',
};

function headOf(settlement: ListedSettlement): Head {
  const { status, currency, gross, fees, deductions, net, settledOn, unrecognised } = settlement;
  return {
    status: STATUSES[status],
    currency,
    gross,
    fees,
    deductions,
    net,
    settledOn: settledOn === null ? null : dateOf(settledOn),
    unrecognised: unrecognised?.message ?? null,
    unrecognisedRecord: unrecognised?.record ?? null,
  };
}

function isAsBefore(before: Settlement, changes: Partial<Head>): boolean {
  const { status, currency, settledOn, gross, fees, deductions, net, unrecognised } = changes;
  const isSameAmount = (stored: Prisma.Decimal, amount: string | undefined) =>
    amount === undefined || sameDecimal(stored.toFixed(), amount);
  return (
    (status === undefined || status === before.status) &&
    (unrecognised === undefined || unrecognised === before.unrecognised) &&
    (currency === undefined || currency === before.currency) &&
    (settledOn === undefined || settledOn?.getTime() === before.settledOn?.getTime()) &&
    isSameAmount(before.gross, gross) &&
    isSameAmount(before.fees, fees) &&
    isSameAmount(before.deductions, deductions) &&
    isSameAmount(before.net, net)
  );
}

async function lockSettlement(
  transaction: Prisma.TransactionClient,
  key: AccountKey & { readonly reference: string },
): Promise<Settlement> {
  const { merchantId, accountId, reference } = key;
  await transaction.$queryRaw`
    SELECT id FROM settlement
    WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND reference = ${reference} FOR UPDATE`;
  return transaction.settlement.findUniqueOrThrow({ where: { merchantId_accountId_reference: key } });
}

function keyOf({ merchantId, id }: Settlement) {
  return { merchantId_id: { merchantId, id } };
}

/** Records that a settlement came by webhook or file. What is known of the gateway's list stays as it is. */
async function hear(transaction: Prisma.TransactionClient, { merchantId, accountId }: AccountKey, now: Date): Promise<void> {
  const data = { heardAt: now, failure: null, failedAt: null };
  await transaction.settlementSource.updateMany({ where: { merchantId, accountId }, data });
}

const LINE_KINDS: Readonly<Record<ListedSettlementLine['kind'], SettlementLineKind>> = {
  payment: 'PAYMENT',
  refund: 'REFUND',
  fee: 'FEE',
  chargeback: 'CHARGEBACK',
  adjustment: 'ADJUSTMENT',
  other: 'OTHER',
};

async function storeLines(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  stored: Settlement,
  settlement: ListedSettlement,
  lines: readonly ListedSettlementLine[],
): Promise<void> {
  const now = context.now();
  const amounts = lines.map(({ kind, amount, reference, transactionId, description, occurredAt }) => {
    return { kind: LINE_KINDS[kind], amount, reference, transactionId, description, occurredAt };
  });
  const rest = subtractDecimals(settlement.net, addDecimals(...lines.map(({ amount }) => amount)));
  const all = compareDecimals(rest, '0') === 0 ? amounts : [...amounts, residueOf(rest)];
  const rows = all.map((line, position) => ({ ...line, id: context.newId(), position }));
  for (const some of batches(rows)) await insertLines(transaction, stored, settlement.currency, some, now);
  const times = lines.flatMap(({ kind, occurredAt }) =>
    kind === 'payment' && occurredAt !== null ? [occurredAt.getTime()] : [],
  );
  await transaction.settlement.update({
    where: keyOf(stored),
    data: {
      ...headOf(settlement),
      linesReadAt: now,
      updatedAt: now,
      lineCount: rows.length,
      unexplained: addDecimals(...all.map(({ amount }) => magnitude(amount))),
      periodFrom: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.min(a, b))),
      periodTo: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))),
    },
  });
}

type LineRow = Pick<SettlementLine, 'id' | 'position' | 'kind' | 'reference' | 'transactionId' | 'description' | 'occurredAt'> & {
  readonly amount: string;
};

/** One parameter for all: Prisma takes seconds for those of a thousand lines. */
async function insertLines(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, id }: Settlement,
  currency: string,
  lines: readonly LineRow[],
  now: Date,
): Promise<void> {
  await transaction.$executeRaw`
    INSERT INTO settlement_line (merchant_id, account_id, settlement_id, id, position, kind, amount, currency, reference, transaction_id,
      description, occurred_at, subjects, created_at)
    SELECT ${merchantId}::uuid, ${accountId}::uuid, ${id}::uuid, line.id, position, kind::settlement_line_kind, amount, ${currency},
      reference, "transactionId", description, "occurredAt", '{}', ${now}
    FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS line(id uuid, position int, kind text, amount numeric, reference text,
      "transactionId" text, description text, "occurredAt" timestamptz)`;
}

function residueOf(amount: string) {
  return { kind: 'RESIDUE' as const, amount, reference: null, transactionId: null, description: null, occurredAt: null };
}
