import { type CustomerHistory, type MetadataValue, type PaymentKeys, WEEKDAYS } from '../types.ts';
import { describeHours, describeRange, describeWeekdays, labelOf, listed } from './key-text.ts';
import { isWithin, type KeysByName } from './match-keys.ts';
import { keyValue } from './payment-keys.ts';
import { DAY_MINUTES, type MinuteRange, minuteOfWeek, timeOfDay, weekTimeText } from './week-time.ts';

/** A range of integers, both ends inclusive; null is open-ended. */
export interface IntegerRange {
  readonly from: number | null;
  readonly to: number | null;
}

/** Values of one key that some rules treat alike. `absent`: the value may be missing. */
export type KeyCell =
  | { readonly key: 'customer'; readonly values: readonly CustomerHistory[]; readonly absent: boolean }
  | { readonly key: 'time'; readonly minutes: readonly MinuteRange[] }
  /** `values`, and every text but those of `except` unless that is null. */
  | {
      readonly key: 'metadata';
      readonly name: string;
      readonly values: readonly (string | boolean)[];
      readonly except: readonly string[] | null;
      readonly absent: boolean;
    }
  | { readonly key: 'integer'; readonly name: string; readonly ranges: readonly IntegerRange[]; readonly absent: boolean };

/** A payment's values that are in every cell. A cell that holds absent and other values has another one here. */
export function exampleKeys(cells: readonly KeyCell[]): PaymentKeys {
  const metadata: Record<string, MetadataValue> = {};
  let keys: PaymentKeys = {};
  for (const cell of cells) {
    switch (cell.key) {
      case 'customer': {
        const [customer] = cell.values;
        if (customer !== undefined) keys = { ...keys, customer };
        break;
      }
      case 'time': {
        const [first] = cell.minutes;
        if (first !== undefined) keys = { ...keys, time: weekTimeText(first.from) };
        break;
      }
      case 'metadata': {
        const value = cell.values[0] ?? (cell.except === null ? undefined : otherThan(cell.except));
        if (value !== undefined) metadata[cell.name] = value;
        break;
      }
      case 'integer': {
        const [range] = cell.ranges;
        if (range !== undefined) metadata[cell.name] = range.from ?? range.to ?? 0;
        break;
      }
      default:
        cell satisfies never;
    }
  }
  return Object.keys(metadata).length === 0 ? keys : { ...keys, metadata };
}

/** A text that is not one of these. */
function otherThan(values: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const text = number === 1 ? 'other' : `other-${number}`;
    if (!values.includes(text)) return text;
  }
}

/** True if a payment's value of the cell's key is in the cell. */
export function isInCell(cell: KeyCell, keys: PaymentKeys): boolean {
  switch (cell.key) {
    case 'customer':
      return keys.customer === undefined ? cell.absent : cell.values.includes(keys.customer);
    case 'time':
      return isWithin(cell.minutes, minuteOfWeek(keys.time));
    case 'metadata': {
      const value = keyValue(keys, cell.name);
      if (value === undefined) return cell.absent;
      if (typeof value === 'number') return false;
      return cell.values.includes(value) || (typeof value === 'string' && cell.except !== null && !cell.except.includes(value));
    }
    case 'integer': {
      const value = keyValue(keys, cell.name);
      if (value === undefined) return cell.absent;
      return typeof value === 'number' && cell.ranges.some(({ from, to }) => (from ?? value) <= value && value <= (to ?? value));
    }
    default:
      return cell satisfies never;
  }
}

/** `new customers`, `Fri 18:00 to 24:00`, `Tier gold or absent`, `Tier other than gold`, `Items 5 or more`. */
export function describeCell(cell: KeyCell, declared: KeysByName): string {
  switch (cell.key) {
    case 'customer': {
      const named = cell.values.length === 0 ? [] : [`${cell.values.join(' or ')} customers`];
      return [...named, ...(cell.absent ? ['customers who are not known'] : [])].join(' or ');
    }
    case 'time':
      return describeMinutes(cell.minutes);
    case 'metadata': {
      const except = cell.except?.filter((value) => !cell.values.includes(value)) ?? [];
      const present = cell.except === null ? listed(cell.values, 'or') : `other than ${listed(except, 'or')}`;
      const isAny = cell.except !== null && except.length === 0;
      const hasValues = cell.except !== null || cell.values.length > 0;
      const parts = [...(hasValues ? [isAny ? 'present' : present] : []), ...(cell.absent ? ['absent'] : [])];
      return `${labelOf(cell.name, declared)} ${parts.join(' or ')}`;
    }
    case 'integer': {
      const ranges = cell.ranges.map(({ from, to }) => describeRange(from, to));
      const parts = [...(ranges.length === 0 ? [] : [listed(ranges, 'or')]), ...(cell.absent ? ['absent'] : [])];
      return `${labelOf(cell.name, declared)} ${parts.join(' or ')}`;
    }
    default:
      return cell satisfies never;
  }
}

/** Minutes of a week as people say them: `Mon to Fri 18:00 to 24:00`, `any day 00:00 to 06:00`; long lists are cut. */
function describeMinutes(ranges: readonly MinuteRange[]): string {
  const texts = WEEKDAYS.map((_, day) => {
    const begins = day * DAY_MINUTES;
    return ranges.flatMap(({ from, to }) => {
      const first = Math.max(from - begins, 0);
      const last = Math.min(to - begins, DAY_MINUTES - 1);
      return first <= last ? [describeHours({ from: timeOfDay(first), to: timeOfDay(last + 1) })] : [];
    });
  });
  const days = Map.groupBy(WEEKDAYS, (_, day) => texts[day]?.join(' and ') ?? '');
  const parts = Array.from(days, ([hours, own]) => {
    const name = own.length === WEEKDAYS.length ? 'any day' : describeWeekdays(own);
    return hours === '' ? [] : [hours === '00:00 to 24:00' ? name : `${name} ${hours}`];
  });
  return listed(parts.flat(), 'and');
}
