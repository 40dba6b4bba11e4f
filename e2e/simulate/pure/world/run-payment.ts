import type { Decision } from '@switchyard/routing';
import type { Product } from '../open-pure.ts';
import { checkDue, startActors } from './actors.ts';
import { Draws, timeAt } from './draws.ts';
import { Gateways } from './gateway.ts';
import { PaymentFile, type PaymentRow } from './payment-file.ts';
import { Agenda, type PaymentRun, type PaymentWorld, type StepLine } from './payment-world.ts';
import type { PaymentScript } from './script.ts';

const RESTART_MS = 120_000;
const STEPS_MAX = 50_000;
const CHECK = 'check';
const HALF_HOUR_MS = 30 * 60_000;
const JITTER = 1.16;
const LONGEST_CHECK_MS = 12 * 3_600_000;

/** Runs one payment to its end. `records` also keeps lines for people. */
export function runPayment(
  product: Product,
  seed: number,
  script: PaymentScript,
  decision: Decision,
  merchant: PaymentWorld['merchant'],
  records: boolean,
): PaymentRun {
  const file = new PaymentFile(firstRow(product, script, decision));
  const run = { script, file, gateways: new Gateways(script), heard: [], asked: [], disputes: [], wrong: [], lines: [] };
  let ids = 0;
  const newId = (): string => `${script.index}/${++ids}`;
  const draws = new Draws(seed, 2 * script.index + 1);
  const world: PaymentWorld = { product, run, agenda: new Agenda(), draws, decision, merchant, newId };
  startActors(world);
  const { agenda } = world;
  let checked: Date | null = null;
  for (let event = agenda.next(); event !== undefined; event = agenda.next()) {
    if (agenda.steps > STEPS_MAX) throw new Error(`payment ${script.paymentId} does not come to an end`);
    const before = records ? describeRows(file) : '';
    const step = event.actor.next();
    if (records) record(run.lines, agenda.now, event.label, before, describeRows(file));
    const dies = !step.done && draws.chance(script.crashes);
    const stall = !step.done && draws.chance(script.stalls) ? draws.next() * script.stallMs : 0;
    // A lease that its process does not outlive is never due.
    const isLeased = event.label === CHECK && !step.done && !dies && stall === 0;
    if (file.nextCheckAt !== checked && !isLeased) {
      checked = file.nextCheckAt;
      if (checked !== null) agenda.begin(CHECK, checked.getTime() - timeAt(agenda.now).getTime(), checkDue(world, checked));
    }
    watchCheck(run, agenda.now);
    if (step.done) continue;
    if (!dies) agenda.put(agenda.now + step.value + stall, event.actor, event.label, event.again);
    else if (event.again !== null) agenda.put(agenda.now + RESTART_MS, event.again(), event.label, event.again);
  }
  return { ...run, steps: agenda.steps };
}

/** A payment that is not decided has a next check, and none is further away than the product promises. */
function watchCheck({ file, wrong, script }: Omit<PaymentRun, 'steps'>, now: number): void {
  const { payment, nextCheckAt } = file;
  const isOpen = payment.status === 'INITIATED' || (payment.status === 'PENDING' && payment.review === null);
  if (nextCheckAt === null) {
    if (isOpen) wrong.push({ kind: 'check_missing', what: `${payment.status} without a next check at ${now} ms` });
    return;
  }
  const wait = nextCheckAt.getTime() - timeAt(now).getTime();
  const longest = now < script.sessionMs && isOpen ? HALF_HOUR_MS : LONGEST_CHECK_MS;
  if (wait > longest * JITTER) wrong.push({ kind: 'check_too_late', what: `${payment.status}, checked in ${wait} ms` });
}

function record(lines: StepLine[], at: number, label: string, before: string, after: string): void {
  lines.push({ at, text: before === after ? label : `${label}: ${after}` });
}

function describeRows({ payment, attempts, refunds, duplicates, nextCheckAt }: PaymentFile): string {
  const { status, review, reversal } = payment;
  const parts = [
    status,
    ...(review === null ? [] : [`review ${review}`]),
    ...(reversal.amount === '0' ? [] : [`${reversal.amount} taken back`]),
    ...attempts.map(({ position, state, duplicate, receivedAmount }) => {
      return `attempt ${position} ${state}${duplicate ? ' a second time' : ''}${receivedAmount === null ? '' : ` ${receivedAmount}`}`;
    }),
    ...refunds.map(({ state, amount, sendCount }) => `refund of ${amount} ${state} after ${sendCount} sendings`),
    ...duplicates.map(({ transactionId, state }) => `second charge ${transactionId} ${state}`),
    ...(nextCheckAt === null ? ['no check'] : []),
  ];
  return parts.join(', ');
}

function firstRow({ NOT_REVERSED }: Product, script: PaymentScript, decision: Decision): PaymentRow {
  const { paymentId, amount, currency, sessionMs } = script;
  const createdAt = timeAt(0);
  return {
    merchantId: MERCHANT_ID,
    paymentId,
    mode: 'live',
    merchantOrderId: paymentId,
    status: 'INITIATED',
    amount,
    currency,
    customerEmail: 'ada@example.com',
    customerId: null,
    customerPhone: null,
    paymentMethod: 'CARD',
    redirectUrl: null,
    requestedGateway: null,
    routingMode: decision.routingMode,
    smartRoutingBypassed: decision.smartRoutingBypassed,
    recommendedGateway: decision.plan[0]?.gateway ?? '',
    documents: { routing: null, session: null, fallbackGateways: [] },
    currentAttemptId: null,
    gatewayReference: null,
    expiresAt: timeAt(sessionMs),
    late: false,
    reversal: NOT_REVERSED,
    review: null,
    version: 1,
    statusEventId: paymentId,
    statusChangedAt: createdAt,
    createdAt,
    updatedAt: createdAt,
    failureReason: null,
    paidAttemptId: null,
    receivedAmount: null,
    refundedAmount: 0n,
    reviewReason: null,
  };
}

const MERCHANT_ID = '00000000-0000-7000-8000-000000000001';
