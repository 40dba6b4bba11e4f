import type { Database, Vault } from '@switchyard/db';
import { type Attempt, type GatewayWebhook, type Payment, Prisma } from '@switchyard/db/client';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { readBody } from '../../incoming/queries.ts';
import { readPayers } from '../../record/attempt-queries.ts';
import { readCall } from '../../record/packed-call.ts';
import { StoredDocuments } from '../../record/payment-documents.ts';
import { namedPayment } from '../../record/plan.ts';
import { wholeTimeline } from '../../record/timeline.ts';

const NAMED_PAYMENT = Prisma.raw(namedPayment('reference'));

/**
 * Everything held about these payments: their rows, and those of attempts, gateway webhooks, timeline, refunds, their approvals, duplicates and
 * notes. Packed texts are unpacked when the rows are written as JSON: rows that are only counted are not waited for.
 */
export async function readCustomerPayments(
  { database, vault }: { readonly database: Database; readonly vault: Vault },
  merchantId: string,
  paymentIds: readonly string[],
) {
  const { prisma } = database;
  const where = { merchantId, paymentId: { in: [...paymentIds] } };
  const take = ROWS_MAX;
  const [payments, attempts, timeline, refunds, refundApprovals, duplicateCharges, notes] = await Promise.all([
    prisma.payment.findMany({ where: { merchantId, id: { in: [...paymentIds] } }, orderBy: { id: 'asc' }, take }),
    prisma.attempt.findMany({ where, orderBy: { id: 'asc' }, take }),
    prisma.timelineEvent.findMany({ where, orderBy: { id: 'asc' }, take }),
    prisma.refund.findMany({ where, orderBy: { id: 'asc' }, take }),
    prisma.refundApproval.findMany({ where, orderBy: { id: 'asc' }, take }),
    prisma.duplicateCharge.findMany({ where, orderBy: { id: 'asc' }, take }),
    prisma.paymentNote.findMany({ where, orderBy: { id: 'asc' }, take }),
  ]);
  const webhooks = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM gateway_webhook WHERE merchant_id = ${merchantId}::uuid AND ${NAMED_PAYMENT} = ANY (${paymentIds}::uuid[])
    ORDER BY id LIMIT ${take}`;
  const ids = webhooks.map(({ id }) => id);
  const gatewayWebhooks = await prisma.gatewayWebhook.findMany({
    where: { merchantId, id: { in: ids } },
    orderBy: { id: 'asc' },
  });
  const payers = await readPayers(
    database,
    vault,
    merchantId,
    attempts.map(({ id }) => id),
  );
  const rows = {
    payments: payments.map(withDocuments),
    attempts: attempts.map((attempt) => ({ ...withCall(attempt), payer: payers.get(attempt.id) ?? null })),
    gatewayWebhooks: gatewayWebhooks.map(withBody),
  };
  return { ...rows, timeline: wholeTimeline(payments, attempts, timeline), refunds, refundApprovals, duplicateCharges, notes };
}

function withDocuments({ packedDecision, packedSession, ...payment }: Payment) {
  const documents = new StoredDocuments({ ...payment, paymentId: payment.id, packedDecision, packedSession });
  return {
    ...payment,
    routing: whenWritten(() => documents.routing),
    routingInputs: whenWritten(() => readDecision({ packedDecision }).inputs),
    session: whenWritten(() => documents.session),
    fallbackGateways: whenWritten(() => documents.fallbackGateways),
  };
}

function withCall({ packedCall, ...attempt }: Attempt) {
  return { ...attempt, call: packedCall === null ? null : whenWritten(() => readCall({ packedCall })) };
}

function withBody({ packedBody, ...webhook }: GatewayWebhook) {
  return { ...webhook, body: packedBody === null ? '' : whenWritten(() => readBody({ packedBody })) };
}

/** A value that `JSON.stringify` asks for. */
function whenWritten<Value>(read: () => Value): { toJSON(): Value } {
  return { toJSON: read };
}

const ROWS_MAX = 100_000;
