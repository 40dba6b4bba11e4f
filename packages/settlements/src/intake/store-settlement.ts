import type {
  Mode,
  Prisma,
  Settlement,
  SettlementLine,
  SettlementLineKind,
  SettlementRoad,
  SettlementStatus,
} from '@switchyard/db/client';
import { compareDecimals, magnitude, sameDecimal, subtractDecimals, sumDecimals } from '@switchyard/db/decimals';
import type { ListedSettlement, ListedSettlementLine } from '@switchyard/gateways';
import { dateOf, dayText } from '@switchyard/runtime/calendar-days';
import type { AccountKey, SettlementContext } from '../context.ts';
import { batches, createSource } from '../source-lease.ts';

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

/** The same within a transaction, for an account that has a source. */
export async function storeWithin(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { settlement, lines, ...source }: ReceivedSettlement,
): Promise<StoreOutcome> {
  const [outcome] = await storeAllWithin(context, transaction, source, [{ settlement, lines }]);
  return outcome ?? { kind: 'not_found' };
}

/** A payout as it is received: its head, and all of its lines in the gateway's order or null until it is paid. */
export type ReceivedPayout = Pick<ReceivedSettlement, 'settlement' | 'lines'>;

/** How many lines a statement writes. */
const LINES_AT_ONCE = 5_000;

/**
 * Stores payouts of one account within a transaction, in as many statements for thousands as for one. The one writer for every road. The outcomes
 * are in the order of the payouts; empty for an account that the merchant does not have. `onLines` is called with how many lines are stored so far.
 */
export async function storeAllWithin(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { road, fileId, ...account }: Omit<ReceivedSettlement, 'settlement' | 'lines'>,
  payouts: readonly ReceivedPayout[],
  onLines: (count: number) => void = () => undefined,
): Promise<StoreOutcome[]> {
  const known = knownAccount(context, account);
  if (known === null) return [];
  const now = context.now();
  const source = { ...account, mode: known.mode, gateway: known.gateway, road, fileId: fileId ?? null };
  const added = await insertHeads(context, transaction, source, payouts);
  const stored = await lockSettlements(transaction, account, payouts);
  if (road !== 'POLLED') await hear(transaction, account, now);
  const outcomes = payouts.map(({ settlement, lines }): StoreOutcome & { readonly row?: Settlement } => {
    const row = stored.get(settlement.settlementId);
    if (row === undefined) return { kind: 'not_found' };
    const isNew = added.has(settlement.settlementId);
    const takesLines = lines !== null && row.linesReadAt === null;
    return { kind: isNew ? 'stored' : takesLines ? 'updated' : 'unchanged', settlementId: row.id, row };
  });
  const withLines = payouts.flatMap(({ settlement, lines }, at): StoredPayout[] => {
    const row = outcomes[at]?.row;
    return row === undefined || lines === null || row.linesReadAt !== null ? [] : [{ row, settlement, lines }];
  });
  await storeLines(context, transaction, source, withLines, onLines);
  let isChanged = withLines.length > 0;
  for (const [at, { settlement, lines }] of payouts.entries()) {
    const { row, kind } = outcomes[at] ?? { kind: 'not_found' };
    if (row === undefined || kind !== 'unchanged' || (lines !== null && row.linesReadAt === null)) continue;
    const changes = changesOf(row, settlement);
    if (isAsBefore(row, changes)) continue;
    await transaction.settlement.update({ where: keyOf(row), data: { ...changes, updatedAt: now } });
    outcomes[at] = { kind: 'updated', settlementId: row.id };
    isChanged ||= row.linesReadAt !== null;
  }
  const { merchantId, accountId } = account;
  if (isChanged) await transaction.settlementSource.updateMany({ where: { merchantId, accountId }, data: { matchedAt: null } });
  return outcomes.map(({ row: _, ...outcome }) => outcome);
}

/**
 * The change that a repeated head makes. Its lines explain the amounts that it had when they were stored; whether it was paid may still change. An
 * unrecognised status does not change it.
 */
