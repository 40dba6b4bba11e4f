import type { Dispute } from '@switchyard/client';
import { type Command, Option } from 'commander';
import { amountOf, json, list, type Surroundings, table, timeOf } from '../print.ts';
import { openClient, PAGE_MAX, readCount, takeUpTo } from './payments.ts';

const STATES = [
  'needs_response',
  'under_review',
  'won',
  'lost',
  'accepted',
  'expired',
  'closed',
] as const satisfies readonly Dispute['state'][];

interface ListOptions {
  readonly state?: Dispute['state'][];
  readonly payment?: string;
  readonly limit: number;
  readonly json?: true;
}

/** `switchyard disputes` */
export function addDisputes(program: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const disputes = program.command('disputes').description('read payments that customers dispute');
  disputes
    .command('list')
    .description('the newest disputes')
    .addOption(new Option('--state <state...>', 'in this state, or in any of these').choices(STATES))
    .option('--payment <id>', 'of this payment')
    .option('--limit <count>', 'how many at most', readCount, 20)
    .option('--json', 'for programs')
    .action(async ({ state, payment, limit, json: asJson }: ListOptions) => {
      const query = {
        limit: Math.min(limit, PAGE_MAX),
        ...(state && { state }),
        ...(payment !== undefined && { paymentId: payment }),
      };
      const found = await takeUpTo(limit, openClient(surroundings).disputes.list(query));
      const heading = ['OPENED (UTC)', 'DUE (UTC)', 'STATE', 'AMOUNT', 'GATEWAY', 'PAYMENT', 'DISPUTE'];
      out(asJson ? json(found) : table(heading, found.map(rowOf)));
    });
  disputes
    .command('get <disputeId>')
    .description('one dispute')
    .option('--json', 'for programs')
    .action(async (disputeId: string, { json: asJson }: { readonly json?: true }) => {
      const dispute = await openClient(surroundings).disputes.retrieve(disputeId);
      out(asJson ? json(dispute) : list(describe(dispute)));
    });
}

const momentOf = (moment: string | null) => (moment === null ? '–' : timeOf(moment));

function rowOf(dispute: Dispute): string[] {
  const { openedAt, dueAt, state, gateway, paymentId, disputeId } = dispute;
  return [timeOf(openedAt), momentOf(dueAt), state, amountOf(dispute), gateway, paymentId ?? '–', disputeId];
}

function describe(dispute: Dispute): Record<string, string> {
  const { disputeId, paymentId, gateway, gatewayDisputeId, state, category, stage, fee, currency } = dispute;
  return {
    dispute: disputeId,
    payment: paymentId ?? 'not made here',
    gateway,
    'at the gateway': gatewayDisputeId,
    state,
    category: category ?? '–',
    stage: stage ?? '–',
    amount: amountOf(dispute),
    fee: fee === null ? '–' : amountOf({ amount: fee, currency }),
    'opened (UTC)': timeOf(dispute.openedAt),
    'due (UTC)': momentOf(dispute.dueAt),
    'closed (UTC)': momentOf(dispute.closedAt),
  };
}
