import { groupDigits } from '../money.ts';
import { type MetadataCondition, type MetadataValue, type PaymentKeys, WEEKDAYS, type Weekday } from '../types.ts';
import type { KeysByName } from './match-keys.ts';
import type { KeyConditions } from './payment-keys.ts';

/** Most values of a list that a sentence names. */
const VALUES_SHOWN = 5;

/** A rule's conditions on keys, a clause each: `new customers`, `Mon to Fri`, `18:00 to 24:00`, `Tier is gold or silver`. */
export function describeKeyConditions(when: KeyConditions, declared: KeysByName): string[] {
  const { customer, weekdays, hours, metadata = [] } = when;
  return [
    ...(customer === undefined ? [] : [`${customer} customers`]),
    ...(weekdays === undefined ? [] : [describeWeekdays(weekdays)]),
    ...(hours === undefined ? [] : [describeHours(hours)]),
    ...metadata.map((condition) => describeMetadataCondition(condition, declared)),
  ];
}

/** `Tier is gold or silver`, `Items is 5 or more`, `Tier is absent`. */
export function describeMetadataCondition(condition: MetadataCondition, declared: KeysByName): string {
  return `${labelOf(condition.key, declared)} ${describeTest(condition)}`;
}

/** The name of a key for people. */
export function labelOf(name: string, declared: KeysByName): string {
  return declared.get(name)?.label ?? name;
}

function describeTest(condition: MetadataCondition): string {
  switch (condition.is) {
    case 'present':
      return 'is present';
    case 'absent':
      return 'is absent';
    case 'one_of':
      return `is ${listed(condition.values, 'or')}${orAbsent(condition)}`;
    case 'none_of':
      return `is ${condition.orAbsent ? '' : 'present and '}not ${listed(condition.values, 'or')}`;
    case 'between':
      return `is ${describeRange(condition.from, condition.to)}${orAbsent(condition)}`;
    default:
      return condition satisfies never;
  }
}

function orAbsent({ orAbsent: also = false }: { readonly orAbsent?: boolean }): string {
  return also ? ' or absent' : '';
}

/** `gold, silver or bronze`; long lists are cut. */
export function listed(values: readonly MetadataValue[], word: 'and' | 'or'): string {
  const texts = values.slice(0, VALUES_SHOWN).map(describeValue);
  const more = values.length - texts.length;
  if (more > 0) texts.push(`${groupDigits(more)} more`);
  const last = texts.pop() ?? 'nothing';
  return texts.length === 0 ? last : `${texts.join(', ')} ${word} ${last}`;
}

function describeValue(value: MetadataValue): string {
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  if (typeof value === 'number') return groupDigits(value);
  return value === '' ? 'empty' : value;
}

/** `5`, `5 to 10`, `5 or more`, `10 or less`, `any number`. */
export function describeRange(from: number | null, to: number | null): string {
  if (from === null) return to === null ? 'any number' : `${groupDigits(to)} or less`;
  if (to === null) return `${groupDigits(from)} or more`;
  return from === to ? groupDigits(from) : `${groupDigits(from)} to ${groupDigits(to)}`;
}

/** `18:00 to 24:00`; `22:00 to 06:00` runs past midnight. */
export function describeHours({ from, to }: { readonly from: string; readonly to: string }): string {
  return `${from} to ${to}`;
}

/** `Mon to Fri`, `Sat and Sun`, `Mon, Wed and Fri`. */
export function describeWeekdays(weekdays: readonly Weekday[]): string {
  const days = WEEKDAYS.filter((day) => weekdays.includes(day));
  const [first] = days;
  const last = days.at(-1);
  if (first === undefined || last === undefined) return 'no day';
  const isRun = WEEKDAYS.indexOf(last) - WEEKDAYS.indexOf(first) === days.length - 1;
  if (isRun && days.length > 2) return `${dayName(first)} to ${dayName(last)}`;
  return listed(days.map(dayName), 'and');
}

function dayName(day: Weekday): string {
  return `${day[0]?.toUpperCase()}${day.slice(1)}`;
}

/** A payment's values of keys, a clause each: `a new customer`, `Fri 18:30`, `Tier gold`. */
export function describePaymentKeys({ customer, time, metadata }: PaymentKeys, declared?: KeysByName): string[] {
  return [
    ...(customer === undefined ? [] : [`a ${customer} customer`]),
    ...(time === undefined ? [] : [`${time[0]?.toUpperCase()}${time.slice(1)}`]),
    ...Object.entries(metadata ?? {}).map(([name, value]) => `${declared?.get(name)?.label ?? name} ${describeValue(value)}`),
  ];
}
