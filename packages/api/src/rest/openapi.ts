import { OpenAPIRegistry, OpenApiGeneratorV31, type ResponseConfig } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { Switchyard } from '../process.ts';
import { startServerTiming, toResponse } from './endpoint.ts';
import { failures } from './envelope.ts';
import { eventListQuery, paymentListQuery, refundListQuery } from './list-queries.ts';
import { withNullableObjects } from './nullable-objects.ts';
import { disputePaths, rulesPaths, streamPath, testEventPath } from './openapi-developers.ts';
import { type RecordedAnswer, type RecordedExamples, recordedExamples } from './recorded-examples.ts';
import { refundRequest } from './refunds.ts';
import { initiateRequest, verifyRequest } from './requests.ts';
import {
  eventList,
  failureEnvelope,
  initiatedPaymentResource,
  paymentList,
  paymentResource,
  refundList,
  refundResource,
  successEnvelope,
  verificationResult,
} from './responses.ts';
import { settlementPaths } from './settlements.ts';
import { registerWebhooks } from './webhook-descriptions.ts';

let document: string | undefined;

/** `GET /v1/openapi.json`: the description of the REST service. Needs no key: it holds no merchant data. */
export async function serveOpenApi(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const requestId = requestIdOf(request.headers['x-request-id'], switchyard.payments.newId);
  const timing = startServerTiming();
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    return toResponse(failures.methodNotAllowed(['GET', 'HEAD']), requestId, timing);
  }
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    'server-timing': timing.header(),
  };
  document ??= JSON.stringify(describeRest(switchyard.resources.publicUrl), null, 2);
  return { status: 200, headers, body: document };
}

/** The OpenAPI 3.1 document, generated from the validation schemas. */
export function describeRest(publicUrl: string) {
  const registry = new OpenAPIRegistry();
  const key = registry.registerComponent('securitySchemes', 'secretKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'A secret API key, `sk_test_…` or `sk_live_…`. For servers only.',
  });
  const examples = recordedExamples(publicUrl);
  registerPaths(registry, [{ [key.name]: [] }], examples);
  registerWebhooks(registry, examples.events);
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: 'Switchyard',
      version: '1.0.0',
      description:
        'Payment initiation, routing and verification. Examples are answers of the sandbox; ids and times are replaced by stable ones.',
      contact: { name: 'Switchyard', url: `${publicUrl}/docs` },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'Where this document is served.' }],
    tags: [
      { name: 'Payments', description: 'Start, read and verify payments.' },
      { name: 'Disputes', description: 'Payments that customers dispute with their bank.' },
      { name: 'Settlements', description: 'What gateways pay out, line by line.' },
      { name: 'Rules', description: 'Routing rules as files. Keys need to be granted access to them by name.' },
      { name: 'Events', description: 'What webhook endpoints receive, signed as Standard Webhooks has it.' },
    ],
  });
  return withNullableObjects(document);
}

type RouteConfig = Parameters<OpenAPIRegistry['registerPath']>[0];

function registerPaths(
  registry: OpenAPIRegistry,
  security: NonNullable<RouteConfig['security']>,
  { answers, events }: RecordedExamples,
): void {
  const shown = events['payment.succeeded'];
  if (shown === undefined) throw new Error('no event is recorded as payment.succeeded');
  const register = (path: Path, tag: string) =>
    registry.registerPath({ ...path, responses: withExamples(path, answers), tags: [tag], security });
  for (const path of [initiatePath, paymentsPath, getPath, verifyPath, refundPath, refundsPath, oneRefundPath])
    register(path, 'Payments');
  const answerKinds = { success, failuresOf };
  for (const path of disputePaths(answerKinds)) register(path, 'Disputes');
  register(eventsPath, 'Events');
  register(streamPath(answerKinds, shown), 'Events');
  register(testEventPath(answerKinds), 'Events');
  for (const path of settlementPaths({ ...answerKinds, failureOf }, EXAMPLE_ID)) register(path, 'Settlements');
  for (const path of rulesPaths(answerKinds)) register(path, 'Rules');
}

/** The responses with the recorded answers of each: those of the endpoint itself, else those that any endpoint gives. */
function withExamples({ operationId, responses }: Path, answers: readonly RecordedAnswer[]): RouteConfig['responses'] {
  return Object.fromEntries(
    Object.entries(responses).map(([status, response]) => {
      const ofStatus = answers.filter((answer) => String(answer.status) === status);
      const own = ofStatus.filter((answer) => answer.operationId === operationId);
      const shown = [...own, ...ofStatus.filter((answer) => answer.operationId === null && isOfEndpoint(answer))];
      if (shown.length === 0) return [status, response];
      const examples = Object.fromEntries(shown.map(({ name, summary, body }) => [name, { summary, value: body }]));
      const media = response.content?.['application/json'];
      if (media === undefined) return [status, response];
      return [status, { ...response, content: { 'application/json': { ...media, examples } } }];
    }),
  );
}

