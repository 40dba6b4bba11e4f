import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { isUuid } from '@switchyard/db';
import { MOMENT_RULE, parseMoment } from '@switchyard/db/moments';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { z } from 'zod';
import type { PlainRequest } from '../http/plain.ts';
import type { FieldError } from './envelope.ts';
import { describeIssues } from './issues.ts';
import { EMAIL_MAX, id, textOf } from './requests.ts';
import { describeUnknownName, nearestName } from './unknown-fields.ts';

/** The last row of a page: where the next one begins. */
export interface PageKey {
  readonly createdAt: Date;
  readonly id: string;
}

/** The end of a page as opaque text. */
export function pageCursor({ createdAt, id }: PageKey): string {
  return Buffer.from(`${createdAt.toISOString()} ${id}`).toString('base64url');
}

/** Parses text that {@link pageCursor} wrote; null for any other text. */
export function readPageCursor(cursor: string): PageKey | null {
  const [time = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const createdAt = parseMoment(time);
  return createdAt === null || !isUuid(id) ? null : { createdAt, id: id.toLowerCase() };
}

extendZodWithOpenApi(z);

/* Queries of lists: apart from the bodies of requests, so that the path of a payment does not load them. */

const PAYMENT_STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;
const PAGE_MAX = 100;
const PAGE_DEFAULT = 20;
const LIMIT_RULE = `must be a whole number from 1 to ${PAGE_MAX}`;

/** Parameters that choose a page of a list. */
export const page = {
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, LIMIT_RULE)
    .transform(Number)
    .refine((limit) => limit <= PAGE_MAX, LIMIT_RULE)
    .default(PAGE_DEFAULT)
    .openapi({
      type: 'integer',
      minimum: 1,
      maximum: PAGE_MAX,
      default: PAGE_DEFAULT,
      description: `How many at most; ${PAGE_DEFAULT} when it is not given.`,
    }),
  cursor: z
    .string()
    .max(200)
    .transform((text, refinement) => {
      const key = readPageCursor(text);
      if (key !== null) return key;
      refinement.addIssue({ code: 'custom', message: 'must be the nextCursor of a page before' });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'string', description: 'The `nextCursor` of the page before.' }),
};

/** One of these, or several separated by commas. */
export const anyOf = <Name extends string>(names: readonly [Name, ...Name[]], description: string) =>
  z
    .string()
    .transform((text, refinement) => {
      const chosen = text.split(',').map((part) => names.find((name) => name === part));
      const known = chosen.filter((name) => name !== undefined);
      if (known.length === chosen.length) return [...new Set(known)];
      refinement.addIssue({ code: 'custom', message: `must be of ${names.join(', ')}, separated by commas` });
      return z.NEVER;
    })
    .default([])
    .openapi({
      type: 'array',
      items: { type: 'string', enum: [...names] },
      description,
      param: { style: 'form', explode: false },
    });

/** In a query, a plus sign that is not encoded is a space. */
const PLUS_RULE = `${MOMENT_RULE}; the + of an offset is written %2B in a query`;

const moment = (description: string) =>
  z
    .string()
    .transform((text, refinement) => {
      const moment = parseMoment(text);
      if (moment !== null) return moment;
      refinement.addIssue({ code: 'custom', message: / \d\d:\d\d$/.test(text) ? PLUS_RULE : MOMENT_RULE });
      return z.NEVER;
    })
    .nullable()
    .default(null)
    .openapi({ type: 'string', format: 'date-time', description, example: '2026-11-22T00:00:00Z' });

export const createdWithin = {
  createdFrom: moment('Recorded at this moment or later.'),
  createdTo: moment('Recorded before this moment.'),
};

/** Query of `GET /v1/payments/{paymentId}/refunds`. */
export const refundListQuery = z.object(page);

/** Query of `GET /v1/payments`. */
export const paymentListQuery = z.object({
  merchantOrderId: id().nullable().default(null).openapi({ type: 'string', description: "The merchant's own reference, whole." }),
  status: anyOf(PAYMENT_STATUSES, 'Payments of this status, or of several separated by commas.'),
  customer: textOf(1, EMAIL_MAX).nullable().default(null).openapi({
    type: 'string',
    description: "The customer's e-mail address, in any case, or the merchant's own id of the customer.",
  }),
  ...createdWithin,
  ...page,
});

/** Query of `GET /v1/events`. */
export const eventListQuery = z.object({
  paymentId: z
    .uuid('must be the id of a payment')
    .nullable()
    .default(null)
    .openapi({ type: 'string', format: 'uuid', description: 'Events of this payment.' }),
  type: anyOf(MERCHANT_EVENT_TYPES, 'Events of this type, or of several separated by commas.'),
  ...createdWithin,
  ...page,
});

const NAMES_MAX = 20;

/** The parameters of a query that are not known, each with the known name that it may be meant for; at most 20. */
function describeUnknownNames(given: readonly string[], known: readonly string[]): FieldError[] {
  const unknown = [...new Set(given)].filter((name) => !known.includes(name)).slice(0, NAMES_MAX);
  return unknown.map((name) => describeUnknownName(name, nearestName(name, known)));
}

/**
 * Parses the query of a list against its schema: the value, or every problem. A name that is not known is a problem, because
 * a misspelt filter would answer with everything; so is a name that is given twice, because all but one value would be dropped.
 */
export function readListQuery<Shape extends z.ZodRawShape>(
  { query }: Pick<PlainRequest, 'query'>,
  schema: z.ZodObject<Shape>,
): { readonly value: z.output<z.ZodObject<Shape>> } | { readonly errors: readonly FieldError[] } {
  const parameters = new URLSearchParams(query);
  const given = Object.fromEntries(parameters);
  const unknown = describeUnknownNames(Object.keys(given), Object.keys(schema.shape));
  const parsed = schema.safeParse(given, { reportInput: true });
  const repeated = Object.keys(schema.shape).filter((name) => parameters.getAll(name).length > 1);
  const errors = [
    ...(parsed.success ? [] : describeIssues(parsed.error.issues)),
    ...repeated.map((field) => {
      const rule = `must be given once${takesList(schema.shape[field]) ? ', its values separated by commas' : ''}`;
      return { field, code: 'repeated', rule } as const;
    }),
    ...unknown,
  ];
  return parsed.success && errors.length === 0 ? { value: parsed.data } : { errors };
}

/** True if a parameter takes several values: left out, it is an empty list. */
function takesList(parameter: z.core.$ZodType | undefined): boolean {
  return parameter instanceof z.ZodDefault && Array.isArray(parameter.def.defaultValue);
}
