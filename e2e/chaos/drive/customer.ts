import { setTimeout as pause } from 'node:timers/promises';
import type { AnsweredPayment } from '../checker/witnesses.ts';
import type { OpenCheckout } from '../environment/records.ts';
import type { Replicas } from '../environment/replicas.ts';
import type { StandIns } from '../environment/simulators.ts';
import type { PaymentPlan } from '../plan/payments.ts';

/** What customers can reach. */
export interface World {
  readonly replicas: Replicas;
  readonly standIns: StandIns;
  /** Checkouts that may be open for a payment, given out or not. */
  readonly checkoutsOf: (paymentId: string) => Promise<readonly OpenCheckout[]>;
}

const PAGE_TRIES = 4;
const PAGE_MS = 20_000;
const CARDS = {
  paystack: { good: { number: '4084084084084081', cvv: '408' }, bad: { number: '4084080000005408', cvv: '001' } },
  flutterwave: { good: { number: '5061460166976054667', cvv: '123' }, bad: { number: '5143010522339965', cvv: '276' } },
} as const;

/** Does at the checkout what was planned. */
export async function beCustomer(world: World, plan: PaymentPlan, payment: AnsweredPayment): Promise<void> {
  const { customer } = plan;
  if (payment.session === null) {
    // Nobody was given an address; one that was opened and lost may still be found.
    if (customer === 'pays_everywhere') await payEverywhere(world, payment.paymentId);
    return;
  }
  const page = payment.session.redirectUrl;
  await pause(plan.thinkMs);
  switch (customer) {
    case 'pays_by_card':
      return comeBack(world, plan, await payByCard(page, 'good'));
    case 'pays_by_transfer':
      return comeBack(world, plan, await submit(page, 'transfer', { amount: String(plan.amount) }));
    case 'pays_less':
      return comeBack(world, plan, await submit(page, 'transfer', { amount: String(plan.amount - 1) }));
    case 'pays_more':
      return comeBack(world, plan, await submit(page, 'transfer', { amount: String(plan.amount + 100) }));
    case 'is_declined':
      return comeBack(world, plan, await payByCard(page, 'bad'));
    case 'is_declined_then_pays':
      await payByCard(page, 'bad');
      return comeBack(world, plan, await payByCard(page, 'good'));
    case 'pays_in_two_tabs': {
      const [one, other] = await Promise.all([payByCard(page, 'good'), payByCard(page, 'good')]);
      return comeBack(world, plan, one ?? other);
    }
    case 'pays_everywhere':
      return payEverywhere(world, payment.paymentId);
    case 'walks_away':
    case 'pays_late':
    case 'pays_everywhere_late':
      return;
    default:
      return customer satisfies never;
  }
}

/** Does what was planned for the time after the session's end. */
export async function beLateCustomer(world: World, { customer }: PaymentPlan, payment: AnsweredPayment): Promise<void> {
  if (customer === 'pays_everywhere_late') await payEverywhere(world, payment.paymentId);
  if (customer !== 'pays_late') return;
  const checkouts = await world.checkoutsOf(payment.paymentId);
  for (const { gateway, reference } of checkouts) {
    if (reference === payment.session?.reference) await world.standIns.settle(gateway, reference, null);
  }
}

async function payEverywhere({ checkoutsOf, standIns }: World, paymentId: string): Promise<void> {
  for (const { gateway, reference } of await checkoutsOf(paymentId)) await standIns.settle(gateway, reference, null);
}

function payByCard(page: string, which: 'good' | 'bad'): Promise<string | null> {
  const { number, cvv } = CARDS[page.includes('/v3/hosted/pay/') ? 'flutterwave' : 'paystack'][which];
  return submit(page, 'card', { number, cvv, expiry: '12/30' });
}

/** Sends a form of the hosted page; gives the address the browser is sent to, or null for none. */
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
      // The gateway is gone; who wants to pay tries again for a while.
      await pause(400 * (n + 1));
    }
  }
  return null;
}

/** The customer's browser comes back to us, at whichever replica; it looks for no more than an answer. */
async function comeBack({ replicas }: World, { returns }: PaymentPlan, location: string | null): Promise<void> {
  if (!returns || location === null || !location.includes('/checkout/') || !location.includes('/return')) return;
  const { pathname, search } = new URL(location);
  await replicas.send({ method: 'GET', path: pathname + search });
}
