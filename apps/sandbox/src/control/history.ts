import { z } from 'zod';
import { newCheckout, randomToken } from '../checkout/moves.ts';
import {
  type Account,
  type Charge,
  type Checkout,
  channels,
  decisiveCharge,
  type Refund,
  refundStatuses,
} from '../ledger/records.ts';
import { scheduleRefund } from '../refunds.ts';
import { isoTime, type Simulator } from '../simulator.ts';
import type { SimulatorServer } from '../simulators.ts';
import { checkoutsUnder, defaultMessages, explainIssues, type Outcome } from './commands.ts';

const TRANSACTIONS_MAX = 5_000;

const id = z.int({ error: 'must be a whole number' }).positive({ error: 'must be above 0' });

function historySchema(simulator: Simulator) {
  const refund = z.object({
    id,
    amount: amountOf(simulator),
    status: z.enum(refundStatuses, { error: `must be one of ${refundStatuses.join(', ')}` }),
    note: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
  });
  const transaction = z.object({
    id,
    reference: z.string().min(1).max(100),
    amount: amountOf(simulator),
    currency,
    email: z.string().max(320),
    channel: z.enum(channels, { error: `must be one of ${channels.join(', ')}` }),
    createdAt: time,
    paidAt: time,
    /** The fee that was taken; the gateway's usual one when left out. */
    fee: z.number({ error: 'must be a number' }).nonnegative({ error: 'must be 0 or more' }).nullable().default(null),
    refunds: z.array(refund),
  });
  return z.object({
    key: z.string({ error: 'must be a key that is registered' }),
    transactions: z.array(transaction).max(TRANSACTIONS_MAX, { error: `must be at most ${TRANSACTIONS_MAX}` }),
  });
}

type PastTransaction = z.infer<ReturnType<typeof historySchema>>['transactions'][number];

/**
 * Adds paid transactions from before the sandbox was started, under the gateway's own ids. Records it already has stay as they
 * are, so the same history may be sent any number of times. No webhook goes out.
 */
export function recordHistory({ simulator }: SimulatorServer, body: unknown): Outcome<{ readonly added: number }> {
  const parsed = historySchema(simulator).safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const account = simulator.ledger.accountByKey(parsed.data.key);
  if (account === null) return { kind: 'not_found', error: 'No account has this key' };
  const added = parsed.data.transactions.filter((transaction) => !hasTransaction(simulator, transaction.id));
  for (const transaction of added) addTransaction(simulator, account, transaction);
  return { kind: 'done', value: { added: added.length } };
}

function hasTransaction({ ledger, spec }: Simulator, transactionId: number): boolean {
  switch (spec.transactionIs) {
    case 'checkout':
      return ledger.checkout(transactionId) !== null;
    case 'charge':
      return ledger.charge(transactionId) !== null;
    default:
      return spec.transactionIs satisfies never;
  }
}

function addTransaction(simulator: Simulator, account: Account, past: PastTransaction): void {
  const { ledger, spec } = simulator;
  const charge: Charge = {
    id: spec.transactionIs === 'charge' ? past.id : ledger.nextId(),
    status: 'success',
    channel: past.channel,
    amount: past.amount,
    fee: past.fee,
    card: null,
    testCard: null,
    awaiting: [],
    wrongAnswers: 0,
    message: 'Approved',
    ip: '127.0.0.1',
    createdAt: past.createdAt,
    finishedAt: past.paidAt,
  };
  const checkout: Checkout = {
    ...newCheckout({
      id: spec.transactionIs === 'checkout' ? past.id : ledger.nextId(),
      accountId: account.id,
      token: randomToken(15),
      reference: past.reference,
      amount: past.amount,
      currency: past.currency,
      email: past.email,
      channels: [past.channel],
      bankAccount: '0000000000',
      createdAt: past.createdAt,
    }),
    closed: true,
    charges: [charge],
  };
  ledger.put({ kind: 'checkout', record: checkout });
  for (const refund of past.refunds) addRefund(simulator, checkout, charge, refund);
}

