import type { ListedSettlement } from '@switchyard/gateways';
import type { TestPayments } from '@switchyard/payments/testing';
import type { Days } from '../bank/arrivals.ts';
import { followBank } from '../bank/follow-bank.ts';
import type { BankMapping } from '../bank/mapping.ts';
import { readBank } from '../bank/read-bank.ts';
import { previewStatement, type StatementFile, type StatementPreview, takeStatement } from '../bank/take-statement.ts';
import { storeSettlement } from '../intake/store-settlement.ts';
import { settlementOf } from './account.ts';
import { BANK_MAPPING as ONE_COLUMN } from './files.ts';

interface Key {
  readonly merchantId: string;
  readonly accountId: string;
}

const ACTOR = 'staff:0190f0c4-1111-7000-8000-000000000001';

/** The columns of a bank's CSV with a column for each direction. */
export const BANK_MAPPING: BankMapping = {
  ...ONE_COLUMN,
  columns: { ...ONE_COLUMN.columns, amount: null, credit: 'Credit', debit: 'Debit' },
};

/** A statement of one bank account with these rows below its titles, and what the bank writes above them. */
export function statementOf(
  { merchantId }: Pick<Key, 'merchantId'>,
  rows: readonly string[],
  { bankAccount = 'GTB 0123', head = [], days }: { bankAccount?: string; head?: readonly string[]; days?: Days } = {},
): StatementFile {
  const text = [...head, 'Value date,Narration,Debit,Credit', ...rows].join('\n');
  const bytes = new TextEncoder().encode(text);
  return { merchantId, mode: 'test', name: 'bank.csv', bytes, csv: { bankAccount, mapping: BANK_MAPPING, days } };
}

/** Previews a statement and takes it in. */
export async function takeFile(context: TestPayments, file: StatementFile) {
  const preview = (await previewStatement(context, file)) as StatementPreview;
  return takeStatement(context, { ...file, hash: preview.hash }, ACTOR);
}

/** Takes in a statement with these rows. */
export function takeStatementOf(context: TestPayments, key: Pick<Key, 'merchantId'>, ...rows: string[]) {
  return takeFile(context, statementOf(key, rows));
}

/** A merchant's payouts and bank. */
export function bankOf(context: TestPayments, key: Key) {
  const scope = { merchantId: key.merchantId, mode: 'test' as const };
  const { prisma } = context.database;
  return {
    /** Stores a payout. Returns its id. */
    async payout(reference: string, settledOn: string, net: string, changes: Partial<ListedSettlement> = {}): Promise<string> {
      const { head } = settlementOf(reference, settledOn, [], { net, gross: net, ...changes });
      const stored = await storeSettlement(context, { ...key, road: 'POLLED', settlement: head, lines: [] });
      if (stored.kind === 'not_found') throw new Error('the account is not known');
      return stored.settlementId;
    },
    /** Matches and judges, once no more has come for a while. */
    follow() {
      context.setClock(new Date(context.now().getTime() + 60_000));
      return followBank(context, scope);
    },
    /** The links, by what gateway and bank say of their ends. */
    async links(): Promise<string[]> {
      const where = { merchantId: key.merchantId };
      const [matches, lines, payouts] = await Promise.all([
        prisma.bankMatch.findMany({ where }),
        prisma.bankLine.findMany({ where }),
        prisma.settlement.findMany({ where }),
      ]);
      const lineOf = new Map(
        lines.map((line) => [line.id, `${line.bookedOn.toISOString().slice(0, 10)} ${line.dedupeKey.slice(0, 8)} ${line.text}`]),
      );
      const payoutOf = new Map(payouts.map(({ id, reference }) => [id, reference]));
      return matches
        .map(({ bankLineId, settlementId, matchedBy }) => `${payoutOf.get(settlementId)}: ${lineOf.get(bankLineId)} ${matchedBy}`)
        .toSorted();
    },
    /** The open discrepancies. */
    async open(): Promise<string[]> {
      const rows = await prisma.settlementDiscrepancy.findMany({ where: { merchantId: key.merchantId, state: 'OPEN' } });
      return rows
        .map(({ kind, subject, expected, settled }) => {
          return `${kind} ${subject.split('/')[0]} ${expected?.toFixed() ?? '-'} ${settled?.toFixed() ?? '-'}`;
        })
        .toSorted();
    },
    /** How the bank has each payout. */
    async states(from = '2026-10-01', to = '2026-12-31'): Promise<string[]> {
      const { payouts } = await readBank(context.resources, { merchantIds: [key.merchantId], mode: 'test', from, to });
      return payouts.map(({ reference, state, arrived }) => `${reference} ${state} ${arrived ?? '-'}`).toSorted();
    },
  };
}
