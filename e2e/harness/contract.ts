import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Reply } from './web-process.ts';

type Answer = Pick<Reply, 'status' | 'text' | 'json'>;

/*
 * The documented resources, written down from the contract's tables and not from the product's own schemas, so that a mistake
 * there cannot agree with itself here. Strict: exactly the documented fields, no more and no less.
 */

const status = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
const executionStatus = z.enum(['processing', 'succeeded', 'failed', 'refunded']);
const fallback = z.strictObject({ name: z.string(), reason: z.string() });

const session = z.strictObject({
  raw: z.looseObject({}),
  gateway: z.string(),
  reference: z.string(),
  accessCode: z.string(),
  redirectUrl: z.url(),
  metadata: z.strictObject({
    mode: z.string(),
    paymentId: z.string(),
    merchantId: z.string(),
    callbackUrl: z.string(),
    redirectUrl: z.string(),
    merchantOrderId: z.string(),
    referencePrefix: z.string(),
    fallbackGateways: z.array(fallback),
  }),
});

const routing = z.strictObject({
  version: z.int(),
  decidedAt: z.iso.datetime(),
  rationale: z.string(),
  rationaleCode: z.string(),
  contextKey: z.string(),
  overrides: z.array(z.looseObject({})),
  reasons: z.array(
    z.strictObject({ code: z.string(), title: z.string(), message: z.string(), category: z.string(), severity: z.string() }),
  ),
  candidates: z.array(
    z.strictObject({
      index: z.int(),
      eligible: z.boolean(),
      provider: z.string(),
      subproviderId: z.string(),
      ineligibleReason: z.string().nullable(),
    }),
  ),
  recommended: z.strictObject({ index: z.int(), provider: z.string(), subproviderId: z.string() }).nullable(),
});

const fields = {
  paymentId: z.uuid(),
  merchantOrderId: z.string(),
  status,
  executionStatus,
  currency: z.string(),
  amount: z.int(),
  recommendedGateway: z.strictObject({ name: z.string(), session: session.nullable() }),
  fallbackGateways: z.array(fallback),
  routing,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};
const onInitiate = { routingMode: z.string(), requestedGateway: z.string().nullable(), smartRoutingBypassed: z.boolean() };

const payment = z.union([z.strictObject({ ...fields, ...onInitiate }), z.strictObject(fields)]);

const record = z.strictObject({
  id: z.uuid(),
  type: z.string(),
  createdAt: z.iso.datetime(),
  merchantNumber: z.string(),
  data: z.strictObject({
    paymentId: z.uuid(),
    merchantOrderId: z.string(),
    status,
    executionStatus,
    currency: z.string(),
    amount: z.int(),
    gatewayReference: z.string(),
  }),
});

const code = z.string().regex(/^[a-z]+(_[a-z]+)*$/);
const failure = z.strictObject({
  success: z.literal(false),
  statusCode: z.int(),
  message: z.string().min(1),
  code,
  data: z
    .strictObject({
      errors: z.array(z.string()).min(1),
      details: z.array(z.strictObject({ field: z.string().min(1), code })).min(1),
      paymentId: z.uuid().optional(),
      status: z.literal('INITIATED').optional(),
      refundableAmount: z.int().optional(),
    })
    .refine(
      ({ errors, details }) =>
        errors.length === details.length && details.every(({ field }, at) => errors[at]?.startsWith(`${field} `)),
      {
        error: 'details are not of the errors',
      },
    )
    .nullable(),
});

function success<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ status: z.literal(true), statusCode: z.literal(200), message: z.string().min(1), data });
}

export type Payment = z.output<typeof payment>;
export type EventRecord = z.output<typeof record>;
export type Failure = z.output<typeof failure>;

/** The payment in a 200; throws on any other answer, or a field too many or too few. */
export function readPayment(reply: Answer): Payment {
  return read(reply, success(payment)).data;
}

/** The event record in a 200 of verify. */
export function readRecord(reply: Answer): EventRecord {
  return read(reply, success(record)).data;
}

/** A failure; its `statusCode` is the HTTP status. */
export function readFailure(reply: Answer): Failure {
  const body = read(reply, failure);
  if (body.statusCode !== reply.status) throw new Error(`statusCode ${body.statusCode} under HTTP ${reply.status}`);
  return body;
}

function read<T>(reply: Answer, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(reply.json);
  if (parsed.success) return parsed.data;
  throw new Error(`HTTP ${reply.status} is not as documented: ${z.prettifyError(parsed.error)}\n${reply.text}`);
}

/** Every field of a JSON value by its path, with its type. Items of a list share the path `[]`; types that differ are joined. */
export function shapeOf(value: unknown): Record<string, string> {
  const shape = new Map<string, Set<string>>();
  walk(value, '', shape);
  const rows = [...shape].map(([path, types]) => [path, [...types].sort().join(' or ')]);
  return Object.fromEntries(rows.sort(([left = ''], [right = '']) => (left < right ? -1 : 1)));
}

function walk(value: unknown, path: string, shape: Map<string, Set<string>>): void {
  if (path !== '') shape.set(path, (shape.get(path) ?? new Set()).add(typeOf(value)));
  if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`, shape);
  else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`, shape);
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}

/** A valid body for initiate, under an order id of its own. */
export function order(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    merchantOrderId: `order-${randomUUID()}`,
    amount: 2_500,
    currency: 'NGN',
    customer: { email: 'ada@example.com' },
    paymentMethod: 'card',
    ...changes,
  };
}