function addRefund(simulator: Simulator, checkout: Checkout, charge: Charge, past: PastTransaction['refunds'][number]): void {
  if (simulator.ledger.refund(past.id) !== null) return;
  const refund: Refund = {
    id: past.id,
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    chargeId: charge.id,
    reference: null,
    amount: past.amount,
    currency: checkout.currency,
    status: past.status,
    customerNote: null,
    merchantNote: past.note,
    hidden: false,
    createdAt: past.createdAt,
    updatedAt: past.updatedAt,
  };
  simulator.ledger.put({ kind: 'refund', record: refund });
  if (refund.status === 'pending' || refund.status === 'processing') scheduleRefund(simulator, refund);
}

/*
 * Makes the gateway's statement differ from the merchant's ledger: money taken by another system on the same account, a correction
 * by the gateway's own staff, a transaction it has lost. No webhook goes out.
 */

const chargeStatuses = ['success', 'failed', 'pending', 'abandoned'] as const;
type ChargeStatus = (typeof chargeStatuses)[number];

/** An amount in the gateway's own unit. */
function amountOf(simulator: Simulator) {
  return z
    .number({ error: `must be a number, in ${simulator.spec.unit}` })
    .positive({ error: 'must be above 0' })
    .refine((amount) => Number(amount.toFixed(simulator.spec.decimals)) === amount, {
      error: simulator.spec.decimals === 0 ? 'must be a whole number' : 'must have at most two decimals',
    });
}

/** A time in ISO 8601, converted to UTC. */
const time = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time' })
  .transform((text) => new Date(text).toISOString());
/** ISO 4217. */
const currency = z.string().regex(/^[A-Z]{3}$/, { error: 'must be three capital letters' });
const flag = z.boolean({ error: 'must be true or false' });
const status = z.enum(chargeStatuses, { error: `must be one of ${chargeStatuses.join(', ')}` });
const refundStatus = z.enum(refundStatuses, { error: `must be one of ${refundStatuses.join(', ')}` });

