import { openCheckout, randomToken } from '../checkout/open.ts';
import { type Account, type Channel, type Checkout, channels, isKnown, newestFirst } from '../ledger/records.ts';
import { type Inbound, json, parseJson, type Reply } from '../server/router.ts';
import { type ApiContext, type ApiRoute, checkoutUrl, type Simulator } from '../simulator.ts';
import { pageOf } from './pages.ts';
import { presentCharge, presentPayIn } from './present.ts';
import {
  chargeNotFound,
  duplicatePayment,
  type Initialize,
  initializeSchema,
  invalidJson,
  invalidRequest,
  listQuerySchema,
} from './wire.ts';

/** Kora's calls about payments: initialize, look-up and the list of pay-ins. */
export const chargeRoutes: readonly ApiRoute[] = [
  { method: 'POST', pattern: '/merchant/api/v1/charges/initialize', creates: true, handle: initialize },
  { method: 'GET', pattern: '/merchant/api/v1/charges/:reference', handle: fetchCharge },
  { method: 'GET', pattern: '/merchant/api/v1/pay-ins', handle: list },
];

/** How long a page stays open. The documentation gives some 30 minutes to a transfer's account and nothing to the page. */
const sessionMinutes = 60;

function initialize(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const body = parseJson(request.body);
  if (body === undefined) return invalidJson();
  const parsed = initializeSchema.safeParse(body);
  if (!parsed.success) return invalidRequest(parsed.error);
  const { reference } = parsed.data;
  note(reference);
  if (simulator.ledger.checkoutsByReference(account.id, reference).length > 0) return duplicatePayment();
  const checkout = openCheckout(simulator, account, checkoutRequestFrom(simulator, parsed.data));
  return json(200, {
    status: true,
    message: 'Charge created successfully',
    data: { reference, checkout_url: checkoutUrl(simulator, checkout) },
  });
}

function checkoutRequestFrom(simulator: Simulator, sent: Initialize): Parameters<typeof openCheckout>[2] {
  return {
    token: randomToken(24),
    reference: sent.reference,
    amount: sent.amount,
    currency: sent.currency,
    email: sent.customer.email,
    customerName: sent.customer.name ?? null,
    phone: null,
    returnUrl: sent.redirect_url ?? null,
    cancelUrl: null,
    channels: offered(sent.channels ?? []),
    title: sent.narration ?? null,
    metadata: sent.metadata ?? null,
    expiresAt: new Date(simulator.now() + sessionMinutes * 60_000).toISOString(),
    maxFailures: null,
  };
}

/** The page offers card and bank transfer; both when the request names neither. */
function offered(wanted: readonly string[]): Channel[] {
  const known = channels.filter((channel) => wanted.includes(channel));
  return known.length > 0 ? known : [...channels];
}

/** One of the account's own charges. */
export function ownCharge(simulator: Simulator, account: Account, reference: string): Checkout | null {
  const checkout = simulator.ledger.checkoutsByReference(account.id, reference)[0];
  return checkout !== undefined && isKnown(checkout) ? checkout : null;
}

function fetchCharge(request: Inbound, { simulator, account, note }: ApiContext): Reply {
  const reference = request.params.reference ?? '';
  note(reference);
  const checkout = ownCharge(simulator, account, reference);
  if (checkout === null) return chargeNotFound();
  return json(200, { status: true, message: 'Charge retrieved successfully', data: presentCharge(simulator, checkout) });
}

function list(request: Inbound, { simulator, account }: ApiContext): Reply {
  const parsed = listQuerySchema.safeParse(Object.fromEntries(request.query));
  if (!parsed.success) return invalidRequest(parsed.error);
  const own = simulator.ledger.checkouts().filter((checkout) => checkout.accountId === account.id && !checkout.hidden);
  const page = pageOf(own.sort(newestFirst), parsed.data);
  return json(200, { has_more: page.hasMore, data: page.records.map((checkout) => presentPayIn(simulator, checkout)) });
}
