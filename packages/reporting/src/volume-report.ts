import { NIL_ID } from '@switchyard/db';
import { addDecimals, subtractDecimals } from '@switchyard/db/decimals';
import type pg from 'pg';
import { readVolume, type VolumeRow } from './volume.ts';
import type { VolumeGroup, VolumeQuery } from './volume-query.ts';
import { dayIn, type Period, previousPeriod, stepsSince } from './zone-calendar.ts';

/** Sums with what follows from them. */
export interface VolumeSums extends VolumeRow {
  /** The amount paid, less refunds, reversals and fees: an exact decimal. */
  readonly net: string;
  /** Share of final payments that were paid, 0 to 1; null while none is final. */
  readonly conversion: number | null;
}

/** A group with the sums of the same group in the previous period. */
export interface ComparedVolume {
  readonly keys: VolumeRow['keys'];
  /** The account that it is of, with its gateway; null where payments are not grouped by account, and for those without one. */
  readonly account: { readonly accountId: string; readonly gateway: string } | null;
  readonly sums: VolumeSums;
  readonly previous: VolumeSums | null;
}

/** Volume of a period by groups, which add up to the total exactly, beside the previous period. */
export interface VolumeReport {
  readonly previousPeriod: Period | null;
  readonly rows: readonly ComparedVolume[];
  readonly total: VolumeSums;
  readonly previousTotal: VolumeSums | null;
}

/** Reads the volume of a period, and with `compare` that of the one before it. */
export async function readVolumeReport(
  client: Pick<pg.ClientBase, 'query'>,
  query: VolumeQuery,
  compare: boolean,
): Promise<VolumeReport> {
  const { groupBy, zone, from } = query;
  const read = (period: Period) => readVolume(client, { ...query, ...period, groupBy: withGatewayOfAccount(groupBy) });
  const before = compare ? previousPeriod(query, zone) : null;
  const rows = await read(query);
  const earlier = before === null ? null : await read(before);
  // Days of two periods never coincide: compare the first with the first.
  const key = (row: VolumeRow, firstDay: string) =>
    JSON.stringify(
      groupBy.map((group) => (isTime(group) ? stepsSince(firstDay, row.keys[group] ?? '', group) : row.keys[group])),
    );
  const [now, then] = [dayIn(zone, from), dayIn(zone, before?.from ?? from)];
  const byKey = new Map((earlier ?? []).map((row) => [key(row, then), row]));
  return {
    previousPeriod: before,
    rows: rows.map((row) => {
      const previous = byKey.get(key(row, now));
      return {
        keys: Object.fromEntries(groupBy.map((group) => [group, row.keys[group]])),
        account: accountOf(row),
        sums: withDerived(row),
        previous: previous === undefined ? null : withDerived(previous),
      };
    }),
    total: withDerived(addUp(rows)),
    previousTotal: earlier === null ? null : withDerived(addUp(earlier)),
  };
}

/** Currencies of a period's payments, the one with the most payments first. */
export async function readCurrencies(
  client: Pick<pg.ClientBase, 'query'>,
  query: Omit<VolumeQuery, 'currency' | 'groupBy'>,
): Promise<string[]> {
  const rows = await readVolume(client, { ...query, currency: null, groupBy: ['currency'] });
  return rows.toSorted((one, other) => other.payments - one.payments).map(({ keys }) => keys.currency ?? '');
}

/** An account belongs to one gateway and is named with it: grouping by both gives the same rows. */
function withGatewayOfAccount(groupBy: readonly VolumeGroup[]): VolumeGroup[] {
  return [...new Set(groupBy.flatMap((group): VolumeGroup[] => (group === 'account' ? ['account', 'gateway'] : [group])))];
}

function accountOf({ keys: { account, gateway = '' } }: VolumeRow): ComparedVolume['account'] {
  return account === undefined || account === NIL_ID ? null : { accountId: account, gateway };
}

function isTime(group: VolumeGroup): group is 'day' | 'week' | 'month' {
  return group === 'day' || group === 'week' || group === 'month';
}

function withDerived(row: VolumeRow): VolumeSums {
  const { paid, failed, paidAmount, refunded, reversed, fees } = row;
  return {
    ...row,
    // Without zeros at its end.
    fees: addDecimals(fees),
    net: subtractDecimals(String(paidAmount - refunded), addDecimals(reversed, fees)),
    conversion: paid + failed === 0 ? null : paid / (paid + failed),
  };
}

const NONE: VolumeRow = {
  keys: {},
  payments: 0,
  paid: 0,
  failed: 0,
  expired: 0,
  pending: 0,
  late: 0,
  amount: 0n,
  paidAmount: 0n,
  refunded: 0n,
  reversed: '0',
  fees: '0',
};

function addUp(rows: readonly VolumeRow[]): VolumeRow {
  return rows.reduce(
    (sum, row) => ({
      keys: {},
      payments: sum.payments + row.payments,
      paid: sum.paid + row.paid,
      failed: sum.failed + row.failed,
      expired: sum.expired + row.expired,
      pending: sum.pending + row.pending,
      late: sum.late + row.late,
      amount: sum.amount + row.amount,
      paidAmount: sum.paidAmount + row.paidAmount,
      refunded: sum.refunded + row.refunded,
      reversed: addDecimals(sum.reversed, row.reversed),
      fees: addDecimals(sum.fees, row.fees),
    }),
    NONE,
  );
}
