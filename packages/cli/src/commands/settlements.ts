import type { Settlement, SettlementLine } from '@switchyard/client';
import { type Command, Option } from 'commander';
import { amountOf, json, list, type Surroundings, table } from '../print.ts';
import { openClient, PAGE_MAX, readCount, takeUpTo } from './payments.ts';

const STATUSES = ['PENDING', 'PAID', 'FAILED'] as const satisfies readonly Settlement['status'][];

interface ListOptions {
  readonly status?: Settlement['status'][];
  readonly from?: string;
  readonly to?: string;
  readonly limit: number;
  readonly json?: true;
}

/** `switchyard settlements` */
export function addSettlements(program: Command, surroundings: Surroundings): void {
  const { out } = surroundings;
  const settlements = program.command('settlements').description('read payouts of gateways');
  settlements
    .command('list')
    .description('those that are not paid out yet, then the newest')
    .addOption(new Option('--status <status...>', 'of this status, or of any of these').choices(STATUSES))
    .option('--from <day>', 'paid out on this day or later, such as 2026-11-26')
    .option('--to <day>', 'paid out on this day or before')
    .option('--limit <count>', 'how many at most', readCount, 20)
    .option('--json', 'for programs')
    .action(async ({ status, from, to, limit, json: asJson }: ListOptions) => {
      const query = {
        limit: Math.min(limit, PAGE_MAX),
        ...(status && { status }),
        ...(from !== undefined && { settledFrom: from }),
        ...(to !== undefined && { settledTo: to }),
      };
      const found = await takeUpTo(limit, openClient(surroundings).settlements.list(query));
      const heading = ['PAID OUT', 'STATUS', 'NET', 'FEES', 'GATEWAY', 'ACCOUNT', 'SETTLEMENT'];
      out(asJson ? json(found) : table(heading, found.map(rowOf)));
    });
  settlements
    .command('get <settlementId>')
    .description('one payout')
    .option('--json', 'for programs')
    .action(async (settlementId: string, { json: asJson }: { readonly json?: true }) => {
      const settlement = await openClient(surroundings).settlements.retrieve(settlementId);
      out(asJson ? json(settlement) : list(describe(settlement)));
    });
  settlements
    .command('lines <settlementId>')
    .description('what is in a payout')
    .option('--limit <count>', 'how many at most', readCount, 100)
    .option('--json', 'for programs')
    .action(async (settlementId: string, { limit, json: asJson }: { readonly limit: number; readonly json?: true }) => {
      const query = { limit: Math.min(limit, PAGE_MAX) };
      const found = await takeUpTo(limit, openClient(surroundings).settlements.listLines(settlementId, query));
      out(asJson ? json(found) : table(['KIND', 'AMOUNT', 'ORDER', 'REFERENCE', 'MATCHED'], found.map(lineOf)));
    });
}

function rowOf({ settledOn, status, net, fees, currency, gateway, account, settlementId }: Settlement): string[] {
  return [
    settledOn ?? '–',
    status,
    amountOf({ amount: net, currency }),
    amountOf({ amount: fees, currency }),
    gateway,
    account,
    settlementId,
  ];
}

function lineOf({ kind, amount, currency, merchantOrderId, reference, transactionId, matched }: SettlementLine): string[] {
  return [
    kind,
    amountOf({ amount, currency }),
    merchantOrderId ?? '–',
    reference ?? transactionId ?? '–',
    matched ? 'yes' : 'no',
  ];
}

function describe(settlement: Settlement): Record<string, string> {
  const { settlementId, reference, gateway, account, status, currency, settledOn, lineCount } = settlement;
  return {
    settlement: settlementId,
    reference,
    gateway,
    account,
    status,
    'paid out': settledOn ?? '–',
    gross: amountOf({ amount: settlement.gross, currency }),
    fees: amountOf({ amount: settlement.fees, currency }),
    deductions: amountOf({ amount: settlement.deductions, currency }),
    net: amountOf({ amount: settlement.net, currency }),
    unexplained: amountOf({ amount: settlement.unexplained, currency }),
    lines: String(lineCount),
  };
}
