import { type Database, isUuid, type JsonValue, NIL_ID, toPrismaJson } from '@switchyard/db';
import type { CanaryEnd, CanaryUnit, Mode, Prisma, RuleCanary } from '@switchyard/db/client';
import type { CanaryState, CanaryTerms } from '@switchyard/routing/canary';
import { z } from 'zod';

/** Minutes after the time to pay: by then a payment that was paid within it is usually known to be. */
export const GRACE_MINUTES = 10;

type Client = Prisma.TransactionClient | Database['prisma'];

/** The merchant and mode of the rules. */
interface CanaryScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

/** A canary to store; it has looked at nothing yet. */
export type NewCanary = Omit<RuleCanary, 'scannedTo' | 'scannedId' | 'sums' | 'endedAt' | 'endedBy' | 'ended' | 'refusal'> & {
  readonly sums: CanaryState;
};

/** Numbers a draft as the version that a share of customers is routed by. Throws when it is no longer a draft. */
export async function beginCanary(
  transaction: Prisma.TransactionClient,
  canary: NewCanary,
  publication: {
    readonly version: number;
    readonly document: JsonValue;
    readonly reason: string | null;
    readonly publishedBy: string;
  },
): Promise<RuleCanary> {
  const { document, ...written } = publication;
  const { sums, ...row } = canary;
  const { merchantId, ruleSetId: id, startedAt: now } = canary;
  await transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId, id }, state: 'DRAFT' },
    data: { ...written, document: toPrismaJson(document), state: 'CANARY', publishedAt: now, updatedAt: now },
  });
  const scanned = { scannedTo: now, scannedId: NIL_ID };
  return transaction.ruleCanary.create({ data: { ...row, ...scanned, sums: toPrismaJson(sums) } });
}

/** The canary of a merchant and mode that has not ended, or null. */
export async function findOpenCanary(client: Client, { merchantId, mode }: CanaryScope): Promise<RuleCanary | null> {
  return client.ruleCanary.findFirst({ where: { merchantId, mode, endedAt: null } });
}

/** A canary by its id, ended or not, or null. */
export async function findCanaryById(client: Client, merchantId: string, id: string): Promise<RuleCanary | null> {
  if (!isUuid(merchantId) || !isUuid(id)) return null;
  return client.ruleCanary.findUnique({ where: { merchantId_id: { merchantId, id } } });
}

