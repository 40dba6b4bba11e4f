import type { Channel, Checkout } from '../ledger/records.ts';
import { type Inbound, json, parseForm, type Reply, type Route, redirect } from '../server/router.ts';
import type { GatewaySpec, ReturnOutcome, Simulator } from '../simulator.ts';
import { answerStep, cancelPendingCharge, type Move, payByCard, payByTransfer } from './moves.ts';
import { checkoutPage, type PageState, pagePath, unknownPage } from './page.ts';

type Handler = (simulator: Simulator, checkout: Checkout, form: Record<string, string>, request: Inbound) => Promise<Reply>;

/** The hosted pages of a gateway: one to view, and one address for each action of the customer. */
export function checkoutRoutes(spec: GatewaySpec): readonly Route<Simulator>[] {
  const at = `${spec.checkoutPath}/:token`;
  const move = (name: string, handler: Handler): Route<Simulator> => ({
    method: 'POST',
    pattern: `${at}/${name}`,
    handle: (request, simulator) => withCheckout(simulator, request, handler),
  });
  return [
    { method: 'GET', pattern: at, handle: show },
    // A reload of the answer to a form shows the page again.
    { method: 'GET', pattern: `${at}/:move`, handle: (request, simulator) => withCheckout(simulator, request, showAgain) },
    move('card', async (simulator, checkout, form, request) => {
      const entry = { number: form.number ?? '', expiry: form.expiry ?? '', cvv: form.cvv ?? '' };
      return follow(simulator, checkout, await payByCard(simulator, checkout, entry, request.ip), 'card', form);
    }),
    move('step', async (simulator, checkout, form) =>
      follow(simulator, checkout, await answerStep(simulator, checkout, form), 'card', form),
    ),
    move('transfer', async (simulator, checkout, form, request) =>
      follow(simulator, checkout, await payByTransfer(simulator, checkout, form.amount ?? '', request.ip), 'bank_transfer', form),
    ),
    move('give-up', async (simulator, checkout) => {
      await cancelPendingCharge(simulator, checkout);
      return redirect(pagePath(simulator, checkout));
    }),
    move('cancel', async (simulator, checkout) => {
      await cancelPendingCharge(simulator, checkout);
      return redirectToMerchant(simulator, checkout, 'cancelled');
    }),
    move('leave', async (simulator, checkout) => redirectToMerchant(simulator, checkout, 'failed')),
  ];
}

function withCheckout(simulator: Simulator, request: Inbound, handler: Handler): Reply | Promise<Reply> {
  const checkout = simulator.ledger.checkoutByToken(request.params.token ?? '');
  return checkout === null ? unknownPage(simulator) : handler(simulator, checkout, parseForm(request.body), request);
}

function show(request: Inbound, simulator: Simulator): Reply {
  const checkout = simulator.ledger.checkoutByToken(request.params.token ?? '');
  if (checkout === null) return unknownPage(simulator);
  // The command line pays here; this shows it that the page is not the gateway's own.
  if (request.headers.accept === 'application/json') return json(200, { sandboxCards: simulator.spec.cards });
  const card = simulator.spec.cards.find((candidate) => candidate.name === request.query.get('card'));
  const typed: Record<string, string> =
    card === undefined ? {} : { number: card.number, expiry: card.expiry, cvv: card.cvv ?? '123' };
  const cancelled = request.query.get('cancelled') === 'yes';
  return checkoutPage(simulator, checkout, { ...emptyState(checkout, request.query.get('tab')), typed, cancelled });
}

function emptyState(checkout: Checkout, wanted: string | null): PageState {
  const tab = checkout.channels.find((channel) => channel === wanted) ?? checkout.channels[0] ?? 'card';
  return { tab, errors: {}, typed: {}, cancelled: false };
}

function follow(simulator: Simulator, checkout: Checkout, move: Move, tab: Channel, form: Record<string, string>): Reply {
  switch (move.kind) {
    case 'refused':
      return checkoutPage(simulator, checkout, { ...emptyState(checkout, tab), errors: move.errors, typed: form });
    case 'challenge':
      return redirect(pagePath(simulator, checkout));
    case 'finished':
      if (move.charge.status === 'success') return redirectToMerchant(simulator, checkout, 'paid');
      return checkout.closed
        ? redirectToMerchant(simulator, checkout, 'failed')
        : redirect(`${pagePath(simulator, checkout)}?tab=${tab}`);
    default:
      return move satisfies never;
  }
}

async function showAgain(simulator: Simulator, checkout: Checkout): Promise<Reply> {
  return redirect(pagePath(simulator, checkout));
}

/** Back to the merchant, or to this page when the merchant named no address. */
function redirectToMerchant(simulator: Simulator, checkout: Checkout, outcome: ReturnOutcome): Reply {
  const away = simulator.spec.returnAddress(checkout, outcome);
  return redirect(away ?? `${pagePath(simulator, checkout)}${outcome === 'cancelled' ? '?cancelled=yes' : ''}`);
}
