import { lineKinds } from '@switchyard/exports/filters';
import type { SettlementItem, SettlementLineItem } from '@switchyard/settlements/console';
import { z } from 'zod';

const described = (description: string) => z.string().openapi({ description });
const decimal = (description: string) =>
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .openapi({ description, example: '2462.5' });
const instant = z.iso.datetime();
const day = z.iso.date();
const nextCursor = z.string().nullable().openapi({ description: 'The `cursor` of the next page; null on the last one.' });

/** A settlement as it is answered. */
export const settlementSchema = z
  .strictObject({
    settlementId: z.uuid().openapi({ description: 'Its id, made by the service.' }),
    reference: described("The gateway's own id or reference."),
    gateway: described('The gateway that pays out.'),
    account: described("The merchant's label of the gateway account."),
    status: z.enum(['PENDING', 'PAID', 'FAILED', 'WITHDRAWN']),
    currency: described('ISO 4217 code of its amounts.'),
    gross: decimal('Payments in it, before fees and deductions: an exact decimal of the main unit, as all its amounts.'),
    fees: decimal('Fees of its payments.'),
    deductions: decimal('Taken off beside fees: refunds, chargebacks, stamp duty.'),
    net: decimal('Paid out: the sum of its lines.'),
    explained: decimal('Sum of the lines that are matched with a payment, refund or dispute, each without its sign.'),
    unexplained: decimal('The same of the other lines, and of what no line accounts for.'),
    settledOn: day.nullable().openapi({ description: 'Day of the payout; null until it is known.' }),
    lineCount: z.int().min(0),
    createdAt: instant.openapi({ description: 'When the gateway created it.' }),
  })
  .openapi('Settlement');

/** A page of settlements. */
export const settlementListSchema = z
  .strictObject({ settlements: z.array(settlementSchema), nextCursor })
  .openapi('SettlementList');

/** A line of a settlement as it is answered. */
const settlementLineSchema = z
  .strictObject({
    lineId: z.uuid(),
    position: z.int().min(0).openapi({ description: 'Its place in the settlement, from 0.' }),
    kind: z.enum(lineKinds),
    amount: decimal('Negative where it takes off the net amount.'),
    currency: described('ISO 4217 code.'),
    reference: z.string().nullable().openapi({ description: 'The reference that the gateway names.' }),
    transactionId: z.string().nullable().openapi({ description: "The gateway's own id of the transaction." }),
    description: z.string().nullable().openapi({ description: "The gateway's own words." }),
    occurredAt: instant.nullable().openapi({ description: 'When it was paid or refunded, as the gateway reports it.' }),
    matched: z.boolean().openapi({ description: 'True once a payment, refund or dispute explains it.' }),
    paymentId: z.uuid().nullable(),
    merchantOrderId: z.string().nullable(),
    refundId: z.uuid().nullable(),
    disputeId: z.uuid().nullable(),
  })
  .openapi('SettlementLine');

/** A page of the lines of a settlement. */
export const settlementLineListSchema = z
  .strictObject({ lines: z.array(settlementLineSchema), nextCursor })
  .openapi('SettlementLineList');

/** A settlement in the form of the contract. */
export function settlementResource(item: SettlementItem): z.output<typeof settlementSchema> {
  const { settlementId, reference, gateway, accountLabel, status, currency, settledOn, lineCount, createdAt } = item;
  const { gross, fees, deductions, net, explained, unexplained } = item;
  const amounts = { gross, fees, deductions, net, explained, unexplained };
  const head = { settlementId, reference, gateway, account: accountLabel, status, currency };
  return { ...head, ...amounts, settledOn, lineCount, createdAt: createdAt.toISOString() };
}

/** A line in the form of the contract. */
export function lineResource(item: SettlementLineItem): z.output<typeof settlementLineSchema> {
  const { lineId, position, kind, amount, currency, reference, transactionId, description, occurredAt, linkedBy } = item;
  const { paymentId, merchantOrderId, refundId, disputeId } = item;
  const facts = { lineId, position, kind, amount, currency, reference, transactionId, description };
  const links = { matched: linkedBy !== null, paymentId, merchantOrderId, refundId, disputeId };
  return { ...facts, occurredAt: occurredAt?.toISOString() ?? null, ...links };
}
