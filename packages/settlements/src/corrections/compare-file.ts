import type { Prisma } from '@switchyard/db/client';
import { sameDecimal, subtractDecimals, sumDecimals } from '@switchyard/db/decimals';
import type { AccountKey } from '../context.ts';
import { type LineRow, type NewLine, rowsOf } from '../intake/store-settlement.ts';
import type { FileSettlement } from '../reading/read-settlement-file.ts';
import {
  digestOf,
  keyOf,
  moneyKeyOf,
  readStoredLines,
  readStoredPayouts,
  type StoredLineFacts,
  type StoredPayout,
} from './stored-payouts.ts';

/** A person's choice for a payout that is stored otherwise: leave it, replace it by the file, or add the file's lines as a further page. */
export type Correction = 'keep' | 'replace' | 'add';

/** A person's choices for payouts that are stored otherwise. */
export interface Corrections {
  /** By reference of the payout. */
  readonly corrections: Readonly<Record<string, Correction>>;
  /** The correction of those not named there; they stay as they are where it cannot be done. Null where nothing is said of them. */
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
  /** Digest of all that is stored of it. */
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

/** The change of a payout that came by a file. `reduced`: lines of a file that was withdrawn are gone, and others are left. */
export type CorrectionAction = 'replaced' | 'extended' | 'reduced' | 'withdrawn';

/** The amounts of a payout, exact decimals of the main unit, and how many lines it has. */
export interface PayoutFigures {
  readonly currency: string;
  readonly gross: string;
  readonly fees: string;
  readonly deductions: string;
  readonly net: string;
  readonly settledOn: string | null;
  readonly lines: number;
}

/** A change of one payout, ready to be carried out. */
export interface PayoutChange {
  readonly settlementId: string;
  readonly reference: string;
  readonly action: CorrectionAction;
  readonly before: PayoutFigures;
  /** Null where it counts no more. */
  readonly after: PayoutFigures | null;
  readonly removed: readonly StoredLineFacts[];
  readonly added: readonly NewLine[];
  /** Added lines that stay linked as staff linked a removed one. */
  readonly carried: readonly (readonly [NewLine, StoredLineFacts])[];
  /** Lines of a file that are stored already, and so not added again. */
  readonly repeated: number;
  /** First and last moment of its payments. */
  readonly period: { readonly from: Date | null; readonly to: Date | null };
}

/** The payout becomes exactly what the file says; lines that both have stay, with what they are linked to. Pure but for the ids. */
function replacePayout(
  stored: StoredPayout,
  lines: readonly StoredLineFacts[],
  { settlement, lines: listed }: FileSettlement,
  newId: () => string,
): PayoutChange {
  const { currency, gross, fees, deductions, net, settledOn } = settlement;
  const rows = rowsOf(settlement, listed);
  const { removed, added } = diffLines(lines, rows);
  const placed = place(stored, currency, lines, added, newId);
  return {
    ...about(stored, lines, 'replaced'),
    after: { currency, gross, fees, deductions, net, settledOn, lines: rows.length },
    removed,
    added: placed,
    carried: carryStaffLinks(removed, placed),
    repeated: 0,
    period: periodOf(rows),
  };
}

/** The file's lines come to those that are stored, as a further page of the payout; those that it has already do not come twice. */
function extendPayout(
  stored: StoredPayout,
  lines: readonly StoredLineFacts[],
  { settlement, lines: listed }: FileSettlement,
  newId: () => string,
): PayoutChange {
  const rows = rowsOf(settlement, listed);
  const { added, kept } = diffLines(
    lines.filter(({ kind }) => kind !== 'RESIDUE'),
    rows.filter(({ kind }) => kind !== 'RESIDUE'),
  );
  const residue = added.length === 0 ? [] : rows.filter(({ kind }) => kind === 'RESIDUE');
  const all = [...added, ...residue];
  return {
    ...about(stored, lines, 'extended'),
    after: figuresOf(stored, [...lines, ...all]),
    removed: [],
    added: place(stored, stored.currency, lines, all, newId),
    carried: [],
    repeated: kept.length,
    period: periodOf([...lines, ...all]),
  };
}

/** The payout without some of its lines; withdrawn where none is left. Pure. */
export function reducePayout(
  stored: StoredPayout,
  lines: readonly StoredLineFacts[],
  isRemoved: (line: StoredLineFacts) => boolean,
): PayoutChange {
  const left = lines.filter((line) => !isRemoved(line));
  return {
    ...about(stored, lines, left.length === 0 ? 'withdrawn' : 'reduced'),
    after: left.length === 0 ? null : figuresOf(stored, left),
    removed: lines.filter(isRemoved),
    added: [],
    carried: [],
    repeated: 0,
    period: periodOf(left),
  };
}

function about(stored: StoredPayout, lines: readonly StoredLineFacts[], action: CorrectionAction) {
  const { settlementId, reference, currency, gross, fees, deductions, net, settledOn } = stored;
  const before: PayoutFigures = { currency, gross, fees, deductions, net, settledOn, lines: lines.length };
  return { settlementId, reference, action, before };
}

function place(
  { settlementId }: StoredPayout,
  currency: string,
  before: readonly StoredLineFacts[],
  added: readonly LineRow[],
  newId: () => string,
): NewLine[] {
  const first = before.reduce((most, { position }) => Math.max(most, position), -1) + 1;
  return added.map((line, at) => ({ ...line, id: newId(), settlementId, currency, position: first + at }));
}

/** The amounts that lines add up to. */
function figuresOf(
  { currency, settledOn }: StoredPayout,
  lines: readonly { readonly kind: string; readonly amount: string }[],
): PayoutFigures {
  const sumOf = (kind: string) => sumDecimals(lines.filter((line) => line.kind === kind).map(({ amount }) => amount));
  const net = sumDecimals(lines.map(({ amount }) => amount));
  const [gross, fees] = [sumOf('PAYMENT'), subtractDecimals('0', sumOf('FEE'))];
  const deductions = subtractDecimals(subtractDecimals(gross, fees), net);
  return { currency, gross, fees, deductions, net, settledOn, lines: lines.length };
}

function periodOf(lines: readonly { readonly kind: string; readonly occurredAt: Date | null }[]): PayoutChange['period'] {
  let [from, to]: [Date | null, Date | null] = [null, null];
  for (const { kind, occurredAt } of lines) {
    if (kind !== 'PAYMENT' || occurredAt === null) continue;
    if (from === null || occurredAt < from) from = occurredAt;
    if (to === null || occurredAt > to) to = occurredAt;
  }
  return { from, to };
}

/** The payments and days that changes touch: of lines that they remove, and of the payouts. */
export function touchedBy(changes: readonly PayoutChange[]): {
  readonly paymentIds: readonly string[];
  readonly days: readonly string[];
} {
  return {
    paymentIds: changes.flatMap(({ removed }) => removed.flatMap(({ paymentId }) => paymentId ?? [])),
    days: changes.flatMap(({ before, after }) => [before.settledOn, after?.settledOn].flatMap((day) => day ?? [])),
  };
}

/** A payout's stored lines beside those of a file. */
interface LineDifference {
  /** Stored lines that the file has as well. */
  readonly kept: readonly StoredLineFacts[];
  /** Stored lines that the file does not have. */
  readonly removed: readonly StoredLineFacts[];
  /** Lines of the file that are not stored. */
  readonly added: readonly LineRow[];
}

/** Compares lines by all that they say: as many alike ones as both have are kept. Pure. */
function diffLines(stored: readonly StoredLineFacts[], listed: readonly LineRow[]): LineDifference {
  const left = Map.groupBy(stored, keyOf);
  const kept: StoredLineFacts[] = [];
  const added = listed.filter((line) => {
    const same = left.get(keyOf(line))?.shift();
    if (same !== undefined) kept.push(same);
    return same === undefined;
  });
  return { kept, removed: [...left.values()].flat(), added };
}

/** The lines by staff that removed ones had, for added ones of the same money and names: a changed time or description is no other line. Pure. */
function carryStaffLinks<Line extends LineRow>(
  removed: readonly StoredLineFacts[],
  added: readonly Line[],
): readonly (readonly [Line, StoredLineFacts])[] {
  const byMoney = Map.groupBy(
    removed.filter(({ linkedBy }) => linkedBy === 'STAFF'),
    moneyKeyOf,
  );
  return added.flatMap((line): (readonly [Line, StoredLineFacts])[] => {
    const before = byMoney.get(moneyKeyOf(line))?.shift();
    return before === undefined ? [] : [[line, before]];
  });
}