/** Adds a transaction that another system made. */
export function plantTransaction({ simulator }: SimulatorServer, body: unknown): Outcome<Checkout> {
  const schema = z.object({
    reference: z
      .string()
      .regex(/^[\w.=-]{1,100}$/, { error: 'must be 1 to 100 letters, digits or any of . = _ -' })
      .default(() => randomToken(12)),
    amount: amountOf(simulator),
    currency: currency.default('NGN'),
    email: z.email({ error: 'must be an e-mail address' }).default('walk-in@example.com'),
    status: status.default('success'),
    createdAt: time.default(() => isoTime(simulator)),
    account: z.string().optional(),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const { account: wanted, status: outcome, ...facts } = parsed.data;
  const account = simulator.ledger.accounts().find(({ id }) => wanted === undefined || id === wanted);
  if (account === undefined) return { kind: 'not_found', error: `No account has the id ${wanted}` };
  const checkout: Checkout = {
    ...newCheckout({
      id: simulator.ledger.nextId(),
      accountId: account.id,
      token: randomToken(15),
      ...facts,
      channels: ['card', 'bank_transfer'],
      bankAccount: '0000000000',
    }),
    closed: true,
  };
  if (outcome !== 'abandoned') checkout.charges.push(chargeOf(simulator, checkout, outcome));
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return { kind: 'done', value: checkout };
}

function chargeOf(simulator: Simulator, checkout: Checkout, outcome: Exclude<ChargeStatus, 'abandoned'>): Charge {
  return {
    id: simulator.ledger.nextId(),
    status: outcome,
    channel: 'bank_transfer',
    amount: checkout.amount,
    fee: null,
    card: null,
    testCard: null,
    awaiting: [],
    wrongAnswers: 0,
    message: outcome === 'success' ? 'Approved' : 'Declined',
    ip: '127.0.0.1',
    createdAt: checkout.createdAt,
    finishedAt: outcome === 'pending' ? null : checkout.createdAt,
  };
}

/** Changes a transaction in the gateway's ledger, or hides it from all answers or from look-ups alone. */
export function alterTransaction(server: SimulatorServer, reference: string, body: unknown): Outcome<Checkout> {
  const { simulator } = server;
  const schema = z.object({
    amount: amountOf(simulator).optional(),
    currency: currency.optional(),
    status: status.optional(),
    hidden: flag.optional(),
    listedOnly: flag.optional(),
    createdAt: time.optional(),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const under = checkoutsUnder(server, reference);
  const checkout = under.findLast((candidate) => decisiveCharge(candidate)?.status === 'success') ?? under.at(-1);
  if (checkout === undefined) return { kind: 'not_found', error: `No transaction has the reference ${reference}` };
  const changes = parsed.data;
  if (changes.hidden !== undefined) checkout.hidden = changes.hidden;
  if (changes.listedOnly !== undefined) checkout.listedOnly = changes.listedOnly;
  if (changes.currency !== undefined) checkout.currency = changes.currency;
  if (changes.status !== undefined) setStatus(simulator, checkout, changes.status);
  const charge = decisiveCharge(checkout);
  if (changes.amount !== undefined) {
    if (charge === null) checkout.amount = changes.amount;
    else charge.amount = changes.amount;
  }
  if (changes.createdAt !== undefined) moveTo(checkout, changes.createdAt);
  simulator.ledger.put({ kind: 'checkout', record: checkout });
  return { kind: 'done', value: checkout };
}

function setStatus(simulator: Simulator, checkout: Checkout, outcome: ChargeStatus): void {
  const charge = decisiveCharge(checkout);
  if (outcome === 'abandoned') {
    checkout.charges.length = 0;
  } else if (charge === null) {
    checkout.charges.push(chargeOf(simulator, checkout, outcome));
  } else {
    charge.status = outcome;
    charge.finishedAt = outcome === 'pending' ? null : (charge.finishedAt ?? charge.createdAt);
  }
}

/** Moves the whole transaction in time; the intervals within it stay. */
function moveTo(checkout: Checkout, createdAt: string): void {
  const shift = Date.parse(createdAt) - Date.parse(checkout.createdAt);
  const moved = (at: string): string => new Date(Date.parse(at) + shift).toISOString();
  checkout.createdAt = createdAt;
  for (const charge of checkout.charges) {
    charge.createdAt = moved(charge.createdAt);
    charge.finishedAt = charge.finishedAt === null ? null : moved(charge.finishedAt);
  }
}

/** A refund that was made at the gateway itself, and not by the merchant's calls. */
export function plantRefund(server: SimulatorServer, body: unknown): Outcome<Refund> {
  const { simulator } = server;
  const schema = z.object({
    reference: z.string({ error: 'must be the reference of a transaction' }),
    amount: amountOf(simulator),
    status: refundStatus.default('processed'),
    note: z.string().nullable().default(null),
    createdAt: time.default(() => isoTime(simulator)),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const { reference, amount, note, createdAt } = parsed.data;
  const checkout = checkoutsUnder(server, reference).findLast((one) => decisiveCharge(one)?.status === 'success');
  const charge = checkout === undefined ? null : decisiveCharge(checkout);
  if (checkout === undefined || charge === null)
    return { kind: 'not_found', error: `No paid transaction has the reference ${reference}` };
  const refund: Refund = {
    id: simulator.ledger.nextId(),
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    chargeId: charge.id,
    reference: null,
    amount,
    currency: checkout.currency,
    status: parsed.data.status,
    customerNote: null,
    merchantNote: note,
    hidden: false,
    createdAt,
    updatedAt: createdAt,
  };
  simulator.ledger.put({ kind: 'refund', record: refund });
  return { kind: 'done', value: refund };
}

/** Changes a refund in the gateway's ledger, or hides it. */
export function alterRefund({ simulator }: SimulatorServer, id: string, body: unknown): Outcome<Refund> {
  const schema = z.object({
    amount: amountOf(simulator).optional(),
    status: refundStatus.optional(),
    hidden: flag.optional(),
    createdAt: time.optional(),
  });
  const parsed = schema.safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const refund = /^\d{1,16}$/.test(id) ? simulator.ledger.refund(Number(id)) : null;
  if (refund === null) return { kind: 'not_found', error: `No refund has the id ${id}` };
  const { amount = refund.amount, status: outcome = refund.status, hidden = refund.hidden } = parsed.data;
  const { createdAt = refund.createdAt } = parsed.data;
  Object.assign(refund, { amount, status: outcome, hidden, createdAt });
  simulator.ledger.put({ kind: 'refund', record: refund });
  return { kind: 'done', value: refund };
}
