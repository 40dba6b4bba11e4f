import type { Prisma } from '@switchyard/db/client';
import { sameDecimal, sumDecimals } from '@switchyard/db/decimals';
import type { AccountKey } from '../account.ts';
import type { FileSettlement } from '../files/read-settlement-file.ts';
import { extendPayout, type PayoutChange, replacePayout } from './payout-changes.ts';
import { digestOf, readStoredLines, readStoredPayouts, type StoredLineFacts, type StoredPayout } from './stored-payouts.ts';

/** A person's choice for a payout that is stored otherwise: leave it, replace it by the file, or add the file's lines as a further page. */
export type Correction = 'keep' | 'replace' | 'add';

/** A person's choices for payouts that are stored otherwise. */
export interface Corrections {
  /** By reference of the payout. */
  readonly corrections: Readonly<Record<string, Correction>>;
  /** Of those not named there; they stay as they are where it cannot be done. Null where nothing is said of them. */
  readonly otherwise: Correction | null;
}

/** Lines together: how many, and the sum of their amounts. */
export interface LineSum {
  readonly count: number;
  readonly amount: string;
}

/** How a payout of a file differs from what is stored, and what each correction would change. */
export interface PayoutDifference {
  /** `lines` have other money or names, `details` only other times or descriptions. */
  readonly parts: readonly ('day' | 'currency' | 'net' | 'lines' | 'details')[];
  readonly stored: { readonly net: string; readonly currency: string; readonly settledOn: string | null; readonly lines: number };
  /** Null where the gateway itself reported the payout: a file does not overrule it. */
  readonly replace: { readonly added: LineSum; readonly removed: LineSum } | null;
  /** Null too where day or currency differ, and where the payout has all lines of the file already. */
  readonly add: { readonly added: LineSum; readonly repeated: number } | null;
}

/** A payout of a file, and what becomes of it. */
export interface ComparedPayout {
  /** `new` is stored; `known` is stored already, just as the file says; `differs`: a person says what becomes of it. */
  readonly state: 'new' | 'known' | 'differs';
  readonly difference: PayoutDifference | null;
  /** The choice where it differs; null until it is made. */
  readonly correction: Correction | null;
  /** The change that follows; null where it is to leave the payout as it is, or cannot be done. */
  readonly change: PayoutChange | null;
  /** Of all that is stored of it. */
  readonly digest: string;
}

/** Compares the payouts of a file with what is stored of each, in their order. */
export async function compareFile(
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
  account: AccountKey,
  settlements: readonly FileSettlement[],
  { corrections, otherwise }: Corrections,
  newId: () => string,
): Promise<ComparedPayout[]> {
  const references = settlements.map(({ settlement }) => settlement.settlementId);
  const stored = new Map((await readStoredPayouts(client, account, references)).map((payout) => [payout.reference, payout]));
  const compared: { payout: FileSettlement; before: StoredPayout | null; parts: PayoutDifference['parts'] | null }[] = [];
  for (const payout of settlements) {
    const before = stored.get(payout.settlement.settlementId) ?? null;
    compared.push({ payout, before, parts: before === null ? null : await partsOf(payout, before) });
  }
  const differing = compared.flatMap(({ before, parts }) =>
    before !== null && parts !== null && parts.length > 0 && isCorrectable(before) ? [before.settlementId] : [],
  );
  const lines = Map.groupBy(
    differing.length === 0 ? [] : await readStoredLines(client, account, differing),
    ({ settlementId }) => settlementId,
  );
  const wanted = new Map(Object.entries(corrections));
  return compared.map(({ payout, before, parts }): ComparedPayout => {
    const digest =
      before === null ? '' : JSON.stringify([before.status, before.settledOn, before.net, before.currency, before.lines]);
    if (before === null || parts === null) return { state: 'new', ...UNCHANGED, digest };
    if (parts.length === 0) return { state: 'known', ...UNCHANGED, digest };
    const own = lines.get(before.settlementId) ?? [];
    const changes = isCorrectable(before) ? changesOf(payout, before, parts, own, newId) : { replace: null, add: null };
    const correction = wanted.get(before.reference) ?? orKeep(otherwise, changes);
    const change = correction === null || correction === 'keep' ? null : changes[correction];
    return { state: 'differs', difference: differenceOf(before, parts, changes), correction, change, digest };
  });
}

const UNCHANGED = { difference: null, correction: null, change: null } as const;

/** How a payout differs; empty where it does not, null where it is stored by the file whatever it says. */
async function partsOf({ settlement, lines }: FileSettlement, stored: StoredPayout): Promise<PayoutDifference['parts'] | null> {
  if (stored.status === 'WITHDRAWN') return null;
  const parts: PayoutDifference['parts'][number][] = [];
  if (stored.currency !== settlement.currency) parts.push('currency');
  if (!sameDecimal(stored.net, settlement.net)) parts.push('net');
  if (!stored.hasLines) return parts.length === 0 ? null : parts;
  if (stored.settledOn !== settlement.settledOn) parts.push('day');
  const { count, money, all } = await digestOf(lines);
  if (stored.lines.count !== count || stored.lines.money !== money) parts.push('lines');
  // Other sources write times and descriptions in their own way.
  else if (stored.road === 'FILE' && stored.lines.all !== all) parts.push('details');
  return parts;
}

function isCorrectable({ road, hasLines, status }: StoredPayout): boolean {
  return road === 'FILE' && hasLines && status === 'PAID';
}

interface PossibleChanges {
  readonly replace: PayoutChange | null;
  readonly add: PayoutChange | null;
}

function changesOf(
  payout: FileSettlement,
  before: StoredPayout,
  parts: PayoutDifference['parts'],
  lines: readonly StoredLineFacts[],
  newId: () => string,
): PossibleChanges {
  const isSamePayout = !parts.includes('day') && !parts.includes('currency');
  const add = isSamePayout ? extendPayout(before, lines, payout, newId) : null;
  return { replace: replacePayout(before, lines, payout, newId), add: add === null || add.added.length === 0 ? null : add };
}

function orKeep(wanted: Correction | null, changes: PossibleChanges): Correction | null {
  return wanted === null || wanted === 'keep' || changes[wanted] !== null ? wanted : 'keep';
}

function differenceOf(
  { net, currency, settledOn, lines }: StoredPayout,
  parts: PayoutDifference['parts'],
  { replace, add }: PossibleChanges,
): PayoutDifference {
  return {
    parts,
    stored: { net, currency, settledOn, lines: lines.count },
    replace: replace === null ? null : { added: sumOf(replace.added), removed: sumOf(replace.removed) },
    add: add === null ? null : { added: sumOf(add.added), repeated: add.repeated },
  };
}

function sumOf(lines: readonly { readonly amount: string }[]): LineSum {
  return { count: lines.length, amount: sumDecimals(lines.map(({ amount }) => amount)) };
}
