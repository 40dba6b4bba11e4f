import type { Database } from '@switchyard/db';
import type { Mode, Prisma } from '@switchyard/db/client';
import type { Decision, RoutablePayment, RoutingRecord } from '@switchyard/routing';
import { readDecision, readStoredInputs } from '@switchyard/rule-sets/read-inputs';
import { toMethod } from '@switchyard/rule-sets/snapshot';
import { z } from 'zod';

const chosen = z.object({ index: z.int(), provider: z.string(), subproviderId: z.string() });

const recordSchema: z.ZodType<RoutingRecord> = z.object({
  version: z.literal(1),
  decidedAt: z.string(),
  rationale: z.string(),
  rationaleCode: z.enum(['smart_routing_rule', 'default_provider_order', 'requested_gateway', 'no_eligible_provider']),
  contextKey: z.string(),
  overrides: z.array(
    z.object({
      provider: z.string(),
      subproviderId: z.string(),
      action: z.enum(['drain', 'disable', 'force']),
      reason: z.string(),
      actor: z.string(),
      expiresAt: z.string().nullable(),
    }),
  ),
  reasons: z.array(
    z.object({
      code: z.string(),
      title: z.string(),
      message: z.string(),
      category: z.enum(['rule', 'health', 'override', 'capability', 'fallback']),
      severity: z.enum(['info', 'warning', 'critical']),
    }),
  ),
  candidates: z.array(
    z.object({
      ...chosen.shape,
      eligible: z.boolean(),
      ineligibleReason: z
        .enum([
          'disabled_by_operator',
          'disabled',
          'method_not_supported',
          'currency_not_supported',
          'amount_out_of_range',
          'not_configured',
        ])
        .nullable(),
    }),
  ),
  recommended: chosen.nullable(),
});

/** Added later for each gateway that failed: not part of the decision itself. */
const ADDED_LATER = /^gateway_failed_/;

/**
 * The original decision, from a payment's row and the accounts that it names, without the later additions of fallbacks. Null where the
 * format is unknown to this version.
 */
export async function readStoredDecision(
  source: Pick<Database, 'prisma'>,
  stored: StoredPaymentDecision,
): Promise<Decision | null> {
  const record = recordSchema.safeParse(stored.routing);
  const inputs = await readStoredInputs(source, stored);
  if (!record.success || inputs === null) return null;
  const reasons = record.data.reasons.filter(({ code }) => !ADDED_LATER.test(code));
  // Eligible candidates come first, in the order in which they were to be tried.
  const eligible = record.data.candidates.filter((candidate) => candidate.eligible);
  return {
    record: { ...record.data, reasons },
    plan: eligible.map(({ subproviderId, provider }) => ({ accountId: subproviderId, gateway: provider })),
    routingMode: stored.routingMode === 'requested' ? 'requested' : 'smart',
    smartRoutingBypassed: stored.smartRoutingBypassed,
    ruleId: stored.ruleId,
    ruleSetVersion: stored.ruleSetVersion,
    inputs,
  };
}

/** The decision of one payment, as it was stored. `routing` and `inputs` are JSON that routing wrote. */
export interface StoredPaymentDecision {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  readonly createdAt: Date;
  readonly ruleSetVersion: number;
  readonly ruleId: string | null;
  readonly routingMode: string;
  readonly smartRoutingBypassed: boolean;
  readonly routing: unknown;
  readonly inputs: unknown;
  /** By which the customer was drawn for a trial or a hold-out; null once it is erased. */
  readonly customerEmail: string | null;
  /** The payment as routing read it. */
  readonly payment: RoutablePayment;
}

/** Columns of a payment that routing reads. */
export interface RoutableColumns {
  readonly id: string;
  readonly currency: string;
  readonly amount: bigint;
  readonly paymentMethod: string | null;
  readonly customerCountry: string | null;
  readonly requestedGateway: string | null;
}

/** A payment's row as routing reads it. */
export function toRoutablePayment(row: RoutableColumns): RoutablePayment {
  const { id: paymentId, currency, amount, paymentMethod, customerCountry, requestedGateway } = row;
  return { paymentId, currency, amount: Number(amount), method: toMethod(paymentMethod), customerCountry, requestedGateway };
}

const COLUMNS = {
  merchantId: true,
  id: true,
  mode: true,
  createdAt: true,
  ruleSetVersion: true,
  ruleId: true,
  routingMode: true,
  smartRoutingBypassed: true,
  packedDecision: true,
  currency: true,
  amount: true,
  paymentMethod: true,
  customerCountry: true,
  requestedGateway: true,
  customerEmail: true,
  customerErasedAt: true,
} as const satisfies Prisma.PaymentSelect;

type Row = Prisma.PaymentGetPayload<{ select: typeof COLUMNS }>;

function toStoredDecision(row: Row): StoredPaymentDecision {
  const { id: paymentId, routingMode, smartRoutingBypassed, ruleId, ruleSetVersion, mode, createdAt, merchantId } = row;
  const decision = {
    ...readDecision(row),
    routingMode,
    smartRoutingBypassed,
    ruleId,
    ruleSetVersion,
  };
  const customerEmail = row.customerErasedAt === null ? row.customerEmail : null;
  return { merchantId, paymentId, mode, createdAt, ...decision, customerEmail, payment: toRoutablePayment(row) };
}

/** The decision that routed a payment of one of these merchants, or null. `paymentId` must be a UUID. */
export async function findPaymentDecision(
  database: Database,
  merchantIds: readonly string[],
  paymentId: string,
): Promise<StoredPaymentDecision | null> {
  const where = { merchantId: { in: [...merchantIds] }, id: paymentId };
  const row = await database.prisma.payment.findFirst({ where, select: COLUMNS });
  return row === null ? null : toStoredDecision(row);
}

/** Decisions of these payments of one merchant, in no order. */
export async function findDecisions(
  { prisma }: Pick<Database, 'prisma'>,
  merchantId: string,
  paymentIds: readonly string[],
): Promise<StoredPaymentDecision[]> {
  const rows = await prisma.payment.findMany({ where: { merchantId, id: { in: [...paymentIds] } }, select: COLUMNS });
  return rows.map(toStoredDecision);
}

/** The ids of a merchant's payments after one, in their order: at most `limit`, none after the last. */
export async function listPaymentIds(
  { pool }: Pick<Database, 'pool'>,
  merchantId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM payment WHERE merchant_id = $1 AND id > $2 ORDER BY id LIMIT $3',
    [merchantId, after, limit],
  );
  return rows.map(({ id }) => id);
}
