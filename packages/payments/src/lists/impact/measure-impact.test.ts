import type { Gateway } from '@switchyard/gateways';
import { createTestMerchant, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { initiate } from '../../path/initiate/initiate.ts';
import type { Order } from '../../record/order.ts';
import { openTestPayments, type TestPayments, TIMED_OUT, withGateways } from '../../testing/context.ts';
import { countListedPayments, listPayments } from '../console/list-payments.ts';
import type { PaymentFilter } from '../payment-noun.ts';
import { measureImpact, measureOutage } from './measure-impact.ts';
import { IMPACT_OUTCOMES, type ListedOutcome } from './sum-impact.ts';

const BEGIN = new Date('2026-11-20T14:00:00.000Z');
const after = (minutes: number) => new Date(BEGIN.getTime() + minutes * 60_000);
/** The incident of Paystack lasts from the tenth to the fortieth minute. */
const MET = { metFrom: after(10), metUntil: after(40) };

const CALL = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null } as const;
const REFUSED = {
  outcome: 'no',
  failure: { class: 'provider_fault', code: 'http_5xx', message: 'The gateway answered 500.' },
  call: CALL,
} as const;
const fees = (percentBasisPoints: number) => ({
  percentBasisPoints,
  flat: 0,
  flatWaivedBelow: null,
  cap: null,
  vatBasisPoints: 750,
});

let context: TestPayments;
let merchant: TestMerchant;
let incidentId: string;
const made = new Map<string, string>();

beforeAll(async () => {
  context = await openTestPayments();
  merchant = await createTestMerchant(context, {
    'paystack-main': { fees: fees(150) },
    'flutterwave-main': { fees: fees(200) },
    'squad-main': { fees: null },
  });
  incidentId = context.newId();
  const accountId = merchant.accounts['paystack-main'] ?? '';
  await context.database.prisma.incidentAccount.create({
    data: { merchantId: merchant.merchantId, incidentId, accountId, ...MET },
  });
  await liveThrough();
});
afterAll(() => context.close());

type Answers = Readonly<Record<string, 'opens' | 'times out' | 'refuses'>>;

/** A payment of a minute, with what each gateway that is asked answers, and what became of it. */
async function pay(
  name: string,
  minute: number,
  answers: Answers,
  { amount = 10_000n, email = `${name}@example.com`, paid = false }: { amount?: bigint; email?: string; paid?: boolean } = {},
): Promise<void> {
  context.setClock(after(minute));
  const { merchantId } = merchant;
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('the merchant is not known');
  const order: Order = {
    merchantOrderId: name,
    amount,
    currency: 'NGN',
    metadata: null,
    redirectUrl: null,
    customer: { email, id: null, phone: null },
    paymentMethod: 'CARD',
    customerCountry: null,
    requestedGateway: 'paystack',
  };
  const answering = withGateways(context, (gateway) => ({
    open: async (_account, { reference }) => answerOf(gateway, reference),
  }));
  function answerOf({ name: gateway }: Gateway, reference: string) {
    const answer = answers[gateway] ?? 'refuses';
    if (answer === 'times out') return TIMED_OUT;
    if (answer === 'refuses') return REFUSED;
    const redirectUrl = `https://checkout.${gateway}.com/${reference}`;
    return { outcome: 'yes' as const, value: { reference, redirectUrl, accessCode: reference, raw: {} }, call: CALL };
  }
  const result = await initiate(answering, { configuration, mode: 'test' }, order, context.newId(), { add: () => undefined });
  if (result.kind !== 'initiated') throw new Error(result.kind);
  const { paymentId } = result.payment;
  made.set(name, paymentId);
  if (paid) await end(name, { status: 'SUCCESS', paidAt: after(minute + 2) });
}

async function end(name: string, data: { status: 'SUCCESS' | 'FAILED'; paidAt?: Date; paidAttemptId?: string }): Promise<void> {
  const key = { merchantId: merchant.merchantId, id: made.get(name) ?? '' };
  await context.database.prisma.payment.update({ where: { merchantId_id: key }, data });
}

