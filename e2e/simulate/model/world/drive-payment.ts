import type { PaymentRecord } from '@switchyard/payments';
import type { RefundAmount } from '@switchyard/payments/refunds';
import type { MerchantConfiguration } from '@switchyard/runtime';
import { z } from 'zod';
import type { Answer, AnsweredPayment } from '../../../world/checker/observations.ts';
import type { Rng } from '../../../world/plan/rng.ts';
import type { Owner, Scheduler } from '../../kernel/scheduler.ts';
import type { Refusal } from '../oracle/model-observations.ts';
import type { Checkout, GatewayAccountBooks } from './gateways.ts';
import { MODE } from './merchants.ts';
import type { History } from './notes.ts';
import type { ModelPlan, PaymentPlan } from './plan.ts';
import type { ModelProcess, ProductCode } from './process.ts';
import { within } from './within.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a merchant's server waits for an answer. */
const ANSWER_MS = 30 * SECOND_MS;
const TRIES_MAX = 400;

/** State that merchants and customers of a world share. */
export interface DriveContext {
  readonly scheduler: Scheduler;
  readonly world: Owner;
  readonly draws: Rng;
  readonly merchants: readonly MerchantConfiguration[];
  readonly books: ReadonlyMap<string, GatewayAccountBooks>;
  readonly processes: readonly ModelProcess[];
  readonly history: History;
  readonly plan: ModelPlan;
  readonly answers: Answer[];
  /** Requests that have to be refused, with what became of them. */
  readonly refusals: Refusal[];
  /** Called when the merchant learns that a payment succeeded, by its id. */
  readonly delivered: Map<string, () => void>;
  readonly checkoutsOf: (paymentId: string) => Checkout[];
  /** Payments whose customers do nothing more, and that need not be followed to the end. */
  readonly done: Set<string>;
  /** Says that one thing more, or less, is going to happen by itself. */
  readonly busy: (more: 1 | -1) => void;
}

type Running = Parameters<Parameters<ModelProcess['do']>[0]>[0];
type Caller = Parameters<ProductCode['initiate']>[1];

const untimed = { add: () => undefined };
const sessionSchema = z.object({ reference: z.string(), redirectUrl: z.string() });

/** Drives one payment: its merchant begins it, its customer pays or does not, and it is refunded or disputed as planned. */
export async function drivePayment(of: DriveContext, plan: PaymentPlan): Promise<void> {
  await pause(of, plan.startMs);
  const configuration = of.merchants[plan.merchant];
  if (configuration === undefined) throw new Error('there is no such merchant');
  const caller: Caller = { configuration, mode: MODE };
  const paymentId = uuidOf(of.draws);
  of.history.note(paymentId, `${plan.orderId}: ${plan.amount} ${plan.currency}, customer ${plan.customer}`);
  for (const own of of.books.values())
    own.planRefunds(prefixOf(paymentId), { fails: plan.refundEnds === 'fails', takesMs: plan.refundTakesMs });
  const told = new Promise<void>((resolve) => of.delivered.set(paymentId, resolve));
  const [payment] = await Promise.all([
    begin(of, caller, plan, paymentId),
    ...(plan.isSentTwice ? [begin(of, caller, plan, paymentIdOfRepeat(of.draws))] : []),
  ]);
  // A repeat may have come first.
  const known = payment.paymentId;
  if (known !== paymentId) of.delivered.set(known, of.delivered.get(paymentId) ?? (() => undefined));
  const customer = actAsCustomer(of, caller, plan, payment);
  const polling = poll(of, caller, plan, payment);
  // Whenever the merchant hears of success.
  void told.then(async () => {
    of.busy(1);
    await Promise.all([refund(of, caller, plan, known), disputeLater(of, plan, known), reverseLater(of, plan, known)]).finally(
      () => of.busy(-1),
    );
  });
  await Promise.all([customer, polling]);
  if (!plan.isFollowed) of.done.add(known);
}

function paymentIdOfRepeat(draws: Rng): string {
  return uuidOf(draws);
}

function prefixOf(paymentId: string): string {
  return `sy${paymentId.replaceAll('-', '')}`;
}