/** A merchant's canaries of one mode, the last started first. */
export async function listCanaryRows(client: Client, { merchantId, mode }: CanaryScope, limit: number): Promise<RuleCanary[]> {
  if (!isUuid(merchantId)) return [];
  return client.ruleCanary.findMany({
    where: { merchantId, mode },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

/** Canaries of these merchants, of all for null, that ended by themselves since a time, the last first. */
export async function listCanariesEndedSince(
  client: Client,
  { merchantIds, since, limit }: { readonly merchantIds: readonly string[] | null; readonly since: Date; readonly limit: number },
): Promise<RuleCanary[]> {
  return client.ruleCanary.findMany({
    where: {
      ...(merchantIds !== null && { merchantId: { in: merchantIds.filter(isUuid) } }),
      endedAt: { gte: since },
      ended: { in: ['PROMOTED', 'ROLLED_BACK', 'TIME', 'REFUSED'] },
      endedBy: CANARY_ACTOR,
    },
    orderBy: [{ endedAt: 'desc' }, { id: 'desc' }],
    take: limit,
  });
}

/** The author of what canaries do by themselves. */
export const CANARY_ACTOR = 'system:canary';

/** Canaries that have not ended, of all merchants, the one looked at longest ago first. */
export async function listOpenCanaries(database: Database, limit: number): Promise<RuleCanary[]> {
  return database.prisma.ruleCanary.findMany({
    where: { endedAt: null },
    orderBy: [{ scannedTo: 'asc' }, { id: 'asc' }],
    take: limit,
  });
}

/** Routes another share of customers by the version of an open canary from now on. */
export async function setCanaryPercent(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: Pick<RuleCanary, 'merchantId' | 'id'>,
  percent: number,
): Promise<void> {
  await transaction.ruleCanary.update({ where: { merchantId_id: { merchantId, id }, endedAt: null }, data: { percent } });
}

/** How a canary ends. */
export interface CanaryEnding {
  readonly ended: CanaryEnd;
  readonly endedAt: Date;
  readonly endedBy: string;
  readonly refusal?: string;
}

/** Ends an open canary and withdraws its version, unless it was promoted: then its version is to be published. */
export async function endCanary(
  transaction: Prisma.TransactionClient,
  { merchantId, id, ruleSetId }: Pick<RuleCanary, 'merchantId' | 'id' | 'ruleSetId'>,
  ending: CanaryEnding,
): Promise<void> {
  await transaction.ruleCanary.update({ where: { merchantId_id: { merchantId, id }, endedAt: null }, data: ending });
  if (ending.ended === 'PROMOTED') return;
  await transaction.ruleSetVersion.update({
    where: { merchantId_id: { merchantId, id: ruleSetId }, state: 'CANARY' },
    data: { state: 'WITHDRAWN', endedAt: ending.endedAt, updatedAt: ending.endedAt },
  });
}

/** An open canary, locked until the transaction ends; null when it has ended or another process works on it. */
export async function lockCanary(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: Pick<RuleCanary, 'merchantId' | 'id'>,
): Promise<RuleCanary | null> {
  const locked = await transaction.$queryRaw<unknown[]>`
    SELECT id FROM rule_canary WHERE merchant_id = ${merchantId}::uuid AND id = ${id}::uuid AND ended_at IS NULL
    FOR UPDATE SKIP LOCKED`;
  return locked.length === 0 ? null : findCanaryById(transaction, merchantId, id);
}

/** A payment whose horizon has passed. */
export interface CanaryPayment {
  readonly paymentId: string;
  readonly createdAt: Date;
  readonly customerEmail: string;
  readonly isErased: boolean;
  readonly packedDecision: Uint8Array;
  /** True if it was paid within the horizon. */
  readonly paid: boolean;
}

/** The next payments after the last one looked at that were initiated before a time, in order; none that bypassed the rules. */
export async function readCanaryPayments(
  transaction: Prisma.TransactionClient,
  { merchantId, mode, scannedTo, scannedId, horizonMinutes }: RuleCanary,
  before: Date,
  limit: number,
): Promise<CanaryPayment[]> {
  return transaction.$queryRaw<CanaryPayment[]>`
    SELECT id AS "paymentId", created_at AS "createdAt", customer_email AS "customerEmail",
      customer_erased_at IS NOT NULL AS "isErased", packed_decision AS "packedDecision",
      status IN ('SUCCESS', 'REFUNDED')
        AND coalesce(paid_at, status_changed_at) <= created_at + make_interval(mins => ${horizonMinutes}::int) AS paid
    FROM payment
    WHERE merchant_id = ${merchantId}::uuid AND mode = ${mode}::mode AND requested_gateway IS NULL
      AND (created_at, id) > (${scannedTo}::timestamptz, ${scannedId}::uuid) AND created_at < ${before}
    ORDER BY created_at, id LIMIT ${limit}`;
}

/** Those of these customers who count already. */
export async function knownCustomers(
  transaction: Prisma.TransactionClient,
  { merchantId, id: canaryId }: RuleCanary,
  customers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await transaction.canaryUnit.findMany({
    where: { merchantId, canaryId, customer: { in: [...customers] } },
    select: { customer: true },
  });
  return new Set(rows.map(({ customer }) => customer));
}

/** Stores customers, with what they amount to and the last payment that was looked at. */
export async function writeCanaryUnits(
  transaction: Prisma.TransactionClient,
  { merchantId, id }: RuleCanary,
  units: readonly CanaryUnit[],
  { sums, ...scanned }: { readonly sums: CanaryState; readonly scannedTo: Date; readonly scannedId: string },
): Promise<void> {
  await transaction.canaryUnit.createMany({ data: [...units] });
  const data = { ...scanned, sums: toPrismaJson(sums) };
  await transaction.ruleCanary.update({ where: { merchantId_id: { merchantId, id } }, data });
}

/** A point of a canary's line: the evidence after so many customers. */
export type CanaryPoint = Pick<CanaryUnit, 'position' | 'createdAt' | 'promote' | 'rollBack'>;

/** Points of a canary's line in order, at most about `limit`: one in so many customers, and the last. */
export async function readCanaryPoints(
  { pool }: Database,
  { merchantId, id }: Pick<RuleCanary, 'merchantId' | 'id'>,
  units: number,
  limit: number,
): Promise<CanaryPoint[]> {
  const step = Math.max(1, Math.ceil(units / limit));
  const { rows } = await pool.query<CanaryPoint>(
    `SELECT position, created_at AS "createdAt", promote, roll_back AS "rollBack" FROM canary_unit
    WHERE merchant_id = $1 AND canary_id = $2 AND (position % $3 = 0 OR position = $4) ORDER BY position`,
    [merchantId, id, step, units],
  );
  return rows;
}

const DELETE_UNITS = `
DELETE FROM canary_unit AS u USING (
  SELECT old.canary_id, old.customer FROM canary_unit AS old
  JOIN rule_canary ON rule_canary.merchant_id = old.merchant_id AND rule_canary.id = old.canary_id
  WHERE old.merchant_id = $1 AND rule_canary.merchant_id = $1 AND rule_canary.ended_at < $2
  LIMIT $3 FOR UPDATE OF old SKIP LOCKED) AS gone
WHERE u.merchant_id = $1 AND u.canary_id = gone.canary_id AND u.customer = gone.customer`;

/** Deletes customers of a merchant's canaries that ended before a time, at most `limit`. The sums stay. Returns how many. */
export async function ageOutCanaryUnits({ pool }: Database, merchantId: string, before: Date, limit: number): Promise<number> {
  const { rowCount } = await pool.query(DELETE_UNITS, [merchantId, before, limit]);
  return rowCount ?? 0;
}

/** Removes the hash of an erased customer's address from the canaries that these payments count in. Returns how many. */
export async function eraseCanaryCustomers(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<number> {
  return transaction.$executeRaw`
    UPDATE canary_unit SET customer = payment_id::text
    WHERE merchant_id = ${merchantId}::uuid AND payment_id = ANY (${[...paymentIds]}::uuid[]) AND customer <> payment_id::text`;
}

const storedArm = z.object({ customers: z.int(), paid: z.int() });

const storedState: z.ZodType<CanaryState> = z.object({
  draft: storedArm,
  live: storedArm,
  sum: z.number(),
  squares: z.number(),
  spread: z.number(),
  reach: z.number(),
  promote: z.number(),
  rollBack: z.number(),
});

/** Reads the sums of a canary back from where they were stored as JSON. Throws for another form: nothing else writes them. */
export function readCanaryState(stored: unknown): CanaryState {
  return storedState.parse(stored);
}

/** The terms that a customer was assigned by, as the mathematics of a canary takes them: the share is the customer's own. */
export function termsOf({ toleratedLoss }: Pick<RuleCanary, 'toleratedLoss'>, percent: number): CanaryTerms {
  return { share: percent / 100, toleratedLoss: toleratedLoss / 10_000 };
}
