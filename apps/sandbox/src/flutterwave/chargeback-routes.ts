import { z } from 'zod';
import { answerDispute, disputesOf, type OwnDispute } from '../disputes.ts';
import { type Checkout, type Dispute, paidCharge } from '../ledger/records.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute, Simulator, WebhookEvent } from '../simulator.ts';
import { flwRef, problem } from './wire.ts';

/** Flutterwave's calls about chargebacks, https://developer.flutterwave.com/reference/endpoints/charge-backs. */
export const chargebackRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/v3/chargebacks', handle: list },
  { method: 'PUT', pattern: '/v3/chargebacks/:id', handle: update },
  { method: 'POST', pattern: '/v3/upload_image', handle: upload },
];

const pageSize = 20;

const listSchema = z.object({
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  status: z.string().optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'query')} is invalid`);
  const { page, from, to, status } = parsed.data;
  const all = disputesOf(simulator, account.id)
    .filter(({ dispute }) => from === undefined || dispute.createdAt.slice(0, 10) >= from)
    .filter(({ dispute }) => to === undefined || dispute.createdAt.slice(0, 10) <= to)
    .filter(({ dispute }) => status === undefined || statusOf(dispute) === status);
  const data = all.slice((page - 1) * pageSize, page * pageSize).map(present);
  const page_info = { total: all.length, current_page: page, total_pages: Math.ceil(all.length / pageSize), page_size: pageSize };
  return json(200, { status: 'success', message: 'Chargebacks fetched', meta: { page_info }, data });
}

const updateSchema = z.object({
  action: z.enum(['accept', 'decline']),
  comment: z.string().min(1).max(2_000),
  prooflink: z.url().optional(),
});

function update(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = disputesOf(simulator, account.id).find(({ dispute }) => String(dispute.id) === request.params.id);
  if (own === undefined) return problem(404, 'Chargeback not found');
  note(own.checkout.reference);
  const parsed = updateSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return problem(400, `${String(parsed.error.issues[0]?.path[0] ?? 'body')} is invalid`);
  const { action, comment, prooflink } = parsed.data;
  const answer = { accepts: action === 'accept', amount: null, message: comment, proof: prooflink ?? null };
  if (!answerDispute(simulator, own, answer)) return problem(400, 'Chargeback has been treated');
  return json(200, {
    status: 'success',
    message: `Chargeback ${action === 'accept' ? 'accepted' : 'declined'}`,
    data: present(own),
  });
}

/** The form is taken as it is: only that it has the field `image` is looked at. */
function upload(request: Inbound, { simulator }: ApiContext): Reply {
  if (!request.body.includes('name="image"')) return problem(400, 'Image is not in required format');
  const link = `https://cdn.filestackcontent.com/sandbox${simulator.ledger.nextId()}`;
  return json(200, { status: 'success', message: 'Image sucessfully uploaded', data: link });
}

function statusOf({ status, resolution }: Dispute): string {
  switch (resolution) {
    case 'merchant-accepted':
      return 'accepted';
    case 'auto-accepted':
      return 'lost';
    case 'declined':
      return 'won';
    case null:
      return status === 'awaiting-bank-feedback' ? 'declined' : 'initiated';
    default:
      return resolution satisfies never;
  }
}

function present({ checkout, dispute }: OwnDispute): Record<string, unknown> {
  const charge = paidCharge(checkout);
  const status = statusOf(dispute);
  const isSilent = dispute.resolution === 'auto-accepted' && dispute.message === null;
  const description = isSilent ? 'No merchant response' : `Chargeback ${status}`;
  const ended = dispute.resolvedAt === null ? [] : [{ action: status, stage: 'new', date: dispute.resolvedAt, description }];
  const opened = { action: 'initiated', stage: 'new', date: dispute.createdAt, description: 'Debit and hold chargeback amount' };
  return {
    id: dispute.id,
    amount: dispute.amount,
    flw_ref: charge === null ? '' : flwRef(charge),
    status,
    stage: 'new',
    comment: 'Product/service not received',
    meta: { uploaded_proof: dispute.proof, history: [opened, ...ended] },
    due_date: dispute.dueAt,
    settlement_id: 'N/A',
    created_at: dispute.createdAt,
    transaction_id: charge?.id ?? 0,
    tx_ref: checkout.reference,
  };
}

/** The webhook about a chargeback. Its form is not documented: this is a guess that nothing may depend on. */
export function chargebackEvent(_simulator: Simulator, checkout: Checkout, dispute: Dispute): WebhookEvent {
  const name = `chargeback.${statusOf(dispute)}`;
  return { name, body: { event: name, data: present({ checkout, dispute }) } };
}
