import { type DiscrepancyState, Prisma } from '@switchyard/db/client';
import type { FeeTerms } from '@switchyard/routing';
import { dayText } from '@switchyard/runtime/calendar-days';
import { contractAt } from '@switchyard/runtime/fee-contracts';
import type { SettlementContext } from '../context.ts';
import { auditFee, decimalOf } from '../fees/audit-fees.ts';
import { readCharged } from '../fees/fee-queries.ts';
import { type FeeFilter, feeConditions } from '../fees/figures.ts';
import { accountNames, pageLimit } from './names.ts';

/** The fee of a payment. Amounts are exact decimals of the main unit. */
export interface PaymentFeeItem {
  readonly paymentId: string;
  readonly merchantId: string;
  readonly merchantName: string;
  readonly accountId: string;
  readonly accountLabel: string;
  readonly gateway: string;
  readonly gatewayTitle: string;
  readonly merchantOrderId: string | null;
  readonly method: string | null;
  readonly currency: string;
  readonly amount: string;
  readonly expected: string | null;
  readonly reported: string | null;
  readonly settled: string | null;
  readonly charged: string | null;
  /** Charged beyond the contract and its tolerance; negative below. */
  readonly excess: string;
  readonly settlementId: string | null;
  readonly settledOn: string | null;
  readonly createdAt: Date;
  readonly paidAt: Date;
  /** The discrepancy about it; null without one. */
  readonly discrepancyId: string | null;
  readonly discrepancyState: DiscrepancyState | null;
}

/** The last fee of the previous page. */
export interface PaymentFeeKey {
  readonly paidAt: Date;
  readonly paymentId: string;
}

/** A page of fees; `next` is null on the last one. */
export interface PaymentFeePage {
  readonly items: readonly PaymentFeeItem[];
  readonly next: PaymentFeeKey | null;
}

/** A page of fees, the payments that were paid last first; 500 at most. */
export async function listPaymentFees(
  context: SettlementContext,
  query: FeeFilter & { readonly after: PaymentFeeKey | null; readonly limit: number },
): Promise<PaymentFeePage> {
  const { after } = query;
  const limit = pageLimit(query.limit);
  const { prisma } = context.resources.database;
  const isAfter =
    after === null ? [] : [Prisma.sql`(p.paid_at, p.payment_id) < (${after.paidAt}::timestamptz, ${after.paymentId}::uuid)`];
  const page = await prisma.$queryRaw<{ paymentId: string }[]>`
    SELECT p.payment_id AS "paymentId" FROM payment_fee AS p
    WHERE ${Prisma.join([...feeConditions(query), ...isAfter], ' AND ')}
    ORDER BY p.paid_at DESC, p.payment_id DESC LIMIT ${limit + 1}`;
  const items = await readItems(
    context,
    query.merchantIds,
    page.slice(0, limit).map(({ paymentId }) => paymentId),
  );
  const last = items.at(-1);
  if (page.length <= limit || last === undefined) return { items, next: null };
  return { items, next: { paidAt: last.paidAt, paymentId: last.paymentId } };
}

/** A step of a fee's computation; exact decimal of the main unit. */
export interface FeeStep {
  readonly step: 'percentage' | 'flat' | 'waived' | 'cap' | 'vat' | 'stamp_duty';
  readonly amount: string;
}

/** The fee of one payment, with how it is computed. */
export interface ExplainedFee extends PaymentFeeItem {
  /** Null without a contract. */
  readonly contract: {
    readonly contractId: string;
    readonly appliesFrom: Date;
    readonly tolerance: string;
    readonly terms: FeeTerms;
    /** The place of the exception that the terms are of, from 0; null for the usual ones. */
    readonly exception: number | null;
    readonly origin: 'local' | 'international' | null;
    /** True where the fee is of amount and fee. */
    readonly onTop: boolean;
    readonly steps: readonly FeeStep[];
  } | null;
}