function uuidOf(draws: Rng): string {
  const hex = (digits: number): string =>
    draws
      .between(0, 16 ** digits - 1)
      .toString(16)
      .padStart(digits, '0');
  return `${hex(8)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(6)}${hex(6)}`;
}

function pause({ scheduler, world }: DriveContext, ms: number): Promise<void> {
  return new Promise((resolve) => scheduler.after(ms, world, resolve));
}

/** A request of the merchant's server to one of the processes; undefined without an answer in time. */
async function request<T>(of: DriveContext, work: (running: Running) => Promise<T>): Promise<T | undefined> {
  const { processes, draws, scheduler, world } = of;
  const process = processes[draws.between(0, processes.length - 1)];
  if (process === undefined) throw new Error('there is no process');
  try {
    return await within(scheduler, world, ANSWER_MS, process.do(work));
  } catch (error) {
    of.history.note(null, `${process.name} answers a merchant with an error: ${String(error)}`);
    return undefined;
  }
}

/** Sends the order until there is an answer. */
async function begin(of: DriveContext, caller: Caller, plan: PaymentPlan, ownId: string): Promise<PaymentRecord> {
  const { merchant } = caller.configuration;
  const order = {
    merchantOrderId: plan.orderId,
    amount: BigInt(plan.amount),
    currency: plan.currency,
    customer: { email: `${plan.orderId}@example.com`, id: null, phone: null },
    metadata: null,
    redirectUrl: null,
    paymentMethod: plan.method,
    customerCountry: null,
    requestedGateway: null,
  };
  let known: string | null = null;
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const begun = of.scheduler.now;
    const found: PaymentRecord | undefined = await request(
      of,
      async ({ product, context }): Promise<PaymentRecord | undefined> => {
        if (known === null) {
          const result = await product.initiate(context, caller, order, ownId, untimed);
          if (result.kind === 'initiated') return result.payment;
          if (result.kind === 'unavailable') return undefined;
          known = result.paymentId;
        }
        const payment = await product.findPayment(context, caller, known, untimed);
        if (payment?.status !== 'INITIATED') return payment;
        return product.takeOverInitiation(context, payment, { abandoned: false, timings: untimed });
      },
    );
    const status = found === undefined ? 503 : known === null ? 200 : 409;
    of.answers.push({
      ...answerOf(of, merchant.id, plan, begun, 'initiate'),
      httpStatus: status,
      payment: found === undefined ? null : answered(found, false),
    });
    if (found !== undefined && found.status !== 'INITIATED') return found;
    await pause(of, Math.min(10 * MINUTE_MS, 5 * SECOND_MS * tries));
  }
  throw new Error(`${plan.orderId} never got an answer`);
}

function answerOf(of: DriveContext, merchantId: string, plan: PaymentPlan, begun: number, to: Answer['to']) {
  return {
    to,
    merchantId,
    merchantOrderId: plan.orderId,
    idempotencyKey: null,
    begun,
    ended: of.scheduler.now,
    digest: '',
    refusal: null,
  } as const;
}

function answered(payment: PaymentRecord, isVerified: boolean): AnsweredPayment {
  const { paymentId, merchantOrderId, status, currency, statusEventId } = payment;
  const session = sessionSchema.safeParse(payment.documents.session);
  return {
    paymentId,
    merchantOrderId,
    status,
    amount: Number(payment.amount) * 100,
    currency,
    session: session.success ? session.data : null,
    recordId: isVerified ? statusEventId : null,
  };
}

/** The merchant's server verifies the payment a few times. */
async function poll(of: DriveContext, caller: Caller, plan: PaymentPlan, { paymentId }: PaymentRecord): Promise<void> {
  for (let polls = 0; polls < plan.polls; polls += 1) {
    await pause(of, of.draws.pick([2 * SECOND_MS, 30 * SECOND_MS, 10 * MINUTE_MS]));
    await verify(of, caller, plan, paymentId, 'api');
  }
}

async function verify(
  of: DriveContext,
  caller: Caller,
  plan: PaymentPlan,
  paymentId: string,
  cause: 'api' | 'checkout_return',
): Promise<void> {
  const begun = of.scheduler.now;
  const options = { transactionId: null, cause };
  const found = await request(of, ({ product, context }) => product.verify(context, caller, paymentId, options, untimed));
  const base = answerOf(of, caller.configuration.merchant.id, plan, begun, 'verify');
  const payment = found === undefined ? null : answered(found, true);
  of.answers.push({ ...base, httpStatus: payment === null ? 503 : 200, payment });
}

