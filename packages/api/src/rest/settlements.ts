import { isUuid } from '@switchyard/db';
import { dayText } from '@switchyard/db/moments';
import {
  findSettlement,
  listSettlementLines,
  listSettlements,
  type SettlementItem,
  type SettlementLineItem,
} from '@switchyard/settlements/console';
import { LINE_KINDS } from '@switchyard/settlements/nouns';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { anyOf, page, readListQuery } from './list-queries.ts';

/** `GET /v1/settlements` */
export const getSettlements: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, request }) {
    const read = readListQuery(request, settlementListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { status: statuses, settledFrom: from, settledTo: to, limit, cursor } = read.value;
    const of = { merchantIds: [caller.configuration.merchant.id], mode: caller.mode, accountIds: [], unexplainedOnly: false };
    const { items, next } = await listSettlements(payments, { ...of, statuses, from, to, limit, after: cursor ?? null });
    const nextCursor = next === null ? null : settlementCursor(next);
    return succeed('Settlements retrieved', { settlements: items.map(settlementResource), nextCursor });
  },
};

/** `GET /v1/settlements/{settlementId}` */
export const getSettlement: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, params }) {
    const found = await findOwn(payments, caller, params.settlementId);
    return found === null ? failures.settlementNotFound() : succeed('Settlement retrieved', settlementResource(found));
  },
};

/** `GET /v1/settlements/{settlementId}/lines` */
export const getSettlementLines: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, params, request }) {
    const read = readListQuery(request, settlementLineQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const found = await findOwn(payments, caller, params.settlementId);
    if (found === null) return failures.settlementNotFound();
    const { kind: kinds, limit, cursor } = read.value;
    const of = { merchantIds: [found.merchantId], settlementId: found.settlementId, unmatchedOnly: false };
    const { items, next } = await listSettlementLines(payments, { ...of, kinds, limit, after: cursor ?? null });
    return succeed('Settlement lines retrieved', {
      lines: items.map(lineResource),
      nextCursor: next === null ? null : String(next),
    });
  },
};

type Call = Parameters<Endpoint['serve']>;

/** A settlement of the caller's merchant and mode; null without one. */
async function findOwn(payments: Call[0]['payments'], { configuration, mode }: Call[1]['caller'], settlementId = '') {
  if (!isUuid(settlementId)) return null;
  const found = await findSettlement(payments, { merchantIds: [configuration.merchant.id], settlementId });
  return found?.mode === mode ? found : null;
}

const dayParameter = (description: string) =>
  dayText.nullable().default(null).openapi({ type: 'string', format: 'date', description, example: '2026-11-22' });

const CURSOR_RULE = 'must be the nextCursor of a page before';

/** Query of `GET /v1/settlements`. */
const settlementListQuery = z.object({
  status: anyOf(['PENDING', 'PAID', 'FAILED', 'WITHDRAWN'], 'Settlements of this status, or of several separated by commas.'),
  settledFrom: dayParameter('Paid out on this day or later; those that are not paid out yet are in any period.'),
  settledTo: dayParameter('Paid out on this day or before.'),
  limit: page.limit,
  cursor: z
    .string()
    .max(200)
    .transform((text, refinement) => {
      const key = readSettlementCursor(text);
      if (key !== null) return key;
      refinement.addIssue({ code: 'custom', message: CURSOR_RULE });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'string', description: 'The `nextCursor` of the page before.' }),
});

/** Query of `GET /v1/settlements/{settlementId}/lines`. */
const settlementLineQuery = z.object({
  kind: anyOf(LINE_KINDS, 'Lines of this kind, or of several separated by commas.'),
  limit: page.limit,
  cursor: z
    .string()
    .max(20)
    .regex(/^\d{1,9}$/, CURSOR_RULE)
    .transform(Number)
    .optional()
    .openapi({ type: 'string', description: 'The `nextCursor` of the page before.' }),
});

const key = z.object({ settledOn: dayText.nullable(), settlementId: z.uuid().toLowerCase() });

/** The end of a page of settlements as opaque text. */
function settlementCursor({ settledOn, settlementId }: z.output<typeof key>): string {
  return Buffer.from(`${settledOn ?? ''} ${settlementId}`).toString('base64url');
}

function readSettlementCursor(cursor: string): z.output<typeof key> | null {
  const [settledOn = '', settlementId] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  return key.safeParse({ settledOn: settledOn === '' ? null : settledOn, settlementId }).data ?? null;
}

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
    kind: z.enum(LINE_KINDS),
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
function settlementResource(item: SettlementItem): z.output<typeof settlementSchema> {
  const { settlementId, reference, gateway, accountLabel, status, currency, settledOn, lineCount, createdAt } = item;
  const { gross, fees, deductions, net, explained, unexplained } = item;
  const amounts = { gross, fees, deductions, net, explained, unexplained };
  const head = { settlementId, reference, gateway, account: accountLabel, status, currency };
  return { ...head, ...amounts, settledOn, lineCount, createdAt: createdAt.toISOString() };
}

/** A line in the form of the contract. */
function lineResource(item: SettlementLineItem): z.output<typeof settlementLineSchema> {
  const { lineId, position, kind, amount, currency, reference, transactionId, description, occurredAt, linkedBy } = item;
  const { paymentId, merchantOrderId, refundId, disputeId } = item;
  const facts = { lineId, position, kind, amount, currency, reference, transactionId, description };
  const links = { matched: linkedBy !== null, paymentId, merchantOrderId, refundId, disputeId };
  return { ...facts, occurredAt: occurredAt?.toISOString() ?? null, ...links };
}

/** How `openapi.ts` describes the answers of every endpoint. */
interface Answers<Response> {
  success(description: string, schema: z.ZodType): Response;
  failureOf(status: 404, description: string): Response;
  failuresOf(...statuses: (400 | 404)[]): Record<string, Response>;
}

const NOT_FOUND = 'There is no such settlement.';

/** Settlements, read only. */
export function settlementPaths<Response>({ success, failureOf, failuresOf }: Answers<Response>, exampleId: string) {
  const params = z.object({
    settlementId: z.uuid().openapi({ description: 'The id of the settlement.', example: exampleId }),
  });
  return [
    {
      method: 'get',
      path: '/v1/settlements',
      operationId: 'listSettlements',
      summary: 'List settlements',
      description: 'An extension. Payouts of gateways, those that are not paid out yet first, then the newest, a page at a time.',
      request: { query: settlementListQuery },
      responses: { 200: success('A page of settlements.', settlementListSchema), ...failuresOf(400) },
    },
    {
      method: 'get',
      path: '/v1/settlements/{settlementId}',
      operationId: 'getSettlement',
      summary: 'Get a settlement',
      description: 'An extension.',
      request: { params },
      responses: { 200: success('The settlement.', settlementSchema), ...failuresOf(404), 404: failureOf(404, NOT_FOUND) },
    },
    {
      method: 'get',
      path: '/v1/settlements/{settlementId}/lines',
      operationId: 'listSettlementLines',
      summary: 'List the lines of a settlement',
      description: "An extension. In the gateway's order, a page at a time. They add up to the net amount.",
      request: { params, query: settlementLineQuery },
      responses: {
        200: success('A page of lines.', settlementLineListSchema),
        ...failuresOf(400, 404),
        404: failureOf(404, NOT_FOUND),
      },
    },
  ] as const;
}
