import { createHash } from 'node:crypto';
import type { Prisma, SettlementLineKind, SettlementLinkedBy, SettlementRoad, SettlementStatus } from '@switchyard/db/client';
import { addDecimals } from '@switchyard/db/decimals';
import type { ListedSettlementLine } from '@switchyard/gateways';
import type { AccountKey } from '../context.ts';
import { mapInTurns } from '../reading/in-turns.ts';
import { batches, LARGE_BATCH } from '../source-lease.ts';

type Source = Pick<Prisma.TransactionClient, '$queryRaw'>;

/** A payout as it is stored, with a digest of its lines. Amounts are exact decimals of the main unit, days `YYYY-MM-DD`. */
export interface StoredPayout {
  readonly settlementId: string;
  readonly reference: string;
  readonly status: SettlementStatus;
  readonly road: SettlementRoad;
  readonly fileId: string | null;
  readonly currency: string;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly settledOn: string | null;
  /** False until its lines were stored. */
  readonly hasLines: boolean;
  /** Residues are not among them. */
  readonly lines: LineDigest;
}

/** Digest of a payout's lines, the same in any order. */
export interface LineDigest {
  readonly count: number;
  /** Digest of kinds, amounts and names. */
  readonly money: string;
  /** Digest of these with times and descriptions. */
  readonly all: string;
}

/** A line of a file, or as it is stored. */
export interface LineFacts {
  readonly kind: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
  readonly occurredAt: Date | null;
  readonly description: string | null;
}

/* Characters that no text of a file has; the query below has them as `chr(31)` and `chr(30)`. */
const BETWEEN = '\u001f';
const NONE = '\u001e';

/** Kind, amount and names of a line. */
export function moneyKeyOf({ kind, amount, reference, transactionId }: LineFacts): string {
  return [kind.toUpperCase(), addDecimals(amount), reference ?? NONE, transactionId ?? NONE].join(BETWEEN);
}

/** All that a line says. */
export function keyOf(line: LineFacts): string {
  return [moneyKeyOf(line), line.occurredAt?.getTime() ?? NONE, line.description ?? NONE].join(BETWEEN);
}

/** The digest of a file's lines, as the database makes that of stored ones. */
export async function digestOf(lines: readonly ListedSettlementLine[]): Promise<LineDigest> {
  let [money, all] = [0n, 0n];
  await mapInTurns(lines, (line) => {
    money += numberOf(moneyKeyOf(line));
    all += numberOf(keyOf(line));
  });
  return { count: lines.length, money: money.toString(), all: all.toString() };
}

/** Sums of hashes do not depend on the order, nor on how texts are sorted. */
function numberOf(key: string): bigint {
  return BigInt(`0x${createHash('md5').update(key).digest('hex').slice(0, 15)}`);
}

/** The payouts of these references at an account. */
export async function readStoredPayouts(
  client: Source,
  { merchantId, accountId }: AccountKey,
  references: readonly string[],
): Promise<StoredPayout[]> {
  const payouts: (Omit<StoredPayout, 'lines'> & { readonly last: number })[] = [];
  for (const some of batches(references)) {
    payouts.push(
      ...(await client.$queryRaw<typeof payouts>`
        SELECT payout.id AS "settlementId", payout.reference, payout.status::text AS status, payout.road::text AS road,
          payout.file_id AS "fileId", payout.currency::text AS currency, trim_scale(payout.gross)::text AS gross,
          trim_scale(payout.fees)::text AS fees, trim_scale(payout.deductions)::text AS deductions, trim_scale(payout.net)::text AS net,
          payout.settled_on::text AS "settledOn", payout.lines_read_at IS NOT NULL AS "hasLines", coalesce((
            SELECT position FROM settlement_line AS line WHERE line.merchant_id = payout.merchant_id AND line.settlement_id = payout.id
            ORDER BY position DESC LIMIT 1), -1) AS last
        FROM settlement AS payout WHERE payout.merchant_id = ${merchantId}::uuid AND payout.account_id = ${accountId}::uuid
          AND payout.reference = ANY (${some}::text[])`),
    );
  }
  const digests = await readDigests(client, merchantId, payouts);
  return payouts.map(({ last: _, ...payout }) => ({ ...payout, lines: digests.get(payout.settlementId) ?? NO_LINES }));
}

const NO_LINES: LineDigest = { count: 0, money: '0', all: '0' };

/** Some lines of a payout, by their positions. */
interface Part {
  readonly settlementId: string;
  readonly from: number;
  readonly until: number;
}

