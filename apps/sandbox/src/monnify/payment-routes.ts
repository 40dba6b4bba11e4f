import { type CheckoutRequest, offered, openCheckout, payByCard } from '../checkout/moves.ts';
import {
  type Account,
  type Channel,
  type Checkout,
  decisiveCharge,
  isKnown,
  paidCharge,
  pendingCharge,
} from '../ledger/records.ts';
import { createRefund, type RefundAnswer } from '../refunds.ts';
import { authenticateByPassword } from '../server/authenticate.ts';
import { type Inbound, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl, type Simulator } from '../simulator.ts';
import {
  badJson,
  cardChargeSchema,
  duplicateReference,
  type InitRequest,
  initSchema,
  invalid,
  newTransactionReference,
  pageOf,
  paymentStatus,
  presentRefund,
  presentRow,
  presentTransaction,
  problem,
  refundListSchema,
  refundNotFound,
  refundReference,
  refundSchema,
  refundStatus,
  searchSchema,
  success,
  transactionByReference,
  transactionNotFound,
  transactionReference,
} from './wire.ts';

/** Monnify's calls about payments: login, initialisation, look-ups and search. */
export const paymentRoutes: readonly ApiRoute[] = [
  {
    method: 'POST',
    pattern: '/api/v1/auth/login',
    authenticate: authenticateByPassword('secretKey'),
    handle: logIn,
  },
  { method: 'POST', pattern: '/api/v1/merchant/transactions/init-transaction', creates: true, handle: init },
  { method: 'POST', pattern: '/api/v1/merchant/cards/charge', handle: chargeCard },
  { method: 'GET', pattern: '/api/v2/merchant/transactions/query', handle: query },
  { method: 'GET', pattern: '/api/v2/transactions/:reference', handle: status },
  { method: 'GET', pattern: '/api/v1/transactions/search', handle: search },
];

const tokenLifetimeMs = 3_600_000;
/** Pages and the accounts they show for transfers last 40 minutes. */
const sessionMs = 2_400_000;

function logIn(_request: Inbound, { simulator, account }: ApiContext): Reply {
  return success({ accessToken: simulator.tokens.issue(account.id, tokenLifetimeMs), expiresIn: tokenLifetimeMs / 1000 });
}

function init(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = initSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const sent = parsed.data;
  note(sent.paymentReference);
  if (sent.contractCode !== account.credentials.contractCode) return problem(404, 'Could not find specified contract');
  if (simulator.ledger.checkoutsByReference(account.id, sent.paymentReference).length > 0) return duplicateReference();
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(simulator, sent));
  return success({
    transactionReference: transactionReference(checkout),
    paymentReference: checkout.reference,
    merchantName: 'Sandbox Merchant',
    apiKey: account.key,
    redirectUrl: checkout.returnUrl,
    enabledPaymentMethod: checkout.channels.map((channel) => (channel === 'card' ? 'CARD' : 'ACCOUNT_TRANSFER')),
    checkoutUrl: checkoutUrl(simulator, checkout),
    incomeSplitConfig: sent.incomeSplitConfig ?? [],
    metaData: sent.metaData ?? {},
  });
}

function checkoutRequestFrom(simulator: Simulator, sent: InitRequest): CheckoutRequest {
  return {
    // The page's address ends with the transaction's reference, pipes and all.
    token: newTransactionReference(simulator),
    reference: sent.paymentReference,
    amount: sent.amount,
    currency: sent.currencyCode,
    email: sent.customerEmail,
    customerName: sent.customerName ?? null,
    returnUrl: sent.redirectUrl ?? null,
    channels: offered((sent.paymentMethods ?? []).map((method) => methodChannels[method])),
    title: sent.paymentDescription,
    metadata: sent.metaData ?? null,
    expiresAt: new Date(simulator.now() + sessionMs).toISOString(),
  };
}

const methodChannels: Readonly<Record<string, Channel>> = { CARD: 'card', ACCOUNT_TRANSFER: 'bank_transfer' };

/** "Charge Card", https://teamapt.atlassian.net/wiki/x/FIC_Jw: the card pays, or one more step is asked for, which is only on the page here. */
async function chargeCard(request: Inbound, { simulator, account, note }: ApiContext): Promise<Reply> {
  const parsed = cardChargeSchema.safeParse(parseJson(request.body));
  if (!parsed.success) return invalid(parsed.error);
  const { transactionReference: own, card } = parsed.data;
  const checkout = transactionByReference(simulator, account, own);
  if (checkout === null) return transactionNotFound();
  note(checkout.reference);
  const entry = { number: card.number, expiry: `${card.expiryMonth}/${card.expiryYear.slice(-2)}`, cvv: card.cvv };
  const move = await payByCard(simulator, checkout, entry, request.ip);
  if (move.kind === 'refused') return problem(422, Object.values(move.errors).join(' '));
  const asked = pendingCharge(checkout)?.awaiting[0] === 'bank' ? 'BANK_AUTHORIZATION_REQUIRED' : 'OTP_AUTHORIZATION_REQUIRED';
  const ended = move.kind === 'finished' && move.charge.status === 'success' ? 'SUCCESS' : 'FAILED';
  return success({
    status: move.kind === 'challenge' ? asked : ended,
    message: move.kind === 'challenge' ? 'Authorization required' : move.charge.message,
    transactionReference: own,
    paymentReference: checkout.reference,
    authorizedAmount: checkout.amount,
  });
}

