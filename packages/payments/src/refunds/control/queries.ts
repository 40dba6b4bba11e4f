import type { Mode, Prisma, RefundControl as RefundControlRow, StaffRole } from '@switchyard/db/client';
import { type RoleKey, STAFF_ROLES } from '@switchyard/staff/permissions';
import { z } from 'zod';

/** A reason that refunds are requested for. */
export interface ReasonCode {
  readonly code: string;
  readonly title: string;
}

/** Control that a merchant keeps over refunds that people request. Amounts are whole main units. */
export interface RefundControl {
  /** A refund of more needs a second person; null for never. */
  readonly secondPersonAbove: bigint | null;
  /** Amounts that one person may request on a day of Lagos, by role. Of a role without one see `dailyLimitOf`. */
  readonly dailyLimits: Readonly<Partial<Record<StaffRole, bigint>>>;
  /** In the order in which they are offered. When there are any, a refund needs one. */
  readonly reasonCodes: readonly ReasonCode[];
}

/** The control of a merchant that keeps none. */
export const NO_CONTROL: RefundControl = { secondPersonAbove: null, dailyLimits: {}, reasonCodes: [] };

const storedLimits = z.partialRecord(z.enum(STAFF_ROLES), z.int().transform(BigInt));
const storedCodes = z.array(z.object({ code: z.string(), title: z.string() }));

function toControl(row: Pick<RefundControlRow, 'secondPersonAbove' | 'dailyLimits' | 'reasonCodes'> | null): RefundControl {
  if (row === null) return NO_CONTROL;
  return {
    secondPersonAbove: row.secondPersonAbove,
    dailyLimits: storedLimits.parse(row.dailyLimits),
    reasonCodes: storedCodes.parse(row.reasonCodes),
  };
}

/** The control that a merchant keeps. */
export async function readControl(client: Prisma.TransactionClient, merchantId: string): Promise<RefundControl> {
  return toControl(await client.refundControl.findUnique({ where: { merchantId } }));
}

/**
 * {@link readControl}, locked until the transaction ends: requests of people at the merchant follow one another, and the settings stay
 * as they are. Taken after the payment's lock and before that of the audit log.
 */
export async function lockControl(transaction: Prisma.TransactionClient, merchantId: string): Promise<RefundControl> {
  const [row] = await transaction.$queryRaw<RefundControlRow[]>`
    SELECT second_person_above AS "secondPersonAbove", daily_limits AS "dailyLimits", reason_codes AS "reasonCodes"
    FROM refund_control WHERE merchant_id = ${merchantId}::uuid FOR UPDATE`;
  return toControl(row ?? null);
}

/** Stores a merchant's control in place of the one before. */
export async function writeControl(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  control: RefundControl,
): Promise<void> {
  const row = {
    secondPersonAbove: control.secondPersonAbove,
    dailyLimits: limitsAsJson(control),
    reasonCodes: control.reasonCodes.map(({ code, title }) => ({ code, title })),
  };
  await transaction.refundControl.upsert({ where: { merchantId }, create: { merchantId, ...row }, update: row });
}

/** Limits as JSON holds them: they are far below what a number holds exactly. */
export function limitsAsJson({ dailyLimits }: Pick<RefundControl, 'dailyLimits'>): Record<string, number> {
  return Object.fromEntries(Object.entries(dailyLimits).map(([role, limit]) => [role, Number(limit)]));
}

/** The person whose requests are summed, and since when. */
export interface RequestedSince {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly currency: string;
  /** `staff:<id>` */
  readonly actor: string;
  readonly since: Date;
}

/**
 * Sum that a person requested since a moment, in whole main units: refunds, and those that wait for a second person or were approved, which
 * count on the day they were asked for. What failed, was declined or withdrawn, or has expired moves nothing and does not count.
 */
export async function sumRequestedBy(
  client: Prisma.TransactionClient,
  { merchantId, mode, currency, actor, since }: RequestedSince,
  now: Date,
): Promise<bigint> {
  const [row] = await client.$queryRaw<{ readonly sum: bigint }[]>`
    SELECT COALESCE(sum(amount), 0)::bigint AS sum FROM (
      SELECT refund.amount FROM refund
      LEFT JOIN refund_approval AS approval ON approval.merchant_id = refund.merchant_id AND approval.id = refund.id
      WHERE refund.merchant_id = ${merchantId}::uuid AND refund.mode = ${mode}::mode AND refund.created_at >= ${since}::timestamptz
        AND refund.requested_by = ${actor} AND refund.currency = ${currency} AND refund.state <> 'FAILED' AND approval.id IS NULL
      UNION ALL
      SELECT approval.amount FROM refund_approval AS approval
      LEFT JOIN refund ON refund.merchant_id = approval.merchant_id AND refund.id = approval.id
      WHERE approval.merchant_id = ${merchantId}::uuid AND approval.mode = ${mode}::mode
        AND approval.created_at >= ${since}::timestamptz AND approval.requested_by = ${actor} AND approval.currency = ${currency}
        AND (approval.state = 'APPROVED' OR approval.state = 'WAITING' AND approval.expires_at > ${now}::timestamptz)
        AND (refund.state IS NULL OR refund.state <> 'FAILED')) AS requested`;
  return row?.sum ?? 0n;
}

/**
 * Sum that people refunded of a payment's own money without a second person, in whole main units: a refund in parts needs one as soon as the
 * whole would.
 */
export async function sumRequestedByOne(
  client: Prisma.TransactionClient,
  merchantId: string,
  paymentId: string,
): Promise<bigint> {
  const [row] = await client.$queryRaw<{ readonly sum: bigint }[]>`
    SELECT COALESCE(sum(refund.amount), 0)::bigint AS sum FROM refund
    LEFT JOIN refund_approval AS approval ON approval.merchant_id = refund.merchant_id AND approval.id = refund.id
    WHERE refund.merchant_id = ${merchantId}::uuid AND refund.payment_id = ${paymentId}::uuid AND refund.state <> 'FAILED'
      AND NOT refund.duplicate AND NOT refund.mismatched AND refund.requested_by LIKE 'staff:%' AND approval.id IS NULL`;
  return row?.sum ?? 0n;
}

/** The zone of the days that limits are counted by. */
export const LIMIT_ZONE = 'Africa/Lagos';

/** Roles that refund any amount until the merchant sets a limit. All others refund within that of Support alone: nothing, until it is set. */
const UNLIMITED: readonly StaffRole[] = ['owner', 'finance', 'developer'];

/** The amount that someone with these roles may request on a day: the highest of their limits, null for any amount. */
export function dailyLimitOf({ dailyLimits }: Pick<RefundControl, 'dailyLimits'>, roles: readonly RoleKey[]): bigint | null {
  let highest: bigint | null = null;
  for (const role of roles) {
    const limit = limitOf(dailyLimits, role);
    if (limit === undefined) return null;
    if (highest === null || limit > highest) highest = limit;
  }
  return highest;
}

function limitOf(dailyLimits: RefundControl['dailyLimits'], role: RoleKey): bigint | undefined {
  const unlimited = UNLIMITED.find((each) => each === role);
  return unlimited === undefined ? (dailyLimits.support ?? 0n) : dailyLimits[unlimited];
}