/** A path without an endpoint is described by none. */
function isOfEndpoint({ failure }: RecordedAnswer): boolean {
  return failure !== 'pathNotFound';
}

const EXAMPLE_ID = '0197f3a0-5c4e-7d2a-9b1e-3f6a8c2d4e5f';

type JsonResponse = ResponseConfig & { readonly content: { readonly 'application/json': { readonly schema: z.ZodType } } };

const text = (description: string, example: string) => z.string().openapi({ description, example });
/** On every response. */
const requestIdHeader = {
  'X-Request-Id': text('Identifies the request; the one that was sent, where it was a UUID.', EXAMPLE_ID),
};
/** On every response to a valid key. */
const rateLimitHeaders = {
  RateLimit: text(
    'What is left of the limit of the key, `r`, and the seconds until it is whole again, `t`.',
    '"default";r=999;t=1',
  ),
  'RateLimit-Policy': text('The limit: requests, `q`, in a window of seconds, `w`.', '"default";q=1000;w=1'),
};
const retryAfter = { 'Retry-After': text('Seconds to wait before the next try.', '2') };
const IGNORED_FIELDS = {
  'Switchyard-Ignored-Fields': text('Fields of the body that are not ours and were ignored, separated by commas.', 'channel'),
};

function success(description: string, schema: z.ZodType, headers: Readonly<Record<string, z.ZodType>> = {}): JsonResponse {
  return {
    description,
    headers: z.object({ ...requestIdHeader, ...rateLimitHeaders, ...asOptional(headers) }),
    content: { 'application/json': { schema: successEnvelope(schema) } },
  };
}

function asOptional(headers: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(headers).map(([name, schema]) => [name, schema.optional()]));
}

/** Headers of a failure beside those of every response. */
const FAILURE_HEADERS: Readonly<Record<string, Readonly<Record<string, z.ZodType>>>> = {
  400: rateLimitHeaders,
  401: { 'WWW-Authenticate': text('How to authenticate.', 'Bearer') },
  405: { Allow: text('The methods that the path takes; HEAD wherever it takes GET.', 'POST') },
  404: rateLimitHeaders,
  409: { ...rateLimitHeaders, ...asOptional(retryAfter) },
  429: { ...rateLimitHeaders, ...retryAfter },
  503: retryAfter,
};

const FAILURES = {
  400: 'Something in the request breaks a rule; every problem is listed.',
  401: 'The API key is missing or invalid.',
  403: 'The key must not be used from this address, or lacks the scope that the message names.',
  404: 'There is no such payment, or no such dispute.',
  405: 'The path does not take this method; Allow says which it takes.',
  409: 'The order id was used before, or the first request with it or with this Idempotency-Key is in flight: then there is a Retry-After.',
  413: 'The body is larger than 64 KiB.',
  415: 'The body is not JSON.',
  422: 'The Idempotency-Key was used with another body.',
  429: 'Too many requests; see Retry-After.',
  500: 'Something went wrong on our side. X-Request-Id identifies the request.',
  503: 'The service cannot work just now; see Retry-After.',
} as const;

const REFUND_FAILURES = {
  404: 'There is no such payment, or no such refund of it.',
  409: 'The payment has not succeeded, or less is left of it: `data.refundableAmount` says how much. Or the first request with this Idempotency-Key is in flight.',
} as const;

function failureOf(status: keyof typeof FAILURES, description: string = FAILURES[status]): JsonResponse {
  return {
    description,
    headers: z.object({ ...requestIdHeader, ...FAILURE_HEADERS[status] }),
    content: { 'application/json': { schema: failureEnvelope } },
  };
}

/** Every endpoint may answer 401, 403, 405, 429, 500 and 503. */
function failuresOf(...own: (keyof typeof FAILURES)[]): Record<string, JsonResponse> {
  const statuses = [...new Set([...own, 401, 403, 405, 429, 500, 503] as const)].sort((one, other) => one - other);
  return Object.fromEntries(statuses.map((status) => [String(status), failureOf(status)]));
}

/** An endpoint; every failure has a JSON body. */
type Path = Omit<RouteConfig, 'tags' | 'security' | 'responses'> & {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, ResponseConfig>>;
};

const params = z.object({ paymentId: z.uuid().openapi({ description: 'The id initiate answered.', example: EXAMPLE_ID }) });

const idempotency = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .regex(/^[\x21-\x7e]*$/)
    .optional()
    .openapi({
      description: 'Makes a retry safe: the same key and body is answered as the first time, for 24 hours.',
      example: 'ORD-1001',
    }),
});