function status(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const checkout = transactionByReference(simulator, account, request.params.reference ?? '');
  if (checkout === null) return transactionNotFound();
  note(checkout.reference);
  return success(presentTransaction(simulator, checkout));
}

/** By the merchant's reference or by Monnify's own. */
function query(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const own = request.query.get('transactionReference');
  const reference = request.query.get('paymentReference');
  if (own === null && reference === null) return problem(400, 'paymentReference or transactionReference is required');
  const checkout =
    own === null ? byPaymentReference(simulator, account, reference ?? '') : transactionByReference(simulator, account, own);
  if (checkout === null) return transactionNotFound();
  note(checkout.reference);
  return success(presentTransaction(simulator, checkout));
}

/** Transactions put there through the sandbox's own controls may share a reference: the newest answers for it. */
function byPaymentReference(simulator: Simulator, account: Account, reference: string): Checkout | null {
  const known = simulator.ledger.checkoutsByReference(account.id, reference).filter(isKnown);
  return known.find((checkout) => paidCharge(checkout) !== null) ?? known.at(-1) ?? null;
}

function search(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = searchSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid(parsed.error);
  const wanted = parsed.data;
  const found = simulator.ledger.listedCheckouts(account.id).filter((checkout) => {
    const created = Date.parse(checkout.createdAt);
    return (
      (wanted.from === undefined || created >= wanted.from) &&
      (wanted.to === undefined || created <= wanted.to) &&
      (wanted.paymentReference === undefined || checkout.reference === wanted.paymentReference) &&
      (wanted.transactionReference === undefined || transactionReference(checkout) === wanted.transactionReference) &&
      (wanted.fromAmount === undefined || checkout.amount >= wanted.fromAmount) &&
      (wanted.toAmount === undefined || checkout.amount <= wanted.toAmount) &&
      (wanted.customerName === undefined || checkout.customerName === wanted.customerName) &&
      (wanted.customerEmail === undefined || checkout.email === wanted.customerEmail) &&
      (wanted.paymentStatus === undefined || paymentStatus(simulator, checkout) === wanted.paymentStatus)
    );
  });
  return pageOf(
    found.map((checkout) => presentRow(simulator, account, checkout)),
    wanted,
  );
}

/** Monnify's calls about refunds. */
export const refundRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/api/v1/refunds/initiate-refund', creates: true, handle: initiate },
  { method: 'GET', pattern: '/api/v1/refunds', handle: list },
  { method: 'GET', pattern: '/api/v1/refunds/:reference', handle: lookUpRefund },
];

/** R4: one page says 10 naira, another 20; the lower one is taken. */
const minimumRefund = 10;

function initiate(request: Inbound, context: ApiContext): Reply {
  const { simulator, account, note } = context;
  const body = parseJson(request.body);
  if (body === undefined) return badJson();
  const parsed = refundSchema.safeParse(body);
  if (!parsed.success) return invalid(parsed.error);
  const sent = parsed.data;
  const checkout = transactionByReference(simulator, account, sent.transactionReference);
  if (checkout === null) return problem(404, 'Transaction with specified reference does not exist.', 'R1');
  note(checkout.reference);
  if (sent.refundAmount < minimumRefund) {
    return problem(422, 'Specified refund amount is below minimum refund amount.', 'R4');
  }
  if (simulator.ledger.listedRefunds(account.id).some((refund) => refundReference(refund) === sent.refundReference)) {
    return problem(422, 'Duplicate refund reference');
  }
  const charge = decisiveCharge(checkout);
  const answer = createRefund(simulator, checkout, charge, {
    amount: sent.refundAmount,
    reference: sent.refundReference,
    customerNote: sent.customerNote ?? null,
    merchantNote: sent.refundReason,
  });
  return answerRefund(answer, checkout);
}

function answerRefund(answer: RefundAnswer, checkout: Checkout): Reply {
  switch (answer.kind) {
    case 'not_paid':
      return problem(422, 'Refund not permitted for specified transaction.', 'R2');
    case 'nothing_left':
    case 'too_much':
      return problem(422, 'Specified refund amount is above transaction amount.', 'R3');
    case 'accepted':
      return success(presentRefund(answer.refund, checkout));
    default:
      return answer satisfies never;
  }
}

function lookUpRefund(request: Inbound, context: ApiContext): Reply {
  const refund = context.simulator.ledger
    .listedRefunds(context.account.id)
    .find((candidate) => refundReference(candidate) === request.params.reference);
  const checkout = refund === undefined ? null : context.simulator.ledger.checkout(refund.checkoutId);
  if (refund === undefined || checkout === null) return refundNotFound();
  context.note(checkout.reference);
  return success(presentRefund(refund, checkout));
}

function list(request: Inbound, context: ApiContext): Reply {
  const parsed = refundListSchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalid(parsed.error);
  const { page, size, from, to, transactionReference: wanted, refundStatus: wantedStatus } = parsed.data;
  const found = context.simulator.ledger.listedRefunds(context.account.id).flatMap((refund) => {
    const checkout = context.simulator.ledger.checkout(refund.checkoutId);
    const created = Date.parse(refund.createdAt);
    const isWanted =
      checkout !== null &&
      (from === undefined || created >= from) &&
      (to === undefined || created <= to) &&
      (wanted === undefined || transactionReference(checkout) === wanted) &&
      (wantedStatus === undefined || refundStatus(refund) === wantedStatus);
    return isWanted ? [presentRefund(refund, checkout)] : [];
  });
  return pageOf(found, { page, size });
}
