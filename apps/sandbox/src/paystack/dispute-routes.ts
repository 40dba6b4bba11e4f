import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { answerDispute, disputesOf, type OwnDispute } from '../disputes.ts';
import { type Account, type Checkout, type Dispute, paidCharge } from '../ledger/records.ts';
import { authenticateByKey } from '../server/authenticate.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import type { ApiContext, ApiRoute, Authenticate, Simulator } from '../simulator.ts';
import { badJson, domainOf, presentCustomer, presentTransaction, problem } from './wire.ts';

/** Paystack's calls about disputes, https://paystack.com/docs/api/dispute/, and the store of files that it has evidence put to. */
export const disputeRoutes: readonly ApiRoute[] = [
  { method: 'GET', pattern: '/dispute', handle: list },
  { method: 'GET', pattern: '/dispute/:id', handle: fetchById },
  { method: 'GET', pattern: '/dispute/:id/upload_url', handle: uploadUrl },
  { method: 'POST', pattern: '/dispute/:id/evidence', handle: addEvidence },
  { method: 'PUT', pattern: '/dispute/:id/resolve', handle: resolve },
  { method: 'PUT', pattern: '/files/:name', handle: storeFile, authenticate: authenticateBySignedUrl },
];

const time = z.iso.datetime({ offset: true }).or(z.iso.date());
const listSchema = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(50),
  from: time.optional(),
  to: time.optional(),
  status: z.string().optional(),
  transaction: z.string().optional(),
});

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success)
    return problem(400, 'Invalid query', 'invalid_params', 'page and perPage count from 1; from and to are dates');
  const { page, perPage, from, to, status, transaction } = parsed.data;
  const all = disputesOf(simulator, account.id)
    .filter(({ dispute }) => from === undefined || Date.parse(dispute.createdAt) >= Date.parse(from))
    .filter(({ dispute }) => to === undefined || Date.parse(dispute.createdAt) <= Date.parse(to))
    .filter(({ dispute }) => status === undefined || dispute.status === status)
    .filter(({ checkout }) => transaction === undefined || String(checkout.id) === transaction);
  const data = all
    .slice((page - 1) * perPage, page * perPage)
    .map(({ checkout, dispute }) => presentDispute(simulator, account, checkout, dispute));
  const meta = { total: all.length, skipped: (page - 1) * perPage, perPage, page, pageCount: Math.ceil(all.length / perPage) };
  return json(200, { status: true, message: 'Disputes retrieved', data, meta });
}

function find(request: Inbound, { simulator, account, note }: ApiContext): OwnDispute | null {
  const own = disputesOf(simulator, account.id).find(({ dispute }) => String(dispute.id) === request.params.id);
  if (own !== undefined) note(own.checkout.reference);
  return own ?? null;
}

const notFound = () => problem(404, 'Dispute not found', 'not_found', 'Pass the id of one of your disputes');

function fetchById(request: Inbound, context: ApiContext): Reply {
  const own = find(request, context);
  if (own === null) return notFound();
  const data = presentDispute(context.simulator, context.account, own.checkout, own.dispute);
  return json(200, { status: true, message: 'Dispute retrieved', data });
}

/** The address is at this simulator, where Paystack's is at a store of files that takes the file without a key. */
function uploadUrl(request: Inbound, context: ApiContext): Reply {
  const own = find(request, context);
  if (own === null) return notFound();
  if ((request.query.get('upload_filename') ?? '') === '')
    return problem(400, 'upload_filename is required', 'missing_params', 'Pass the name of the file');
  const fileName = randomBytes(10).toString('hex');
  own.dispute.files.push({ name: fileName, bytes: null });
  context.simulator.ledger.put({ kind: 'checkout', record: own.checkout });
  const signedUrl = `${context.simulator.address()}/files/${fileName}?X-Amz-Expires=1800`;
  return json(200, { status: true, message: 'Upload url generated', data: { signedUrl, fileName } });
}

function ownerOf(simulator: Simulator, name: string | undefined): Checkout | undefined {
  return simulator.ledger
    .checkouts()
    .find(({ disputes }) => disputes.some(({ files }) => files.some((file) => file.name === name)));
}

/** The address itself is the key. */
function authenticateBySignedUrl(...[request, simulator]: Parameters<Authenticate>): ReturnType<Authenticate> {
  const owner = ownerOf(simulator, request.path.split('/').at(-1));
  const account = owner === undefined ? null : simulator.ledger.account(owner.accountId);
  return account === null ? authenticateByKey(request, simulator) : { kind: 'account', account };
}

