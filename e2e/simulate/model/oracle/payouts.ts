import type { LedgerEntry, MatchLine } from '@switchyard/settlements/matching';
import type { Tables } from '../store/rows.ts';
import { decimal, type GatewayAccountBooks } from '../world/gateways.ts';
import type { PayoutPlan } from '../world/plan.ts';
import type { ProductCode } from '../world/process.ts';
import { feeByPriceList } from './fee-by-price-list.ts';
import { type ModelViolation, modelViolation } from './model-violation.ts';

const DAY_MS = 86_400_000;

/**
 * Has the product match one payout of each account, which pays all that the gateway's books have but one charge, and finds where the product's
 * judgement differs from that of the books.
 */
export function checkPayouts(
  match: ProductCode['matchSettlementLines'],
  {
    tables,
    books,
    plan,
    endAt,
  }: {
    readonly tables: Tables;
    readonly books: readonly GatewayAccountBooks[];
    readonly plan: PayoutPlan;
    readonly endAt: number;
  },
): ModelViolation[] {
  const day = new Date(endAt).toISOString().slice(0, 10);
  const options = {
    graceDays: 1,
    holidays: [],
    tolerance: '0',
    toleranceMinutes: 30,
    asOf: new Date(endAt + 30 * DAY_MS).toISOString().slice(0, 10),
  };
  return books.flatMap((own) => {
    // Money that a gateway takes back by itself may never have been paid out.
    const isKept = ({ reference }: { readonly reference: string }): boolean => own.find(reference)?.reversedAt === null;
    const ledger = ledgerOf(tables, own.accountId, day, isKept);
    const charged = own.checkouts.filter(
      ({ reference, charges }) => charges.length > 0 && ledger.some((entry) => entry.references[0] === reference),
    );
    const leftOut = charged[plan.leftOut % Math.max(1, charged.length)]?.reference ?? null;
    const result = match(linesOf(own, plan.naming, leftOut, day), ledger, options);
    const found: ModelViolation[] = [];
    for (const { entry, state } of result.entries) {
      const isLeftOut = entry.kind !== 'refund' && entry.kind !== 'dispute' && entry.references[0] === leftOut;
      const expected = isLeftOut ? 'missing' : 'settled';
      if (state !== expected)
        found.push(
          modelViolation('payout_differs', `${entry.subject} is ${state}, and by the payout ${expected}`, entry.paymentId),
        );
    }
    const known = new Set(ledger.flatMap(({ references }) => references));
    for (const { lineId, reference } of result.unmatched) {
      if (reference !== null && known.has(reference))
        found.push(modelViolation('payout_differs', `line ${lineId} of ${reference} is explained by nothing`));
    }
    return found;
  });
}

/** Lines of the payout, from the gateway's books alone. */
function linesOf(
  { checkouts, quirks }: GatewayAccountBooks,
  naming: PayoutPlan['naming'],
  leftOut: string | null,
  settledOn: string,
): MatchLine[] {
  const lines: MatchLine[] = [];
  const add = (line: Pick<MatchLine, 'kind' | 'amount' | 'currency' | 'reference' | 'transactionId'>): void => {
    lines.push({ lineId: String(lines.length + 1).padStart(6, '0'), occurredAt: null, settledOn, subjects: [], ...line });
  };
  for (const {
    reference,
    charges: [charge],
    refunds,
    disputes,
    reversedAt,
  } of checkouts) {
    if (charge === undefined || reversedAt !== null) continue;
    const { currency, transactionId } = charge;
    const names = naming === 'reference' ? { reference, transactionId: null } : { reference: null, transactionId };
    if (reference !== leftOut) {
      add({ kind: 'PAYMENT', amount: decimal(charge.amount), currency, ...names });
      add({ kind: 'FEE', amount: `-${decimal(feeByPriceList(charge.amount, quirks))}`, currency, ...names });
    }
    for (const { id, note, amount, fails } of refunds) {
      const refundNames =
        naming === 'reference' ? { reference: note, transactionId: null } : { reference: null, transactionId: id };
      if (!fails) add({ kind: 'REFUND', amount: `-${decimal(amount)}`, currency, ...refundNames });
    }
    for (const { id, isLost } of disputes) {
      if (isLost) add({ kind: 'CHARGEBACK', amount: `-${decimal(charge.amount)}`, currency, reference: id, transactionId: null });
    }
  }
  return lines;
}

/** The ledger of an account, from the tables. */
function ledgerOf(
  tables: Tables,
  accountId: string,
  expectedOn: string,
  isKept: (money: { readonly reference: string }) => boolean,
): LedgerEntry[] {
  const entries: LedgerEntry[] = [];
  const due = { stance: 'due', expectedOn } as const;
  for (const attempt of tables.attempts.all()) {
    const payment = tables.payments.get(attempt.paymentId);
    if (attempt.accountId !== accountId || attempt.state !== 'PAID' || attempt.duplicate || payment === undefined) continue;
    if (!isKept(attempt)) continue;
    const { paymentId, reference, transactionId, receivedAmount, receivedCurrency } = attempt;
    entries.push({
      ...due,
      subject: `payment/${paymentId}`,
      kind: 'payment',
      paymentId,
      refundId: null,
      disputeId: null,
      references: [reference],
      transactionIds: transactionId === null ? [] : [transactionId],
      currency: receivedCurrency ?? payment.currency,
      amount: receivedAmount ?? String(payment.amount),
      fee: payment.feeAmount,
      occurredAt: payment.paidAt ?? attempt.updatedAt,
    });
  }
  for (const charge of tables.duplicateCharges.all()) {
    if (charge.accountId !== accountId || !isKept(charge)) continue;
    const { id, paymentId, reference, transactionId, currency, amount, createdAt } = charge;
    const of = { refundId: null, disputeId: null, references: [reference], transactionIds: [transactionId] };
    entries.push({
      ...due,
      ...of,
      subject: `duplicate/${id}`,
      kind: 'duplicate',
      paymentId,
      currency,
      amount,
      fee: null,
      occurredAt: createdAt,
    });
  }
  for (const refund of tables.refunds.all()) {
    if (refund.accountId !== accountId || refund.state !== 'SUCCEEDED') continue;
    const { id, paymentId, reference, gatewayRefundId, currency, updatedAt } = refund;
    const ids = gatewayRefundId === null ? [] : [gatewayRefundId];
    const of = { refundId: id, disputeId: null, references: [reference, ...ids], transactionIds: ids };
    entries.push({
      ...due,
      ...of,
      subject: `refund/${id}`,
      kind: 'refund',
      paymentId,
      currency,
      amount: `-${refund.amount}`,
      fee: '0',
      occurredAt: updatedAt,
    });
  }
  for (const dispute of tables.disputes.all()) {
    if (dispute.accountId !== accountId || dispute.state !== 'LOST') continue;
    const { id, paymentId, gatewayDisputeId, currency, amount, openedAt } = dispute;
    if (paymentId === null) continue;
    const of = { refundId: null, disputeId: id, references: [gatewayDisputeId], transactionIds: [gatewayDisputeId] };
    entries.push({
      ...due,
      ...of,
      subject: `dispute/${id}`,
      kind: 'dispute',
      paymentId,
      currency,
      amount: `-${amount}`,
      fee: null,
      occurredAt: openedAt,
    });
  }
  return entries;
}