function changesOf(before: Settlement, settlement: ListedSettlement): Partial<Head> {
  const head = headOf(settlement);
  const { unrecognised, unrecognisedRecord } = head;
  const status = unrecognised === null ? head.status : before.status;
  return before.linesReadAt === null ? { ...head, status } : { status, unrecognised, unrecognisedRecord };
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

/** Where payouts come from. */
interface Source extends AccountKey {
  readonly mode: Mode;
  readonly gateway: string;
  readonly road: SettlementRoad;
  readonly fileId: string | null;
}

/** Creates the payouts that are not known yet. Returns their references. */
async function insertHeads(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, mode, gateway, road, fileId }: Source,
  payouts: readonly ReceivedPayout[],
): Promise<ReadonlySet<string>> {
  const now = context.now();
  const added = new Set<string>();
  for (const some of batches(payouts)) {
    const rows = some.map(({ settlement }) => {
      const { settledOn, ...head } = headOf(settlement);
      const names = { id: context.newId(), reference: settlement.settlementId, createdAt: settlement.createdAt };
      return { ...head, ...names, settledOn: settledOn === null ? null : dayText(settledOn) };
    });
    const inserted = await transaction.$queryRaw<{ reference: string }[]>`
      INSERT INTO settlement (merchant_id, id, mode, account_id, gateway, reference, road, file_id, status, currency, gross, fees, deductions, net,
        settled_on, unrecognised, unrecognised_record, created_at, updated_at)
      SELECT ${merchantId}::uuid, payout.id, ${mode}::mode, ${accountId}::uuid, ${gateway}, reference, ${road}::settlement_road, ${fileId}::uuid,
        status::settlement_status, currency, gross, fees, deductions, net, "settledOn", unrecognised, "unrecognisedRecord", "createdAt", ${now}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS payout(id uuid, reference text, status text, currency text, gross numeric,
        fees numeric, deductions numeric, net numeric, "settledOn" date, unrecognised text, "unrecognisedRecord" text, "createdAt" timestamptz)
      ON CONFLICT (merchant_id, account_id, reference) DO NOTHING RETURNING reference`;
    for (const { reference } of inserted) added.add(reference);
  }
  return added;
}

/** Locks payouts until the transaction ends. */
async function lockSettlements(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId }: AccountKey,
  payouts: readonly ReceivedPayout[],
): Promise<ReadonlyMap<string, Settlement>> {
  const rows: Settlement[] = [];
  for (const some of batches(payouts)) {
    const references = some.map(({ settlement }) => settlement.settlementId);
    await transaction.$queryRaw`
      SELECT id FROM settlement
      WHERE merchant_id = ${merchantId}::uuid AND account_id = ${accountId}::uuid AND reference = ANY (${references}::text[])
      ORDER BY id FOR UPDATE`;
    rows.push(...(await transaction.settlement.findMany({ where: { merchantId, accountId, reference: { in: references } } })));
  }
  return new Map(rows.map((row) => [row.reference, row]));
}

function keyOf({ merchantId, id }: Settlement) {
  return { merchantId_id: { merchantId, id } };
}

/** Records that settlements came by webhook or file. What is known of the gateway's list stays as it is. */
async function hear(transaction: Prisma.TransactionClient, { merchantId, accountId }: AccountKey, now: Date): Promise<void> {
  const data = { heardAt: now, failure: null };
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

/** A payout whose lines are stored. */
interface StoredPayout {
  readonly row: Settlement;
  readonly settlement: ListedSettlement;
  readonly lines: readonly ListedSettlementLine[];
}

async function storeLines(
  context: SettlementContext,
  transaction: Prisma.TransactionClient,
  source: Source,
  payouts: readonly StoredPayout[],
  onLines: (count: number) => void,
): Promise<void> {
  const now = context.now();
  const heads: PaidHead[] = [];
  const rows = payouts.flatMap(({ row, settlement, lines }) => {
    const all = rowsOf(settlement, lines);
    heads.push(paidHead(row, settlement, lines, all));
    return all.map((line, position): NewLine => {
      return { ...line, id: context.newId(), settlementId: row.id, currency: settlement.currency, position };
    });
  });
  await insertLines(transaction, source, rows, now, onLines);
  await writePaidHeads(transaction, source, heads, now);
}

/** A line of a payout without its place. */
export type LineRow = Pick<SettlementLine, 'kind' | 'reference' | 'transactionId' | 'description' | 'occurredAt'> & {
  readonly amount: string;
};

/** The lines of a payout with what they leave of its net amount. */
export function rowsOf({ net }: Pick<ListedSettlement, 'net'>, lines: readonly ListedSettlementLine[]): readonly LineRow[] {
  const rows = lines.map(({ kind, amount, reference, transactionId, description, occurredAt }): LineRow => {
    return { kind: LINE_KINDS[kind], amount, reference, transactionId, description, occurredAt };
  });
  const rest = subtractDecimals(net, sumDecimals(lines.map(({ amount }) => amount)));
  return compareDecimals(rest, '0') === 0 ? rows : [...rows, residueOf(rest)];
}

/** A line to store. */
export interface NewLine extends LineRow {
  readonly id: string;
  readonly settlementId: string;
  readonly currency: string;
  readonly position: number;
}

/** Stores lines of an account. One parameter for all: Prisma takes seconds for those of a thousand lines. */
export async function insertLines(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, fileId }: AccountKey & { readonly fileId: string | null },
  lines: readonly NewLine[],
  now: Date,
  onLines: (count: number) => void = () => undefined,
): Promise<void> {
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const some = lines.slice(from, from + LINES_AT_ONCE);
    await transaction.$executeRaw`
      INSERT INTO settlement_line (merchant_id, account_id, file_id, settlement_id, id, position, kind, amount, currency, reference, transaction_id,
        description, occurred_at, subjects, created_at)
      SELECT ${merchantId}::uuid, ${accountId}::uuid, ${fileId}::uuid, "settlementId", line.id, position, kind::settlement_line_kind, amount,
        currency, reference, "transactionId", description, "occurredAt", '{}', ${now}
      FROM jsonb_to_recordset(${JSON.stringify(some)}::jsonb) AS line(id uuid, "settlementId" uuid, position int, kind text, amount numeric,
        currency text, reference text, "transactionId" text, description text, "occurredAt" timestamptz)`;
    onLines(Math.min(from + LINES_AT_ONCE, lines.length));
  }
}