async function liveThrough(): Promise<void> {
  const fallback = { paystack: 'times out', flutterwave: 'opens' } as const;
  await pay('before', 9, fallback, { paid: true });
  await pay('well', 11, { paystack: 'opens' }, { paid: true });
  await pay('recovered', 12, fallback, { paid: true });
  await pay('recovered by another', 13, { paystack: 'refuses', squad: 'opens' }, { amount: 3_000n, paid: true });
  await pay('in checkout', 14, fallback);
  await end('in checkout', { status: 'FAILED' });
  await pay('open', 15, fallback, { amount: 700n });
  await pay('lost', 16, {}, { amount: 2_000n });
  await pay('retried', 17, {}, { amount: 4_000n, email: 'Obi@example.com' });
  await pay('paid again', 25, { paystack: 'opens' }, { amount: 4_000n, email: 'obi@example.com', paid: true });
  await pay('not the same', 18, {}, { amount: 5_000n, email: 'obi@example.com' });
  await pay('same account', 19, fallback, { amount: 900n });
  const first = await context.database.prisma.attempt.findFirstOrThrow({
    where: { paymentId: made.get('same account') ?? '', gateway: 'paystack' },
  });
  await end('same account', { status: 'SUCCESS', paidAt: after(21), paidAttemptId: first.id });
  await pay('afterwards', 40, fallback, { paid: true });
}

const source = () => ({ configuration: context.resources.configuration, pool: context.database.pool });

const filter = (change: Partial<PaymentFilter>): PaymentFilter => ({
  merchantIds: [merchant.merchantId],
  mode: 'test',
  ...change,
});

async function listed(change: Partial<PaymentFilter>): Promise<string[]> {
  const { items } = await listPayments(context, {
    ...filter(change),
    after: null,
    limit: 200,
    sort: { by: 'created', descending: false },
  });
  return items.map(({ merchantOrderId }) => merchantOrderId);
}

const AFFECTED = ['recovered', 'recovered by another', 'in checkout', 'open', 'lost', 'retried', 'not the same', 'same account'];

const PARTS: Readonly<Record<ListedOutcome, readonly string[]>> = {
  recovered: ['recovered', 'recovered by another'],
  same_account: ['same account'],
  retried: ['retried'],
  open: ['open'],
  lost: ['in checkout', 'lost', 'not the same'],
  lost_in_checkout: ['in checkout'],
};

