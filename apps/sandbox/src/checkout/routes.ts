import type { Channel, Checkout } from '../ledger/records.ts';
import { type Inbound, parseForm, type Reply, type Route, redirect } from '../server/router.ts';
import type { Departure, Desk, GatewaySpec } from '../simulator.ts';
import { answerStep, giveUp, type Move, payByCard, payByTransfer } from './moves.ts';
import { checkoutPage, type PageState, pagePath, unknownPage } from './page.ts';

type Handler = (desk: Desk, checkout: Checkout, form: Record<string, string>, request: Inbound) => Promise<Reply>;

/** The hosted pages of a gateway: one to look at, and one address for each thing a customer can do on it. */
export function checkoutRoutes(spec: GatewaySpec): readonly Route<Desk>[] {
  const at = `${spec.checkoutPath}/:token`;
  const move = (name: string, handler: Handler): Route<Desk> => ({
    method: 'POST',
    pattern: `${at}/${name}`,
    handle: (request, desk) => withCheckout(desk, request, handler),
  });
  return [
    { method: 'GET', pattern: at, handle: show },
    // Somebody who loads the answer to a form again gets its page.
    { method: 'GET', pattern: `${at}/:move`, handle: (request, desk) => withCheckout(desk, request, showAgain) },
    move('card', async (desk, checkout, form, request) => {
      const entry = { number: form.number ?? '', expiry: form.expiry ?? '', cvv: form.cvv ?? '' };
      return follow(desk, checkout, await payByCard(desk, checkout, entry, request.ip), 'card', form);
    }),
    move('step', async (desk, checkout, form) => follow(desk, checkout, await answerStep(desk, checkout, form), 'card', form)),
    move('transfer', async (desk, checkout, form, request) =>
      follow(desk, checkout, await payByTransfer(desk, checkout, form.amount ?? '', request.ip), 'bank_transfer', form),
    ),
    move('give-up', async (desk, checkout) => {
      await giveUp(desk, checkout);
      return redirect(pagePath(desk, checkout));
    }),
    move('cancel', async (desk, checkout) => {
      await giveUp(desk, checkout);
      return depart(desk, checkout, 'cancelled');
    }),
    move('leave', async (desk, checkout) => depart(desk, checkout, 'failed')),
  ];
}

function withCheckout(desk: Desk, request: Inbound, handler: Handler): Reply | Promise<Reply> {
  const checkout = desk.books.checkoutByToken(request.params.token ?? '');
  return checkout === null ? unknownPage(desk) : handler(desk, checkout, parseForm(request.body), request);
}

function show(request: Inbound, desk: Desk): Reply {
  const checkout = desk.books.checkoutByToken(request.params.token ?? '');
  if (checkout === null) return unknownPage(desk);
  const card = desk.spec.cards.find((candidate) => candidate.name === request.query.get('card'));
  const typed: Record<string, string> =
    card === undefined ? {} : { number: card.number, expiry: card.expiry, cvv: card.cvv ?? '123' };
  const cancelled = request.query.get('cancelled') === 'yes';
  return checkoutPage(desk, checkout, { ...emptyState(checkout, request.query.get('tab')), typed, cancelled });
}

function emptyState(checkout: Checkout, wanted: string | null): PageState {
  const tab = checkout.channels.find((channel) => channel === wanted) ?? checkout.channels[0] ?? 'card';
  return { tab, errors: {}, typed: {}, cancelled: false };
}

function follow(desk: Desk, checkout: Checkout, move: Move, tab: Channel, form: Record<string, string>): Reply {
  switch (move.kind) {
    case 'refused':
      return checkoutPage(desk, checkout, { ...emptyState(checkout, tab), errors: move.errors, typed: form });
    case 'challenge':
      return redirect(pagePath(desk, checkout));
    case 'finished':
      if (move.charge.status === 'success') return depart(desk, checkout, 'paid');
      return checkout.closed ? depart(desk, checkout, 'failed') : redirect(`${pagePath(desk, checkout)}?tab=${tab}`);
    default:
      return move satisfies never;
  }
}

async function showAgain(desk: Desk, checkout: Checkout): Promise<Reply> {
  return redirect(pagePath(desk, checkout));
}

/** Back to the merchant, or to this page when the merchant named no address. */
function depart(desk: Desk, checkout: Checkout, how: Departure): Reply {
  const away = desk.spec.departure(checkout, how);
  return redirect(away ?? `${pagePath(desk, checkout)}${how === 'cancelled' ? '?cancelled=yes' : ''}`);
}