async function actAsCustomer(of: DriveContext, caller: Caller, plan: PaymentPlan, payment: PaymentRecord): Promise<void> {
  const { customer } = plan;
  const { sessionMinutes } = caller.configuration.merchant;
  const isLate = customer === 'pays_late' || customer === 'pays_everywhere_late';
  const untilEnd = Math.max(0, payment.expiresAt.getTime() - of.scheduler.now);
  await pause(of, isLate ? untilEnd + plan.lateMs : Math.min(plan.thinkMs, sessionMinutes * MINUTE_MS - SECOND_MS));
  const all = of.checkoutsOf(payment.paymentId);
  const given = all.filter(({ reference }) => reference === payment.gatewayReference);
  const others = all.filter((checkout) => !given.includes(checkout));
  const exact = plan.amount * 100;
  const pay = async (checkouts: readonly Checkout[], amount = exact, currency: string = plan.currency): Promise<void> => {
    for (const checkout of checkouts) {
      if (!payAt(of, payment, checkout, amount, currency)) continue;
      if (plan.returns) void comeBack(of, caller, plan, payment);
      await pause(of, of.draws.pick([0, SECOND_MS, 2 * MINUTE_MS]));
    }
  };
  const decline = (): void => {
    for (const checkout of given) {
      of.books.get(checkout.accountId)?.decline(checkout);
      of.history.note(payment.paymentId, `the customer is declined at ${checkout.gateway}`);
    }
  };
  switch (customer) {
    case 'walks_away':
      return;
    case 'pays':
    case 'pays_late':
      return pay(given);
    case 'pays_less':
      return pay(given, exact - 5_000);
    case 'pays_cents_more':
      return pay(given, exact + 25);
    case 'pays_other_currency':
      return pay(given, exact, plan.currency === 'USD' ? 'NGN' : 'USD');
    case 'is_declined':
      decline();
      return;
    case 'is_declined_then_pays': {
      decline();
      await pause(of, of.draws.pick([SECOND_MS, 3 * MINUTE_MS]));
      return pay(given.filter(({ accountId }) => of.books.get(accountId)?.quirks.declinesForGood === false));
    }
    case 'pays_elsewhere_and_is_declined':
      await pay(others);
      decline();
      return;
    case 'pays_everywhere':
    case 'pays_everywhere_late':
      return pay(plan.paysElsewhereFirst ? [...others, ...given] : [...given, ...others]);
    default:
      customer satisfies never;
  }
}

/** Pays at a checkout, once. */
function payAt(of: DriveContext, { paymentId }: PaymentRecord, checkout: Checkout, amount: number, currency: string): boolean {
  const own = of.books.get(checkout.accountId);
  if (own === undefined || checkout.charges.length > 0) return false;
  own.pay(checkout, amount, currency);
  of.history.note(paymentId, `the customer pays ${amount / 100} ${currency} at ${checkout.gateway} under ${checkout.reference}`);
  return true;
}

/** The customer's browser returns from the gateway, and we look the payment up. */
async function comeBack(of: DriveContext, caller: Caller, plan: PaymentPlan, { paymentId }: PaymentRecord): Promise<void> {
  await pause(of, of.draws.between(100, 2_000));
  await verify(of, caller, plan, paymentId, 'checkout_return');
}

/** The customer disputes a payment, some time after it succeeded. */
async function disputeLater(of: DriveContext, { dispute }: PaymentPlan, paymentId: string): Promise<void> {
  const paid = of.checkoutsOf(paymentId).find(({ charges }) => charges.length > 0);
  const own = paid === undefined ? undefined : of.books.get(paid.accountId);
  if (dispute === null || paid === undefined || own === undefined) return;
  await pause(of, dispute.afterMs);
  if (paid.refunds.length > 0) return;
  of.history.note(paymentId, `the customer disputes the payment at ${paid.gateway}`);
  own.dispute(paid, dispute.decidedAfterMs, dispute.isLost);
  await pause(of, dispute.decidedAfterMs + MINUTE_MS);
}

