import { setTimeout as pause } from 'node:timers/promises';
import { findGateway } from '@switchyard/gateways';
import { isGatewayName } from '@switchyard/sandbox';
import type { GatewayName } from '../../harness/gateways.ts';
import { cardsOf } from '../../harness/test-cards.ts';
import type { AnsweredPayment } from '../checker/observations.ts';
import type { PaymentPlan } from '../plan/payments.ts';
import type { Send } from '../servers/open-world.ts';
import type { Simulators } from '../servers/simulators.ts';

/** Where a customer could pay. */
export interface OpenCheckout {
  readonly gateway: GatewayName;
  readonly reference: string;
}

/** Sites that customers reach: our pages, and those of gateways. */
export interface CustomerEnvironment {
  readonly send: Send;
  /** Every checkout that may be open for a payment, whether its address was given out or not. */
  readonly checkoutsOf: (paymentId: string) => Promise<readonly OpenCheckout[]>;
  readonly simulators: Pick<Simulators, 'settle' | 'alter'>;
}

/** From a payment to the webhook that reports it, and the look-up that follows. */
const ELSEWHERE_MS = 5_000;
const ANOTHER_CURRENCY = 'USD';
const PAGE_TRIES = 4;
const PAGE_MS = 20_000;

/** Acts at the checkout as planned, and returns to us if planned. */
export async function actAsCustomer(
  environment: CustomerEnvironment,
  plan: PaymentPlan,
  payment: AnsweredPayment,
): Promise<void> {
  if (plan.paysElsewhereFirst) {
    await payEverywhere(environment, payment.paymentId, ({ reference }) => reference !== payment.session?.reference);
    await pause(ELSEWHERE_MS);
  }
  await pause(plan.thinkMs);
  // Also where no address was returned: a checkout whose answer was lost may still be open.
  if (plan.customer === 'pays_everywhere') return payEverywhere(environment, payment.paymentId);
  if (payment.session === null) return;
  if (plan.customer === 'pays_in_another_currency') {
    const gateway = gatewayOf(payment.session.redirectUrl);
    // Without a currency in look-ups, money is naira.
    if (findGateway(gateway)?.capabilities.onlyInLists?.includes('currency') !== true) {
      await environment.simulators.alter(gateway, payment.session.reference, { currency: ANOTHER_CURRENCY });
    }
  }
  const location = await actAtPage(plan, payment.session.redirectUrl);
  if (!plan.returns || location === null || !location.includes('/checkout/') || !location.includes('/return')) return;
  const { pathname, search } = new URL(location);
  await environment.send(pathname + search);
}

/** Actions of the customer at the hosted page; gives the address the browser is redirected to, or null. */
async function actAtPage({ customer, amount }: PaymentPlan, page: string): Promise<string | null> {
  switch (customer) {
    case 'pays_by_card':
      return payByCard(page, 'good');
    case 'pays_by_transfer':
    case 'pays_in_another_currency':
      return submit(page, 'transfer', { amount: String(amount) });
    case 'pays_less':
      return submit(page, 'transfer', { amount: String(amount - 1) });
    case 'pays_cents_more':
      return submit(page, 'transfer', { amount: `${amount}.01` });
    case 'pays_more':
      return submit(page, 'transfer', { amount: String(amount + 100) });
    case 'is_declined':
      return payByCard(page, 'bad');
    case 'is_declined_then_pays':
      await payByCard(page, 'bad');
      return payByCard(page, 'good');
    case 'pays_in_two_tabs': {
      const [one, other] = await Promise.all([payByCard(page, 'good'), payByCard(page, 'good')]);
      return one ?? other;
    }
    case 'pays_everywhere':
    case 'walks_away':
    case 'pays_late':
    case 'pays_everywhere_late':
      return null;
    default:
      return customer satisfies never;
  }
}

/** Acts as planned for the time after the session's end. */
export async function actAfterExpiry(
  environment: CustomerEnvironment,
  { customer }: PaymentPlan,
  payment: AnsweredPayment,
): Promise<void> {
  if (customer === 'pays_everywhere_late') await payEverywhere(environment, payment.paymentId);
  if (customer === 'pays_late') {
    await payEverywhere(environment, payment.paymentId, ({ reference }) => reference === payment.session?.reference);
  }
}

/** Pays at the checkouts that may be open for a payment, or at some of them. */
async function payEverywhere(
  { checkoutsOf, simulators }: CustomerEnvironment,
  paymentId: string,
  where: (checkout: OpenCheckout) => boolean = () => true,
): Promise<void> {
  for (const checkout of (await checkoutsOf(paymentId)).filter(where)) {
    await simulators.settle(checkout.gateway, checkout.reference, null);
  }
}

function gatewayOf(page: string): GatewayName {
  const [, gateway = ''] = new URL(page).pathname.split('/');
  if (!isGatewayName(gateway)) throw new Error(`${page} is no page of a simulator`);
  return gateway;
}

function payByCard(page: string, which: 'good' | 'bad'): Promise<string | null> {
  const { plain, declined } = cardsOf(gatewayOf(page));
  const { number, cvv, expiry } = which === 'good' ? plain : declined;
  return submit(page, 'card', { number, cvv: cvv ?? '123', expiry });
}

/** Sends a form of the hosted page; returns the address the browser is redirected to, or null. */
async function submit(page: string, form: string, fields: Readonly<Record<string, string>>): Promise<string | null> {
  for (let n = 0; n < PAGE_TRIES; n += 1) {
    try {
      const answer = await fetch(`${page}/${form}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        signal: AbortSignal.timeout(PAGE_MS),
      });
      await answer.body?.cancel();
      return answer.headers.get('location');
    } catch {
      // The gateway is unavailable; the customer retries for a while.
      await pause(400 * (n + 1));
    }
  }
  return null;
}
