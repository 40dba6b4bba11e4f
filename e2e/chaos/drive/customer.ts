import { setTimeout as pause } from 'node:timers/promises';
import type { AnsweredPayment } from '../checker/observations.ts';
import type { OpenCheckout } from '../environment/records.ts';
import type { Replicas } from '../environment/replicas.ts';
import type { Simulators } from '../environment/simulators.ts';
import type { PaymentPlan } from '../plan/payments.ts';

/** What customers use. */
export interface CustomerContext {
  readonly replicas: Replicas;
  readonly simulators: Simulators;
  /** Checkouts that may be open for a payment, whether their address was returned or not. */
  readonly checkoutsOf: (paymentId: string) => Promise<readonly OpenCheckout[]>;
}

const PAGE_TRIES = 4;
const PAGE_MS = 20_000;
const CARDS = {
  paystack: { good: { number: '4084084084084081', cvv: '408' }, bad: { number: '4084080000005408', cvv: '001' } },
  flutterwave: { good: { number: '5061460166976054667', cvv: '123' }, bad: { number: '5143010522339965', cvv: '276' } },
} as const;

/** Acts at the checkout as planned. */
export async function actAsCustomer(context: CustomerContext, plan: PaymentPlan, payment: AnsweredPayment): Promise<void> {
  const { customer } = plan;
  if (payment.session === null) {
    // No address was returned; a checkout whose answer was lost may still be open.
    if (customer === 'pays_everywhere') await payEverywhere(context, payment.paymentId);
    return;
  }
  const page = payment.session.redirectUrl;
  await pause(plan.thinkMs);
  switch (customer) {
    case 'pays_by_card':
      return comeBack(context, plan, await payByCard(page, 'good'));
    case 'pays_by_transfer':
      return comeBack(context, plan, await submit(page, 'transfer', { amount: String(plan.amount) }));
    case 'pays_less':
      return comeBack(context, plan, await submit(page, 'transfer', { amount: String(plan.amount - 1) }));
    case 'pays_more':
      return comeBack(context, plan, await submit(page, 'transfer', { amount: String(plan.amount + 100) }));
    case 'is_declined':
      return comeBack(context, plan, await payByCard(page, 'bad'));
    case 'is_declined_then_pays':
      await payByCard(page, 'bad');
      return comeBack(context, plan, await payByCard(page, 'good'));
    case 'pays_in_two_tabs': {
      const [one, other] = await Promise.all([payByCard(page, 'good'), payByCard(page, 'good')]);
      return comeBack(context, plan, one ?? other);
    }
    case 'pays_everywhere':
      return payEverywhere(context, payment.paymentId);
    case 'walks_away':
    case 'pays_late':
    case 'pays_everywhere_late':
      return;
    default:
      return customer satisfies never;
  }
}

/** Acts as planned for the time after the session's end. */
export async function actAfterExpiry(
  context: CustomerContext,
  { customer }: PaymentPlan,
  payment: AnsweredPayment,
): Promise<void> {
  if (customer === 'pays_everywhere_late') await payEverywhere(context, payment.paymentId);
  if (customer !== 'pays_late') return;
  const checkouts = await context.checkoutsOf(payment.paymentId);
  for (const { gateway, reference } of checkouts) {
    if (reference === payment.session?.reference) await context.simulators.settle(gateway, reference, null);
  }
}

async function payEverywhere({ checkoutsOf, simulators }: CustomerContext, paymentId: string): Promise<void> {
  for (const { gateway, reference } of await checkoutsOf(paymentId)) await simulators.settle(gateway, reference, null);
}

function payByCard(page: string, which: 'good' | 'bad'): Promise<string | null> {
  const { number, cvv } = CARDS[page.includes('/v3/hosted/pay/') ? 'flutterwave' : 'paystack'][which];
  return submit(page, 'card', { number, cvv, expiry: '12/30' });
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

/** The customer's browser returns to us, at any replica; only an answer is expected. */
async function comeBack({ replicas }: CustomerContext, { returns }: PaymentPlan, location: string | null): Promise<void> {
  if (!returns || location === null || !location.includes('/checkout/') || !location.includes('/return')) return;
  const { pathname, search } = new URL(location);
  await replicas.send({ method: 'GET', path: pathname + search });
}