/** The gateway takes the money of a payment back, some time after it succeeded. */
async function reverseLater(of: DriveContext, { reversedAfterMs }: PaymentPlan, paymentId: string): Promise<void> {
  if (reversedAfterMs === null) return;
  await pause(of, reversedAfterMs);
  // A second charge that goes back before it is seen is on no record.
  const [paid, ...more] = of.checkoutsOf(paymentId).filter(({ charges }) => charges.length > 0);
  if (paid === undefined || more.length > 0 || of.books.get(paid.accountId)?.reverse(paid) !== true) return;
  of.history.note(paymentId, `${paid.gateway} takes back what was paid under ${paid.reference}`);
}

/** The merchant refunds a payment that it knows as succeeded. */
async function refund(of: DriveContext, caller: Caller, plan: PaymentPlan, paymentId: string): Promise<void> {
  if (plan.refund === 'none') return;
  await pause(of, plan.refundAfterMs);
  const part = BigInt(Math.max(1, Math.trunc(plan.amount / 3)));
  await refuseOther(of, plan, paymentId);
  switch (plan.refund) {
    case 'whole':
      await requestRefund(of, caller, plan, paymentId, 'full');
      return;
    case 'part':
      await requestRefund(of, caller, plan, paymentId, part);
      return;
    case 'in_parts':
      await Promise.all([part, part, 'full' as const].map((amount) => requestRefund(of, caller, plan, paymentId, amount)));
      return;
    case 'too_much':
      await requestRefund(of, caller, plan, paymentId, BigInt(plan.amount) + 1n);
      // Two of the whole at once: one of them has to be refused.
      await Promise.all([1, 2].map(() => requestRefund(of, caller, plan, paymentId, BigInt(plan.amount))));
      return;
    default:
      plan.refund satisfies never;
  }
}

/** Another merchant must get neither the payment nor its money. */
async function refuseOther(of: DriveContext, plan: PaymentPlan, paymentId: string): Promise<void> {
  const other = of.merchants[(plan.merchant + 1) % of.merchants.length];
  if (other === undefined) return;
  const caller: Caller = { configuration: other, mode: MODE };
  const found = await request(of, async ({ product, context }) => ({
    payment: await product.findPayment(context, caller, paymentId, untimed),
    refund: await product.requestRefund(context, refundRequest(caller, uuidOf(of.draws), paymentId, 1n)),
  }));
  if (found === undefined) return;
  const got = `${found.payment === undefined ? 'no payment' : 'the payment'}, ${found.refund.kind}`;
  of.refusals.push({
    what: 'another merchant reads and refunds a payment',
    paymentId,
    got,
    isRefused: got === 'no payment, not_found',
  });
}

function refundRequest(caller: Caller, refundId: string, paymentId: string, amount: RefundAmount) {
  const merchantId = caller.configuration.merchant.id;
  return { refundId, merchantId, mode: MODE, paymentId, amount, reason: null, actor: 'api', cause: 'api' } as const;
}

/** Requests a refund until there is an answer. */
async function requestRefund(
  of: DriveContext,
  caller: Caller,
  plan: PaymentPlan,
  paymentId: string,
  amount: RefundAmount,
): Promise<void> {
  const refundId = uuidOf(of.draws);
  for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
    const begun = of.scheduler.now;
    const outcome = await request(of, ({ product, context }) =>
      product.requestRefund(context, refundRequest(caller, refundId, paymentId, amount)),
    );
    of.answers.push({
      ...answerOf(of, caller.configuration.merchant.id, plan, begun, 'refund'),
      idempotencyKey: refundId,
      httpStatus: outcome === undefined ? 503 : outcome.kind === 'requested' ? 200 : 409,
      payment: null,
    });
    of.history.note(paymentId, `the merchant requests a refund of ${amount}: ${outcome?.kind ?? 'no answer'}`);
    if (outcome !== undefined) {
      if (amount !== 'full' && amount > BigInt(plan.amount)) {
        of.refusals.push({
          what: 'a refund of more than was paid',
          paymentId,
          got: outcome.kind,
          isRefused: outcome.kind !== 'requested',
        });
      }
      return;
    }
    await pause(of, Math.min(HOUR_MS, 5 * SECOND_MS * tries));
  }
}
