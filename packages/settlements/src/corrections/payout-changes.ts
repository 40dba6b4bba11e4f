import { subtractDecimals, sumDecimals } from '@switchyard/db/decimals';
import type { FileSettlement } from '../files/read-settlement-file.ts';
import { type LineRow, type NewLine, rowsOf } from '../intake/store-settlement.ts';
import { keyOf, moneyKeyOf, type StoredLineFacts, type StoredPayout } from './stored-payouts.ts';

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
export function replacePayout(
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
export function extendPayout(
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
