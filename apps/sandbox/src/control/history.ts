import { z } from 'zod';
import { randomToken } from '../checkout/open.ts';
import { type Account, type Charge, type Checkout, channels, type Refund, refundStatuses } from '../ledger/records.ts';
import { scheduleRefund } from '../refunds.ts';
import type { Simulator } from '../simulator.ts';
import type { SimulatorServer } from '../simulator-server.ts';
import { amountOf, currency, time } from './amend.ts';
import { defaultMessages, explainIssues, type Outcome } from './commands.ts';

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
    id: spec.transactionIs === 'checkout' ? past.id : ledger.nextId(),
    accountId: account.id,
    token: randomToken(15),
    reference: past.reference,
    amount: past.amount,
    currency: past.currency,
    email: past.email,
    customerName: null,
    phone: null,
    returnUrl: null,
    cancelUrl: null,
    channels: [past.channel],
    title: null,
    metadata: null,
    bankAccount: '0000000000',
    createdAt: past.createdAt,
    expiresAt: null,
    maxFailures: null,
    closed: true,
    hidden: false,
    listedOnly: false,
    charges: [charge],
    reversed: 0,
    disputes: [],
    settlementDelayDays: 0,
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
