import { dayText, isInRange, lastMoment } from '@switchyard/db/moments';
import { addDays, firstMoment, isDay } from '@switchyard/runtime/calendar-days';
import type { RefusedField } from './mappings.ts';
import { type Fields, findUnknown, findUnmapped, isAbsent } from './order.ts';
import { type Problem, type Read, read, refused } from './problem.ts';
import { type Period, SKIPPED_MAX } from './transactions/list-transactions.ts';

/* The parts of queries of lists that the dialects have in common. */

export interface ListParameters {
  readonly call: string;
  /**
   * Names for what is wanted of money, an order or a customer, each in a group of those that name the same. One that is sent empty has lost
   * what it was to name.
   */
  readonly naming: readonly (readonly string[])[];
  readonly others: readonly string[];
}

/**
 * Why a query cannot be answered: leaving out a part of it would answer with more than was asked for. Null for one that can. `refusedFields`
 * are those of the dialect.
 */
export function findUnusable(
  sent: Fields,
  refusedFields: readonly RefusedField[],
  { call, naming, others }: ListParameters,
): Problem | null {
  const unmapped = findUnmapped(sent, refusedFields, call);
  if (unmapped !== null) return unmapped;
  const refusedNames = refusedFields.flatMap((refusedField) => (refusedField.call === call ? [refusedField.field] : []));
  const unknown = findUnknown(sent, [...naming.flat(), ...others, ...refusedNames], 'this list has no such filter');
  if (unknown !== null) return unknown;
  for (const group of naming) {
    const [field, other] = group.filter((name) => Object.hasOwn(sent, name));
    if (field === undefined) continue;
    if (isAbsent(sent[field])) return { kind: 'invalid_field', field, rule: 'must not be empty' };
    if (other !== undefined) return { kind: 'invalid_field', field: other, rule: `must be left out beside ${field}` };
  }
  return null;
}

/** True if only another currency is wanted, in which nothing is. */
export function isOtherCurrency({ currency }: Fields): boolean {
  return !isAbsent(currency) && String(currency).toUpperCase() !== 'NGN';
}

/** The zone of days: that of the gateways, and of roll-ups. */
const DAY_ZONE = 'Africa/Lagos';
/** An ISO time, also with a space, and with a plus sign that the query's encoding has made one. */
const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+\- ]\d{2}:?\d{2})?$/;

/** `from` and `to`, both inclusive: a day is a whole one of Lagos, a time without a zone is in UTC. */
export function readPeriod({ from, to }: Fields): Read<Period> {
  const begin = readMoment(from);
  const end = readMoment(to);
  for (const [field, moment] of Object.entries({ from: begin, to: end })) {
    if (moment === undefined)
      return refused({ kind: 'invalid_field', field, rule: 'must be a day, YYYY-MM-DD, or an ISO 8601 time' });
  }
  return read({ createdFrom: begin?.first ?? null, createdTo: end?.next ?? null });
}

/** The first moment of a time or day, and the one after its last; null for none, undefined for a text that is neither. */
function readMoment(value: unknown): { readonly first: Date; readonly next: Date } | null | undefined {
  if (isAbsent(value)) return null;
  // One package encodes the parameters of a query twice.
  const text = String(value).trim().replaceAll('%3A', ':');
  if (dayText.safeParse(text).success) {
    const next = text === LAST_DAY ? lastMoment() : firstMoment(addDays(text, 1), DAY_ZONE);
    return spanOf(firstMoment(text, DAY_ZONE), next);
  }
  const [, day = '', time = '', zone = 'Z'] = TIME.exec(text) ?? [];
  const first = new Date(`${day}T${time}${zone.replace(' ', '+')}`);
  if (!isDay(day) || Number.isNaN(first.getTime())) return undefined;
  return spanOf(first, new Date(first.getTime() + 1));
}

const LAST_DAY = '9999-12-31';

/** A span that the database can compare with; undefined before the year 1. What is beyond the year 9999 is its last moment: no end. */
function spanOf(first: Date, next: Date): { readonly first: Date; readonly next: Date } | undefined {
  const last = lastMoment();
  const end = next > last ? last : next;
  const begin = first > last ? last : first;
  return isInRange(begin) ? { first: begin, next: end } : undefined;
}

/** A numbered page of a list. */
export interface NumberedPage {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
  /** Rows before it. */
  readonly skipped: number;
}

/** A numbered page; `perPage` is how many rows it has. One that too many rows come before is refused. */
export function readNumberedPage(page: unknown, perPage: number): Read<NumberedPage> {
  const number = isAbsent(page) ? 1 : readCount(page);
  if (number === null) return refused({ kind: 'invalid_field', field: 'page', rule: 'must be a number from 1' });
  const skipped = (number - 1) * perPage;
  return skipped > SKIPPED_MAX ? refused({ kind: 'list_too_long' }) : read({ page: number, perPage, skipped });
}

/** A positive integer, or null. */
export function readCount(value: unknown): number | null {
  const text = String(value).trim();
  return /^\d{1,9}$/.test(text) && Number(text) > 0 ? Number(text) : null;
}

/** The number of pages that hold so many rows. */
export function pagesOf(total: number, perPage: number): number {
  return Math.ceil(total / perPage);
}
