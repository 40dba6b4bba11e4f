import { isUuid } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { plainText } from '@switchyard/nouns/filters';
import type { Period } from '@switchyard/reporting/figures';
import { isDay } from '@switchyard/runtime/calendar-days';
import type { Permission } from '@switchyard/staff/permissions';
import { createGraphQLError } from 'graphql-yoga';
import { z } from 'zod';
import { builder, LIMITS } from './builder.ts';
import type { Viewer } from './viewer.ts';

const NAMES_MAX = 200;
const NAME_LENGTH_MAX = 200;

/** An id as GraphQL passes it. */
const id = z.union([z.string(), z.number()]);

/** Ids in a filter. An invalid UUID is refused: dropping it would widen the filter, and PostgreSQL rejects the value. */
export const uuids = z
  .array(id.refine((value) => isUuid(String(value)), 'must be a UUID'))
  .max(LIMITS.merchants, `must name at most ${LIMITS.merchants}`)
  .nullish();

/** One id in a filter. */
/** An id as it is stored: the letters of a UUID in lower case. */
export function toId(given: string | number): string {
  const text = String(given);
  return isUuid(text) ? text.toLowerCase() : text;
}

export const uuid = id.refine((value) => isUuid(String(value)), 'must be a UUID').nullish();

/** An id of a filter, once it is checked; null for any. */
export function idOf(given: string | number | null | undefined): string | null {
  return given === null || given === undefined ? null : String(given);
}

/** A day in a filter. */
export const day = z.string().refine(isDay, 'must be a day such as 2026-11-26');

/** Names in a filter, such as gateways. */
export const names = z.array(plainText(NAME_LENGTH_MAX)).max(NAMES_MAX, `must name at most ${NAMES_MAX}`).nullish();

/** Ids of rules, which merchants choose. */
export const ruleIds = z
  .array(id.pipe(z.coerce.string()).pipe(plainText(NAME_LENGTH_MAX)))
  .max(NAMES_MAX, `must name at most ${NAMES_MAX}`)
  .nullish();

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** An ISO 4217 code. Another one is refused: a report of nothing would look like no payments. */
export const currencyCode = z.string().refine((code) => CURRENCIES.has(code), 'currency must be an ISO 4217 code, such as NGN');

/** Text that rows are searched for. */
export const words = plainText(320);

/** A merchant's own order reference. */
export const merchantOrderId = plainText(128);

/** The cursor and size of a page. */
export interface PageArguments {
  readonly first?: number | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

/** The requested page with its bounds. Throws BAD_USER_INPUT naming the argument that is out of range. */
export function checkedPage<Arguments extends PageArguments>(args: Arguments) {
  const { first, last } = args;
  for (const [name, size] of Object.entries({ first, last })) {
    if (size !== null && size !== undefined && (size < 0 || size > LIMITS.page)) {
      throw badUserInput(`${name} must be between 0 and ${LIMITS.page}`);
    }
  }
  if (isGiven(first) && isGiven(last)) throw badUserInput('first and last must not be given together');
  return { args, maxSize: LIMITS.page, defaultSize: LIMITS.defaultPage };
}

/** The cost of a page, proportional to the rows it may hold. */
export function pageCost({ first, last }: PageArguments) {
  // A negative size is refused later; until then it must not lower the cost of the operation.
  return { field: 5, multiplier: Math.max(0, first ?? last ?? LIMITS.defaultPage) };
}

function isGiven(size: number | null | undefined): boolean {
  return size !== null && size !== undefined;
}

/** The refusal of an argument. */
export function badUserInput(message: string) {
  return createGraphQLError(message, { extensions: { code: 'BAD_USER_INPUT' } });
}

/** Invalid arguments of a query, with every problem listed. */
export class InvalidInput extends Error {
  override readonly name = 'InvalidInput';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('; '));
    this.problems = problems;
  }
}

builder.objectType(InvalidInput, {
  name: 'InvalidInput',
  description: 'The input is invalid.',
  fields: (t) => ({
    message: t.exposeString('message', { description: 'All problems, in one line.' }),
    problems: t.stringList({
      description: 'Each problem: the field, then the rule it breaks.',
      resolve: ({ problems }) => [...problems],
    }),
  }),
});

/**
 * The merchants of a query: those it names, or all that the viewer may read. Throws FORBIDDEN for a merchant or a mode that the
 * viewer may not read.
 */
export function requestedMerchants(
  viewer: Viewer,
  permission: Permission,
  { merchantIds, mode }: { readonly merchantIds?: readonly (string | number)[] | null | undefined; readonly mode: Mode },
): readonly string[] {
  if (!viewer.modes.includes(mode)) throw forbidden(`You have no access to ${mode} payments.`);
  const reached = viewer.merchantsFor(permission);
  if (merchantIds === null || merchantIds === undefined || merchantIds.length === 0) return reached;
  const requested = merchantIds.map(toId);
  if (!requested.every((merchantId) => viewer.mayAccess(merchantId, permission)))
    throw forbidden('You have no access to one of these merchants.');
  return [...new Set(requested)];
}

function forbidden(message: string) {
  return createGraphQLError(message, { extensions: { code: 'FORBIDDEN' } });
}

const DAY_MS = 86_400_000;

/** The problems with a period, one sentence each. */
export function periodProblems({ from, to }: Period): string[] {
  if (from >= to) return ['from must lie before to'];
  if (to.getTime() - from.getTime() > LIMITS.days * DAY_MS) return [`the period must not be longer than ${LIMITS.days} days`];
  return [];
}

/** The days of a filter, both inclusive. Throws BAD_USER_INPUT for a period that is too long, or ends before it begins. */
export function daysOf({ from, to }: { readonly from: string; readonly to: string }) {
  const problems = periodProblems({ from: new Date(from), to: new Date(Date.parse(to) + DAY_MS) });
  if (problems.length > 0) throw badUserInput(problems.join('; '));
  return { from, to };
}