/** The digests of the payouts' lines; so many lines in a statement that it ends in time. */
async function readDigests(
  client: Source,
  merchantId: string,
  payouts: readonly { readonly settlementId: string; readonly last: number }[],
): Promise<ReadonlyMap<string, LineDigest>> {
  const digests = new Map<string, LineDigest>();
  for (const parts of statementsOf(payouts)) {
    const rows = await client.$queryRaw<(LineDigest & { readonly settlementId: string })[]>`
      SELECT part."settlementId", line.count, line.money, line.all
      FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb) AS part("settlementId" uuid, "from" int, "until" int) CROSS JOIN LATERAL (
        SELECT count(*)::int AS count, coalesce(sum(('x' || substr(md5(keyed.money), 1, 15))::bit(60)::bigint), 0)::text AS money,
          coalesce(sum(('x' || substr(md5(keyed.all), 1, 15))::bit(60)::bigint), 0)::text AS all
        FROM (SELECT money, concat(money, chr(31), coalesce((extract(epoch FROM occurred_at) * 1000)::bigint::text, chr(30)), chr(31),
            coalesce(description, chr(30))) AS all
          FROM (SELECT occurred_at, description, concat(line.kind::text, chr(31), trim_scale(line.amount)::text, chr(31),
              coalesce(line.reference, chr(30)), chr(31), coalesce(line.transaction_id, chr(30))) AS money
            FROM settlement_line AS line
            WHERE line.merchant_id = ${merchantId}::uuid AND line.settlement_id = part."settlementId" AND line.kind <> 'RESIDUE'
              AND line.position >= part."from" AND line.position < part."until") AS named) AS keyed
      ) AS line`;
    for (const { settlementId, ...part } of rows) {
      const { count, money, all } = digests.get(settlementId) ?? NO_LINES;
      digests.set(settlementId, { count: count + part.count, money: plus(money, part.money), all: plus(all, part.all) });
    }
  }
  return digests;
}

function plus(a: string, b: string): string {
  return (BigInt(a) + BigInt(b)).toString();
}

/** Parts of payouts in groups of {@link LARGE_BATCH} lines at most. */
function statementsOf(payouts: readonly { readonly settlementId: string; readonly last: number }[]): Part[][] {
  const statements: Part[][] = [];
  let room = 0;
  for (const { settlementId, last } of payouts) {
    for (let from = 0; from <= last; ) {
      if (room === 0) {
        statements.push([]);
        room = LARGE_BATCH;
      }
      const until = Math.min(last + 1, from + room);
      statements.at(-1)?.push({ settlementId, from, until });
      room -= until - from;
      from = until;
    }
  }
  return statements;
}

/** A line of a payout as it is stored. */
export interface StoredLineFacts extends LineFacts {
  readonly lineId: string;
  readonly settlementId: string;
  readonly fileId: string | null;
  readonly position: number;
  readonly kind: SettlementLineKind;
  readonly currency: string;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  readonly subjects: readonly string[];
  readonly linkedBy: SettlementLinkedBy | null;
}

/** The lines of payouts, residues among them, each payout's in the order of its gateway. */
export async function readStoredLines(
  client: Source,
  { merchantId }: Pick<AccountKey, 'merchantId'>,
  settlementIds: readonly string[],
): Promise<StoredLineFacts[]> {
  const lines: StoredLineFacts[] = [];
  let after: { readonly settlementId: string; readonly position: number } | null = null;
  for (;;) {
    const page: StoredLineFacts[] = await client.$queryRaw<StoredLineFacts[]>`
      SELECT id AS "lineId", settlement_id AS "settlementId", file_id AS "fileId", position, line.kind::text AS kind,
        trim_scale(amount)::text AS amount, currency::text AS currency, reference, transaction_id AS "transactionId",
        occurred_at AS "occurredAt", description, payment_id AS "paymentId", refund_id AS "refundId", dispute_id AS "disputeId",
        coalesce(subjects, '{}') AS subjects, linked_by::text AS "linkedBy"
      FROM settlement_line AS line
      WHERE merchant_id = ${merchantId}::uuid AND settlement_id = ANY (${settlementIds}::uuid[])
        AND (${after?.settlementId ?? null}::uuid IS NULL
          OR (settlement_id, position) > (${after?.settlementId ?? null}::uuid, ${after?.position ?? null}::int))
      ORDER BY settlement_id, position LIMIT ${LARGE_BATCH}`;
    for (const line of page) lines.push(line);
    after = page.at(-1) ?? null;
    if (page.length < LARGE_BATCH) return lines;
  }
}
