import { createSwitchyard, type Payment, type PaymentQuery, type Switchyard } from '@switchyard/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readCredentials } from '../credentials.ts';
import { amountOf, json, list, type Surroundings, table, timeOf } from '../print.ts';

const STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const satisfies readonly Payment['status'][];
/** The largest page of a list. */
export const PAGE_MAX = 100;

interface ListOptions {
  readonly status?: Payment['status'][];
  readonly order?: string;
  readonly customer?: string;
  readonly limit: number;
  readonly json?: true;
}

interface OneOptions {
  readonly json?: true;
  readonly transactionId?: string;
}

/** The client of the person who is logged in. */
export function openClient(surroundings: Surroundings): Switchyard {
  const { url, apiKey } = readCredentials(surroundings);
  return createSwitchyard({ baseUrl: url, apiKey });
}

/** `switchyard payments` */
export function addPayments(program: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const payments = program.command('payments').description('read and verify payments');
  payments
    .command('list')
    .description('the newest payments')
    .addOption(new Option('--status <status...>', 'of this status, or of any of these').choices(STATUSES))
    .option('--order <id>', 'the one with your own order id')
    .option('--customer <email or id>', 'of this customer')
    .option('--limit <count>', 'how many at most', readCount, 20)
    .option('--json', 'for programs')
    .action(async (options: ListOptions) => {
      const found = await takeUpTo(options.limit, openClient(surroundings).payments.list(queryOf(options)));
      out(
        options.json
          ? json(found)
          : table(['CREATED (UTC)', 'STATUS', 'AMOUNT', 'GATEWAY', 'ORDER', 'PAYMENT'], found.map(rowOf)),
      );
    });
  payments
    .command('get <paymentId>')
    .description('one payment')
    .option('--json', 'for programs')
    .action(async (paymentId: string, options: OneOptions) => {
      const payment = await openClient(surroundings).payments.retrieve(paymentId);
      out(options.json ? json(payment) : list(describe(payment)));
    });
  payments
    .command('verify <paymentId>')
    .description('ask the gateway what became of a payment')
    .option('--transaction-id <id>', "the gateway's own id, for gateways that return one to the browser")
    .option('--json', 'for programs')
    .action(async (paymentId: string, { json: asJson, transactionId }: OneOptions) => {
      const parameters = transactionId === undefined ? {} : { transactionId };
      const result = await openClient(surroundings).payments.verify(paymentId, parameters);
      const { status, merchantOrderId, gatewayReference } = result.data;
      const shown = { status, amount: amountOf(result.data), order: merchantOrderId, reference: gatewayReference };
      out(asJson ? json(result) : list({ ...shown, 'last change (UTC)': timeOf(result.createdAt) }));
    });
}

function queryOf({ status, order, customer, limit }: ListOptions): PaymentQuery {
  return {
    limit: Math.min(limit, PAGE_MAX),
    ...(status && { status }),
    ...(order !== undefined && { merchantOrderId: order }),
    ...(customer !== undefined && { customer }),
  };
}

function rowOf(payment: Payment): string[] {
  const { createdAt, status, recommendedGateway, merchantOrderId, paymentId } = payment;
  return [timeOf(createdAt), status, amountOf(payment), recommendedGateway.name, merchantOrderId, paymentId];
}

function describe(payment: Payment): Record<string, string> {
  const { paymentId, merchantOrderId, status, recommendedGateway, routing, createdAt, updatedAt } = payment;
  return {
    payment: paymentId,
    order: merchantOrderId,
    status,
    amount: amountOf(payment),
    gateway: recommendedGateway.name,
    reference: recommendedGateway.session?.reference ?? '–',
    routing: routing.rationale,
    'created (UTC)': timeOf(createdAt),
    'updated (UTC)': timeOf(updatedAt),
  };
}

/** The first items of a list. */
export async function takeUpTo<Item>(limit: number, items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) {
    found.push(item);
    if (found.length >= limit) break;
  }
  return found;
}

/** A number of rows. */
export function readCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new InvalidArgumentError('It is a whole number from 1.');
  return count;
}