/** The head of a payout whose lines are known. */
interface PaidHead extends Omit<Head, 'settledOn'> {
  readonly id: string;
  readonly settledOn: string | null;
  readonly lineCount: number;
  readonly unexplained: string;
  readonly periodFrom: Date | null;
  readonly periodTo: Date | null;
  /** When the gateway created it, where that is said anew. */
  readonly createdAt: Date | null;
}

function paidHead(
  row: Settlement,
  settlement: ListedSettlement,
  lines: readonly ListedSettlementLine[],
  all: readonly LineRow[],
): PaidHead {
  const { settledOn, ...head } = headOf(settlement);
  const times = lines.flatMap(({ kind, occurredAt }) =>
    kind === 'payment' && occurredAt !== null ? [occurredAt.getTime()] : [],
  );
  return {
    ...head,
    id: row.id,
    settledOn: settledOn === null ? null : dayText(settledOn),
    lineCount: all.length,
    unexplained: sumDecimals(all.map(({ amount }) => magnitude(amount))),
    periodFrom: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.min(a, b))),
    periodTo: times.length === 0 ? null : new Date(times.reduce((a, b) => Math.max(a, b))),
    createdAt: row.status === 'WITHDRAWN' ? settlement.createdAt : null,
  };
}

async function writePaidHeads(
  transaction: Prisma.TransactionClient,
  { merchantId, road, fileId }: Source,
  heads: readonly PaidHead[],
  now: Date,
): Promise<void> {
  // A status at a time: Citus takes no text of a row for an enum in an update.
  for (const [status, own] of Map.groupBy(heads, (head) => head.status)) {
    for (const some of batches(own)) {
      await transaction.$executeRaw`
      UPDATE settlement SET status = ${status}::settlement_status, currency = payout.currency, gross = payout.gross, fees = payout.fees,
        deductions = payout.deductions, net = payout.net, settled_on = payout."settledOn", unrecognised = payout.unrecognised,
        unrecognised_record = payout."unrecognisedRecord", lines_read_at = ${now}, updated_at = ${now}, line_count = payout."lineCount",
        explained = 0, unexplained = payout.unexplained, period_from = payout."periodFrom", period_to = payout."periodTo",
        created_at = coalesce(payout."createdAt", settlement.created_at),
        road = CASE WHEN payout."createdAt" IS NULL THEN settlement.road ELSE ${road}::settlement_road END,
        file_id = coalesce(${fileId}::uuid, settlement.file_id)
      FROM jsonb_to_recordset(${JSON.stringify(some)}::jsonb) AS payout(id uuid, currency text, gross numeric, fees numeric,
        deductions numeric, net numeric, "settledOn" date, unrecognised text, "unrecognisedRecord" text, "lineCount" int, unexplained numeric,
        "periodFrom" timestamptz, "periodTo" timestamptz, "createdAt" timestamptz)
      WHERE settlement.merchant_id = ${merchantId}::uuid AND settlement.id = payout.id`;
    }
  }
}

function residueOf(amount: string): LineRow {
  return { kind: 'RESIDUE', amount, reference: null, transactionId: null, description: null, occurredAt: null };
}