/** The fee of one payment; null while it is not audited, and when none of these merchants has it. */
export async function explainPaymentFee(
  context: SettlementContext,
  { merchantIds, paymentId }: { readonly merchantIds: readonly string[]; readonly paymentId: string },
): Promise<ExplainedFee | null> {
  const [item] = await readItems(context, merchantIds, [paymentId]);
  if (item === undefined) return null;
  const { database, configuration } = context.resources;
  const contracts = configuration.merchant(item.merchantId)?.feeContracts ?? [];
  const contract = contractAt(contracts, item.accountId, item.paidAt);
  const [row] = await readCharged(database, item, [paymentId]);
  if (contract === null || contract.schedule === null || row === undefined) return { ...item, contract: null };
  const { contractId, appliesFrom, tolerance, schedule } = contract;
  const { computation, onTop, origin } = auditFee({ schedule, tolerance }, row);
  const { percentage, flat, waived, capped, vat, stampDuty, terms, exception } = computation;
  const steps: FeeStep[] = [
    { step: 'percentage', amount: decimalOf(percentage) },
    ...(terms.flat > 0 ? [{ step: waived ? ('waived' as const) : ('flat' as const), amount: decimalOf(flat) }] : []),
    ...(capped < percentage + flat ? [{ step: 'cap' as const, amount: `-${decimalOf(percentage + flat - capped)}` }] : []),
    ...(vat > 0 ? [{ step: 'vat' as const, amount: decimalOf(vat) }] : []),
    ...(stampDuty > 0 ? [{ step: 'stamp_duty' as const, amount: decimalOf(stampDuty) }] : []),
  ];
  return { ...item, contract: { contractId, appliesFrom, tolerance, terms, exception, origin, onTop, steps } };
}

async function readItems(
  context: SettlementContext,
  merchantIds: readonly string[],
  paymentIds: readonly string[],
): Promise<PaymentFeeItem[]> {
  if (paymentIds.length === 0) return [];
  const { prisma } = context.resources.database;
  const merchantId = { in: [...merchantIds] };
  const [rows, orders, found] = await Promise.all([
    prisma.paymentFee.findMany({ where: { merchantId, paymentId: { in: [...paymentIds] } } }),
    prisma.payment.findMany({ where: { merchantId, id: { in: [...paymentIds] } }, select: { id: true, merchantOrderId: true } }),
    prisma.settlementDiscrepancy.findMany({
      where: { merchantId, paymentId: { in: [...paymentIds] }, kind: 'OVERCHARGED' },
      select: { id: true, paymentId: true, state: true },
    }),
  ]);
  const orderOf = new Map(orders.map(({ id, merchantOrderId }) => [id, merchantOrderId]));
  const discrepancyOf = new Map(found.map((each) => [each.paymentId, each]));
  const byId = new Map(rows.map((row) => [row.paymentId, row]));
  return paymentIds.flatMap((id): PaymentFeeItem[] => {
    const row = byId.get(id);
    if (row === undefined) return [];
    const discrepancy = discrepancyOf.get(id);
    return [
      {
        paymentId: row.paymentId,
        merchantId: row.merchantId,
        accountId: row.accountId,
        ...accountNames(context, row),
        merchantOrderId: orderOf.get(id) ?? null,
        method: row.method,
        currency: row.currency,
        amount: row.amount.toFixed(),
        expected: row.expected?.toFixed() ?? null,
        reported: row.reported?.toFixed() ?? null,
        settled: row.settled?.toFixed() ?? null,
        charged: row.charged?.toFixed() ?? null,
        excess: row.excess.toFixed(),
        settlementId: row.settlementId,
        settledOn: row.settledOn === null ? null : dayText(row.settledOn),
        createdAt: row.createdAt,
        paidAt: row.paidAt,
        discrepancyId: discrepancy?.id ?? null,
        discrepancyState: discrepancy?.state ?? null,
      },
    ];
  });
}