describe('the impact of an outage that fallbacks met', () => {
  test('is what became of each payment that met the fault within its time', async () => {
    const { currencies, isCut } = await measureImpact(source(), {
      merchantIds: [merchant.merchantId],
      incidentIds: [incidentId],
    });
    expect(isCut).toBe(false);
    expect(currencies).toEqual([
      {
        currency: 'NGN',
        met: { payments: 8, amount: 35_600n },
        outcomes: {
          recovered: { payments: 2, amount: 13_000n },
          same_account: { payments: 1, amount: 900n },
          retried: { payments: 1, amount: 4_000n },
          open: { payments: 1, amount: 700n },
          lost: { payments: 3, amount: 17_000n },
        },
        recoveredBy: [
          { gateway: 'flutterwave', payments: 1, amount: 10_000n },
          { gateway: 'squad', payments: 1, amount: 3_000n },
        ],
        lostInCheckout: { payments: 1, amount: 10_000n },
        // 2 % and 1.5 % of NGN 10,000, each with 7.5 % of value added tax.
        extraFee: { amount: '53.75', payments: 1, withoutContract: 1 },
        lostWithoutFallbacks: { payments: 5, amount: 30_000n },
      },
    ]);
  });

  test('has the numbers of a statement written by hand', async () => {
    const { rows } = await context.database.pool.query<{
      payments: number;
      amount: string;
      recovered: number;
      open: number;
      lost: number;
    }>(
      `SELECT count(*)::int AS payments, sum(amount)::text AS amount,
         count(*) FILTER (WHERE status = 'SUCCESS' AND account_gateway <> 'paystack')::int AS recovered,
         count(*) FILTER (WHERE status = 'PENDING')::int AS open,
         count(*) FILTER (WHERE status = 'FAILED' AND NOT (customer_email = 'Obi@example.com' AND amount = 4000))::int AS lost
       FROM payment WHERE merchant_id = $1 AND id IN (SELECT payment_id FROM attempt WHERE gateway = 'paystack'
         AND failure_class = 'provider_fault' AND created_at >= $2 AND created_at < $3)`,
      [merchant.merchantId, MET.metFrom, MET.metUntil],
    );
    const { currencies } = await measureImpact(source(), { merchantIds: [merchant.merchantId], incidentIds: [incidentId] });
    const [impact] = currencies;
    expect(rows).toEqual([
      {
        payments: impact?.met.payments,
        amount: String(impact?.met.amount),
        recovered: impact?.outcomes.recovered.payments,
        open: impact?.outcomes.open.payments,
        lost: impact?.outcomes.lost.payments,
      },
    ]);
  });

  test('opens a list of the same payments, with the same count', async () => {
    expect(await listed({ affectedByIncident: [incidentId] })).toEqual(AFFECTED);
    const counts = await countListedPayments(context, filter({ affectedByIncident: [incidentId] }));
    expect(counts?.all).toEqual({ count: 8, more: false });
    expect(await listed({ affectedByIncident: [incidentId], statuses: ['SUCCESS'] })).toEqual([
      'recovered',
      'recovered by another',
      'same account',
    ]);
    expect(await listed({ affectedByIncident: [context.newId()] })).toEqual([]);
  });

  test('is to the banner of the outage what it is to the page', async () => {
    const query = { merchantIds: [merchant.merchantId], incidentIds: [incidentId] };
    const { currencies } = await measureImpact(source(), query);
    expect(await measureOutage(context.database, query)).toEqual(
      currencies.map(({ currency, met, outcomes }) => ({ currency, met, outcomes })),
    );
  });

  test('opens a list of each of its parts, with the same count', async () => {
    const affected = { affectedByIncident: [incidentId] };
    const query = { merchantIds: [merchant.merchantId], incidentIds: [incidentId] };
    const [impact] = (await measureImpact(source(), query)).currencies;
    if (impact === undefined) throw new Error('no payment met the fault');
    const countOf = async (part: Partial<PaymentFilter>) => {
      return (await countListedPayments(context, filter({ ...affected, ...part })))?.all;
    };
    for (const outcome of IMPACT_OUTCOMES) {
      expect(await listed({ ...affected, incidentOutcomes: [outcome] })).toEqual(PARTS[outcome]);
      expect(await countOf({ incidentOutcomes: [outcome] })).toEqual({ count: impact.outcomes[outcome].payments, more: false });
    }
    for (const { gateway, payments } of impact.recoveredBy) {
      expect(await countOf({ incidentOutcomes: ['recovered'], openedAt: gateway })).toEqual({ count: payments, more: false });
    }
    expect(await listed({ ...affected, incidentOutcomes: ['lost_in_checkout'] })).toEqual(PARTS.lost_in_checkout);
    expect(await countOf({ incidentOutcomes: ['lost_in_checkout'] })).toEqual({
      count: impact.lostInCheckout.payments,
      more: false,
    });
    expect(await countOf({ incidentOutcomes: ['lost', 'recovered'] })).toEqual({
      count: impact.lostWithoutFallbacks.payments,
      more: false,
    });
    expect(await listed({ incidentOutcomes: ['lost'] })).toEqual([]);
  });

  test('is of a payment that can still be paid what its customer did meanwhile', async () => {
    const key = { merchantId: merchant.merchantId, id: made.get('retried') ?? '' };
    await context.database.prisma.payment.update({ where: { merchantId_id: key }, data: { status: 'PENDING' } });
    const own = { affectedByIncident: [incidentId], incidentOutcomes: ['retried'] } as const;
    expect(await listed(own)).toEqual(['retried']);
    await end('retried', { status: 'FAILED' });
  });

  test('is that of the merchants asked for alone', async () => {
    const query = { merchantIds: [context.newId()], incidentIds: [incidentId] };
    expect(await measureImpact(source(), query)).toEqual({ currencies: [], isCut: false });
    expect(await listed({ affectedByIncident: [incidentId], merchantIds: [context.newId()] })).toEqual([]);
  });
});

describe('payments that fell back from a gateway', () => {
  const FALLEN = ['before', ...AFFECTED, 'afterwards'];

  test('are those of which another gateway was tried after it', async () => {
    expect(await listed({ fellBackFrom: ['paystack'] })).toEqual(FALLEN);
    expect(await listed({ fellBackFrom: ['paystack'], createdFrom: after(19), createdTo: after(40) })).toEqual(['same account']);
    expect(await listed({ fellBackFrom: ['paystack'], statuses: ['FAILED'] })).toEqual([
      'in checkout',
      'lost',
      'retried',
      'not the same',
    ]);
    // Both refused those that no gateway took; the one that was asked last has none after it.
    const [flutterwave, squad] = [await listed({ fellBackFrom: ['flutterwave'] }), await listed({ fellBackFrom: ['squad'] })];
    expect(flutterwave.toSorted()).toEqual(['lost', 'not the same', 'recovered by another', 'retried']);
    expect(squad).toEqual([]);
    expect(await listed({ fellBackFrom: ['flutterwave', 'paystack'] })).toEqual(FALLEN);
    expect(await listed({ fellBackFrom: ['kora'] })).toEqual([]);
  });
});
