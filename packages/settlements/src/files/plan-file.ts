import { canonicalJson } from '@switchyard/db';
import type { Prisma } from '@switchyard/db/client';
import { subtractDecimals, sumDecimals } from '@switchyard/db/decimals';
import type { AccountKey } from '../context.ts';
import { sha256 } from '../context.ts';
import { type ComparedPayout, type Corrections, compareFile } from '../corrections/compare-file.ts';
import type { SettlementMapping } from '../reading/mapping.ts';
import type { EnteredPayout, FileSettlement, ReadSettlementFile } from '../reading/read-settlement-file.ts';

/** A payout of a file, and what becomes of it. */
export interface PlannedSettlement extends FileSettlement, ComparedPayout {
  /** Difference between its net amount and its lines, an exact decimal. */
  readonly residue: string;
}

/** The outcome that a file would have now. */
export interface FilePlan {
  readonly file: ReadSettlementFile;
  readonly settlements: readonly PlannedSettlement[];
  /** Hash of the content and all of this: two plans with the same hash do the same. */
  readonly hash: string;
}

/** Inputs of a file's plan, beside what is stored. */
export interface FileSource extends Corrections {
  readonly contentHash: string;
  readonly mapping: SettlementMapping;
  readonly entered: EnteredPayout;
}

/** Decides what becomes of each payout of a file; the settlements' state is as the client reads it. */
export async function planFile(
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
  account: AccountKey,
  file: ReadSettlementFile,
  source: FileSource,
  newId: () => string,
): Promise<FilePlan> {
  const compared = await compareFile(client, account, file.settlements, source, newId);
  const settlements = file.settlements.map((payout, at): PlannedSettlement => {
    const { net } = payout.settlement;
    const residue = subtractDecimals(net, sumDecimals(payout.lines.map(({ amount }) => amount)));
    const { state = 'new', difference = null, correction = null, change = null, digest = '' } = compared[at] ?? {};
    return { ...payout, residue, state, difference, correction, change, digest };
  });
  const states = settlements.map(({ settlement: { settlementId }, state, digest }) => [settlementId, state, digest]);
  const facts = { ...source, account, states, problems: file.problems.length };
  return { file, settlements, hash: sha256(canonicalJson(facts)) };
}