/** The fields that a first payment takes, and no more. */
const INITIATE_EXAMPLE = {
  merchantOrderId: 'ORD-1001',
  amount: 2500,
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  redirectUrl: 'https://shop.example/thanks',
};

const initiatePath = {
  method: 'post',
  path: '/v1/payments/initiate',
  operationId: 'initiatePayment',
  summary: 'Initiate a payment',
  description:
    'Picks a gateway, opens a checkout there and answers the address to send the customer to. Amounts are whole naira. In test mode a ' +
    'field whose name is nearly one of these is refused; others that are not ours are ignored and named in `Switchyard-Ignored-Fields`.',
  request: {
    headers: idempotency,
    body: { required: true, content: { 'application/json': { schema: initiateRequest.test, example: INITIATE_EXAMPLE } } },
  },
  responses: {
    200: success(
      'The payment: PENDING with a session, or FAILED when every gateway failed.',
      initiatedPaymentResource,
      IGNORED_FIELDS,
    ),
    ...failuresOf(400, 409, 413, 415, 422),
  },
} satisfies Path;

const paymentsPath = {
  method: 'get',
  path: '/v1/payments',
  operationId: 'listPayments',
  summary: 'List payments',
  description:
    "An extension. Newest first, a page at a time; with `merchantOrderId`, the payment that has the merchant's own reference.",
  request: { query: paymentListQuery },
  responses: { 200: success('A page of payments.', paymentList), ...failuresOf(400) },
} satisfies Path;

const eventsPath = {
  method: 'get',
  path: '/v1/events',
  operationId: 'listEvents',
  summary: 'List events',
  description:
    'An extension. The records that webhook endpoints receive, newest first, a page at a time, whether or not one received them: what a ' +
    'merchant who was away has missed.',
  request: { query: eventListQuery },
  responses: { 200: success('A page of events.', eventList), ...failuresOf(400) },
} satisfies Path;

const getPath = {
  method: 'get',
  path: '/v1/payments/{paymentId}',
  operationId: 'getPayment',
  summary: 'Get payment details',
  description: 'The payment as it is recorded. Reading it asks no gateway; verify does.',
  request: { params },
  responses: { 200: success('The payment.', paymentResource), ...failuresOf(404) },
} satisfies Path;

const verifyPath = {
  method: 'post',
  path: '/v1/payments/{paymentId}/verify',
  operationId: 'verifyPayment',
  summary: 'Verify a payment',
  description: 'Asks the gateway unless the payment has succeeded already, and answers the record of its last change of status.',
  request: { params, body: { required: false, content: { 'application/json': { schema: verifyRequest } } } },
  responses: {
    200: success('The event record.', verificationResult, IGNORED_FIELDS),
    ...failuresOf(400, 404, 413, 415),
  },
} satisfies Path;

const REFUND_EXAMPLE = { amount: 1000, reason: 'Item out of stock' };

const refundPath = {
  method: 'post',
  path: '/v1/payments/{paymentId}/refunds',
  operationId: 'refundPayment',
  summary: 'Refund a payment',
  description:
    'An extension. Records a refund, of an amount or with `"full": true` of all that is left, and has the gateway return the money. A body ' +
    'that has neither, a field that is not one of these, and a query are refused: nothing is refunded by mistake. The answer says PENDING: ' +
    'the refund is followed until the gateway is done with it, and its end is sent as `refund.succeeded` or `refund.failed`. ' +
    'The payment becomes REFUNDED once all of it is back, which is sent as `payment.refunded` besides.',
  request: {
    params,
    headers: idempotency,
    body: { required: true, content: { 'application/json': { schema: refundRequest, example: REFUND_EXAMPLE } } },
  },
  responses: {
    200: success('The refund.', refundResource),
    ...failuresOf(400, 404, 409, 413, 415, 422),
    409: failureOf(409, REFUND_FAILURES[409]),
  },
} satisfies Path;

const refundsPath = {
  method: 'get',
  path: '/v1/payments/{paymentId}/refunds',
  operationId: 'listRefunds',
  summary: 'List refunds of a payment',
  description: 'An extension. Newest first, a page at a time.',
  request: { params, query: refundListQuery },
  responses: { 200: success('A page of refunds.', refundList), ...failuresOf(400, 404) },
} satisfies Path;

const oneRefundPath = {
  method: 'get',
  path: '/v1/payments/{paymentId}/refunds/{refundId}',
  operationId: 'getRefund',
  summary: 'Get a refund',
  description: 'An extension.',
  request: {
    params: params.extend({
      refundId: z.uuid().openapi({ description: 'The id that the refund was answered with.', example: EXAMPLE_ID }),
    }),
  },
  responses: {
    200: success('The refund.', refundResource),
    ...failuresOf(404),
    404: failureOf(404, REFUND_FAILURES[404]),
  },
} satisfies Path;
