import { createHash } from 'node:crypto';
import { canonicalJson } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { addDecimals, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import type { AccountKey } from '../account.ts';
import type { SettlementMapping } from './mapping.ts';
import type { EnteredPayout, FileSettlement, ReadSettlementFile } from './read-settlement-file.ts';

/** A payout of a file, and what becomes of it. */
export interface PlannedSettlement extends FileSettlement {
  /** Difference between its net amount and its lines, an exact decimal. */
  readonly residue: string;
  /** `new` is stored; `known` has the same lines already; `differs`: other lines or amounts are stored, so that the file is not taken in. */
  readonly state: 'new' | 'known' | 'differs';
}

/** The outcome that a file would have now. */
export interface FilePlan {
  readonly file: ReadSettlementFile;
  readonly settlements: readonly PlannedSettlement[];
  /** Of the content and all of this: two plans with the same hash do the same. */
  readonly hash: string;
}

/** Decides what becomes of each payout of a file; the settlements' state is as the client reads it. */
export async function planFile(
  client: Pick<Prisma.TransactionClient, 'settlement' | 'settlementLine'>,
  account: AccountKey,
  file: ReadSettlementFile,
  source: { readonly contentHash: string; readonly mapping: SettlementMapping; readonly entered: EnteredPayout },
): Promise<FilePlan> {
  const stored = await readStored(client, account, file.settlements);
  const settlements = file.settlements.map((settlement): PlannedSettlement => {
    const { settlementId, net } = settlement.settlement;
    const residue = subtractDecimals(net, addDecimals(...settlement.lines.map(({ amount }) => amount)));
    return { ...settlement, residue, state: stateOf(settlement, stored.get(settlementId)) };
  });
  const states = settlements.map(({ settlement: { settlementId }, state }) => [settlementId, state]);
  const facts = { ...source, account, states, problems: file.problems.length };
  return { file, settlements, hash: sha256(canonicalJson(facts)) };
}

/** SHA-256, hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

interface StoredSettlement {
  readonly net: string;
  readonly currency: string;
  /** Null while its lines are not known. */
  readonly lines: readonly string[] | null;
}

async function readStored(
  client: Pick<Prisma.TransactionClient, 'settlement' | 'settlementLine'>,
  { merchantId, accountId }: AccountKey,
  settlements: readonly FileSettlement[],
): Promise<ReadonlyMap<string, StoredSettlement>> {
  const references = settlements.map(({ settlement }) => settlement.settlementId);
  if (references.length === 0) return new Map();
  const rows = await client.settlement.findMany({ where: { merchantId, accountId, reference: { in: references } } });
  const lines = await client.settlementLine.findMany({
    where: { merchantId, settlementId: { in: rows.map(({ id }) => id) }, kind: { not: 'RESIDUE' } },
    select: { settlementId: true, kind: true, amount: true, reference: true, transactionId: true },
  });
  const linesOf = Map.groupBy(lines, ({ settlementId }) => settlementId);
  return new Map(
    rows.map((row) => {
      const own = (linesOf.get(row.id) ?? []).map((line) => keyOf({ ...line, amount: line.amount.toFixed() }));
      return [
        row.reference,
        { net: row.net.toFixed(), currency: row.currency, lines: row.linesReadAt === null ? null : own.toSorted() },
      ];
    }),
  );
}

function stateOf({ settlement, lines }: FileSettlement, stored: StoredSettlement | undefined): PlannedSettlement['state'] {
  if (stored === undefined) return 'new';
  if (stored.currency !== settlement.currency || !sameDecimal(stored.net, settlement.net)) return 'differs';
  if (stored.lines === null) return 'new';
  const own = lines.map(keyOf).toSorted();
  return own.length === stored.lines.length && own.every((key, at) => key === stored.lines?.[at]) ? 'known' : 'differs';
}

function keyOf(line: {
  readonly kind: string;
  readonly amount: string;
  readonly reference: string | null;
  readonly transactionId: string | null;
}): string {
  return JSON.stringify([line.kind.toLowerCase(), addDecimals(line.amount), line.reference, line.transactionId]);
}