function storeFile(request: Inbound, { simulator }: ApiContext): Reply {
  const { name } = request.params;
  const checkout = ownerOf(simulator, name);
  const file = checkout?.disputes.flatMap(({ files }) => files).find((one) => one.name === name);
  if (checkout === undefined || file === undefined) return { status: 404, headers: {}, body: '' };
  file.bytes = request.body.length;
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return { status: 200, headers: {}, body: '' };
}

const text = z.string().min(1).max(2_000);
const evidenceSchema = z.object({
  customer_email: z.email(),
  customer_name: text,
  customer_phone: z.string(),
  service_details: text,
  delivery_address: z.string().optional(),
  delivery_date: z.string().optional(),
});

function addEvidence(request: Inbound, context: ApiContext): Reply {
  const own = find(request, context);
  if (own === null) return notFound();
  const parsed = evidenceSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return invalid(parsed.error);
  const { simulator } = context;
  const id = own.dispute.evidenceId ?? simulator.ledger.nextId();
  own.dispute.evidenceId = id;
  simulator.ledger.put({ kind: 'checkout', record: own.checkout });
  const createdAt = new Date(simulator.now()).toISOString();
  const data = { ...parsed.data, dispute: own.dispute.id, id, createdAt, updatedAt: createdAt };
  return json(200, { status: true, message: 'Evidence created', data });
}

const resolveSchema = z.object({
  resolution: z.enum(['merchant-accepted', 'declined']),
  message: text,
  refund_amount: z.coerce.number().int().min(0),
  uploaded_filename: text,
  evidence: z.number().int().optional(),
});

function resolve(request: Inbound, context: ApiContext): Reply {
  const own = find(request, context);
  if (own === null) return notFound();
  const parsed = resolveSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return invalid(parsed.error);
  const { resolution, message, refund_amount: amount, uploaded_filename: proof } = parsed.data;
  if (!own.dispute.files.some(({ name, bytes }) => name === proof && bytes !== null))
    return problem(
      400,
      'No file was uploaded under this name',
      'invalid_params',
      'Upload the file to the address of upload_url first',
    );
  if (amount > own.dispute.amount)
    return problem(400, 'refund_amount is above the disputed amount', 'invalid_params', 'Pass the disputed amount or less');
  const answer = { accepts: resolution === 'merchant-accepted', amount, message, proof };
  if (!answerDispute(context.simulator, own, answer))
    return problem(
      400,
      'Dispute has been resolved',
      'invalid_params',
      'Only a dispute that awaits your feedback can be resolved',
    );
  const resolvedAt = own.dispute.resolvedAt ?? own.dispute.createdAt;
  const said = {
    dispute: own.dispute.id,
    sender: own.checkout.email,
    body: message,
    createdAt: resolvedAt,
    updatedAt: resolvedAt,
  };
  const data = {
    ...presentDispute(context.simulator, context.account, own.checkout, own.dispute),
    merchant_transaction_reference: null,
    created_by: context.account.number,
    message: { ...said, id: context.simulator.ledger.nextId() },
  };
  return json(200, { status: true, message: 'Dispute successfully resolved', data });
}

function invalid(error: z.ZodError): Reply {
  const field = error.issues[0]?.path[0];
  return field === undefined
    ? badJson()
    : problem(400, `${String(field)} is invalid`, 'invalid_params', `Provide ${String(field)}`);
}

/** A dispute with its transaction, which is `success` while it is open and `reversed` once all of the money went back. */
export function presentDispute(simulator: Simulator, account: Account, checkout: Checkout, dispute: Dispute) {
  const card = paidCharge(checkout)?.card ?? null;
  const complaint = 'Customer complained about debit without value';
  return {
    id: dispute.id,
    refund_amount: dispute.amount,
    currency: checkout.currency,
    status: dispute.status,
    resolution: dispute.resolution,
    domain: domainOf(account),
    transaction: presentTransaction(simulator, account, checkout),
    transaction_reference: null,
    category: dispute.category,
    customer: presentCustomer(checkout),
    bin: card?.bin ?? null,
    last4: card?.last4 ?? null,
    dueAt: dispute.dueAt,
    resolvedAt: dispute.resolvedAt,
    evidence: null,
    attachments: '[]',
    note: null,
    history: [{ status: 'pending', by: checkout.email, createdAt: dispute.createdAt }],
    messages: [{ sender: checkout.email, body: complaint, createdAt: dispute.createdAt }],
    createdAt: dispute.createdAt,
    updatedAt: dispute.resolvedAt ?? dispute.createdAt,
  };
}
