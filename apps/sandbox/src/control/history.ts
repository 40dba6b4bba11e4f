import { z } from 'zod';
import { randomToken } from '../checkout/open.ts';
import { type Account, type Charge, type Checkout, channels, type Refund, refundStatuses } from '../ledger/records.ts';
import { scheduleRefund } from '../refunds.ts';
import type { Desk } from '../simulator.ts';
import type { Station } from '../station.ts';
import { amountOf, currency, time } from './amend.ts';
import { defaultMessages, explainIssues, type Outcome } from './commands.ts';

const MOST_AT_ONCE = 5_000;

const id = z.int({ error: 'must be a whole number' }).positive({ error: 'must be above 0' });

function historySchema(desk: Desk) {
  const refund = z.object({
    id,
    amount: amountOf(desk),
    status: z.enum(refundStatuses, { error: `must be one of ${refundStatuses.join(', ')}` }),
    note: z.string().nullable(),
    createdAt: time,
    updatedAt: time,
  });
  const transaction = z.object({
    id,
    reference: z.string().min(1).max(100),
    amount: amountOf(desk),
    currency,
    email: z.string().max(320),
    channel: z.enum(channels, { error: `must be one of ${channels.join(', ')}` }),
    createdAt: time,
    paidAt: time,
    refunds: z.array(refund),
  });
  return z.object({
    secretKey: z.string({ error: 'must be a key that is registered' }),
    transactions: z.array(transaction).max(MOST_AT_ONCE, { error: `must be at most ${MOST_AT_ONCE}` }),
  });
}

type PastTransaction = z.infer<ReturnType<typeof historySchema>>['transactions'][number];

/**
 * Takes in paid transactions from before the sandbox was there, under the ids the gateway is to have given them. What it holds
 * already stays as it is, so the same history may be sent any number of times. Nobody is told; no webhook goes out.
 */
export function recordHistory({ desk }: Station, body: unknown): Outcome<{ readonly added: number }> {
  const parsed = historySchema(desk).safeParse(body, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const account = desk.books.accountByKey(parsed.data.secretKey);
  if (account === null) return { kind: 'not_found', error: 'No account has this secretKey' };
  const added = parsed.data.transactions.filter((transaction) => !isKnown(desk, transaction.id));
  for (const transaction of added) addTransaction(desk, account, transaction);
  return { kind: 'done', value: { added: added.length } };
}

function isKnown({ books, spec }: Desk, transactionId: number): boolean {
  switch (spec.transactionIs) {
    case 'checkout':
      return books.checkout(transactionId) !== null;
    case 'charge':
      return books.charge(transactionId) !== null;
    default:
      return spec.transactionIs satisfies never;
  }
}

function addTransaction(desk: Desk, account: Account, past: PastTransaction): void {
  const { books, spec } = desk;
  const charge: Charge = {
    id: spec.transactionIs === 'charge' ? past.id : books.nextId(),
    status: 'success',
    channel: past.channel,
    amount: past.amount,
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
    id: spec.transactionIs === 'checkout' ? past.id : books.nextId(),
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
    charges: [charge],
  };
  books.put({ kind: 'checkout', record: checkout });
  for (const refund of past.refunds) addRefund(desk, checkout, charge, refund);
}

function addRefund(desk: Desk, checkout: Checkout, charge: Charge, past: PastTransaction['refunds'][number]): void {
  if (desk.books.refund(past.id) !== null) return;
  const refund: Refund = {
    id: past.id,
    accountId: checkout.accountId,
    checkoutId: checkout.id,
    chargeId: charge.id,
    amount: past.amount,
    currency: checkout.currency,
    status: past.status,
    customerNote: null,
    merchantNote: past.note,
    hidden: false,
    createdAt: past.createdAt,
    updatedAt: past.updatedAt,
  };
  desk.books.put({ kind: 'refund', record: refund });
  if (refund.status === 'pending' || refund.status === 'processing') scheduleRefund(desk, refund);
}
