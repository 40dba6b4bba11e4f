import { isUnavailable, isUuid } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { createRedactor } from '@switchyard/gateways/redaction';
import { authenticate, type KeyScope } from '@switchyard/merchants/api-keys';
import type { Caller, Timings } from '@switchyard/payments';
import type { z } from 'zod';
import { plainClientAddress } from '../client-address.ts';
import { BODY_MAX_BYTES, type PlainRequest, type PlainResponse } from '../http/plain.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { Switchyard } from '../process.ts';
import { type Answer, envelope, type FieldError, failures } from './envelope.ts';
import { readJsonBody } from './json-body.ts';
import { findUnknownFields } from './unknown-fields.ts';

/** One documented endpoint in the route table. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** Scope that a restricted key must have. */
  readonly scope: KeyScope;
  /** Runs for an authenticated caller. */
  serve(switchyard: Switchyard, call: Call): Promise<Answer | WrittenAnswer | StreamAnswer>;
}

/** An authenticated request of a matched path. */
export interface Call {
  readonly caller: Caller;
  /** The key that authenticated it. */
  readonly key: { readonly id: string; readonly publicId: string };
  readonly params: Readonly<Record<string, string>>;
  readonly request: PlainRequest;
  readonly timings: Timings;
  /** Further headers of the response, which what serves the call may add to. */
  readonly responseHeaders: Record<string, string>;
}

/** A call with a valid body. */
export interface CallWithBody<Body> extends Call {
  readonly body: Body;
  /** The parsed body before defaults and conversions. */
  readonly json: unknown;
}

/**
 * An endpoint with a JSON body, validated by the key's mode. An `optional` body defaults to `{}`; where one is needed, `missingBody` says
 * what has to be in it. A query is refused, because a field in it would be left out without a word. A field that a strict schema does not have
 * is refused. In other bodies one whose name is nearly one of ours is refused in test mode; all others are ignored, and the response names
 * them in {@link IGNORED_FIELDS}.
 */
export function endpointWithBody<Body>(definition: {
  readonly method: 'POST';
  readonly scope: KeyScope;
  readonly body: Readonly<Record<Mode, z.ZodType<Body>>>;
  readonly optional: boolean;
  readonly missingBody?: FieldError;
  readonly run: (switchyard: Switchyard, call: CallWithBody<Body>) => Promise<Answer | WrittenAnswer>;
}): Endpoint {
  return {
    method: definition.method,
    scope: definition.scope,
    async serve(switchyard, call) {
      const { body } = call.request;
      if (body.kind === 'too_large') return failures.bodyTooLarge(BODY_MAX_BYTES);
      const schema = definition.body[call.caller.mode];
      const read = readJsonBody(call.request, body.bytes, schema, definition);
      if (read.kind === 'not_json_type') return failures.unsupportedMediaType();
      if (read.kind === 'encoded') return failures.unsupportedMediaType('Content-Encoding');
      const unknown = findUnknownFields(read.json, schema);
      if (unknown.paths.length > 0) call.responseHeaders[IGNORED_FIELDS] = unknown.paths.map(headerText).join(', ');
      const refused = [...unknown.refused, ...(call.request.query === '' ? [] : [NO_QUERY])];
      switch (read.kind) {
        case 'invalid':
          return failures.badRequest([...read.errors, ...unknown.misspelt, ...refused]);
        case 'valid': {
          const errors = call.caller.mode === 'test' ? [...unknown.misspelt, ...refused] : refused;
          if (errors.length > 0) return failures.badRequest(errors);
          return definition.run(switchyard, { ...call, body: read.value, json: read.json });
        }
        default:
          return read satisfies never;
      }
    },
  };
}

const NO_QUERY = {
  field: 'query',
  code: 'unknown_field',
  rule: 'must be empty: the fields of a POST belong into its JSON body',
} as const satisfies FieldError;

/** Names the fields of a request that no endpoint reads. */
const IGNORED_FIELDS = 'switchyard-ignored-fields';
const FIELD_MAX = 64;

/** A card number may stand in a name by mistake, and clients log headers. */
const cardRedactor = createRedactor([]);

function headerText(field: string): string {
  return encodeURIComponent(cardRedactor.text(field).slice(0, FIELD_MAX).toWellFormed());
}

/** A response whose body is text already, envelope included: a stored one is repeated byte for byte. */
export interface WrittenAnswer {
  readonly kind: 'written';
  readonly statusCode: number;
  readonly body: string;
}

/** A response of status 200 whose body goes on: server-sent events. */
export interface StreamAnswer {
  readonly kind: 'stream';
  readonly stream: AsyncIterable<string>;
}

/** A route: one endpoint per method. */
export interface Route {
  readonly endpoints: readonly Endpoint[];
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Serves one request under `/v1`: authenticate, rate limit, find, validate, run, envelope. Every response, errors included, has one
 * of the two envelopes.
 */
export async function serve(
  switchyard: Switchyard,
  request: PlainRequest,
  findRoute: (path: string) => Route | null,
): Promise<PlainResponse> {
  const timing = startServerTiming();
  const requestId = requestIdOf(request.headers['x-request-id'], switchyard.payments.newId);
  const responseHeaders: Record<string, string> = {};
  let answer: Answer | WrittenAnswer | StreamAnswer;
  try {
    answer = await respond(switchyard, { request, findRoute, timings: timing, responseHeaders });
  } catch (error) {
    answer = isUnavailable(error) ? failures.unavailable() : failures.internal(requestId);
    switchyard.log.error({ request_id: requestId, 'http.request.method': request.method, error }, 'a request failed');
  }
  if (answer.kind !== 'stream') return toResponse(answer, requestId, timing, responseHeaders);
  const headers = {
    ...responseHeaders,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    // Proxies that gather responses would hold events back.
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, body: '', stream: answer.stream };
}

/** A response in its envelope, with the headers of every response. */
export function toResponse(
  answer: Answer | WrittenAnswer,
  requestId: string,
  timing: { header(): string },
  headers: Readonly<Record<string, string>> = {},
): PlainResponse {
  const { statusCode, body } = answer.kind === 'written' ? answer : envelope(answer);
  const extra = answer.kind === 'failure' ? answer.headers : undefined;
  return {
    status: statusCode,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      'server-timing': timing.header(),
      ...headers,
      ...extra,
    },
    body,
  };
}

/** A request before it is admitted, and how its endpoint is found. */
export interface UnadmittedRequest<Found> {
  readonly request: PlainRequest;
  readonly findRoute: (path: string) => Found | null;
  readonly timings: ReturnType<typeof startServerTiming>;
  /** Headers that an endpoint adds to its response. */
  readonly responseHeaders: Record<string, string>;
}

async function respond(switchyard: Switchyard, asked: UnadmittedRequest<Route>): Promise<Answer | WrittenAnswer | StreamAnswer> {
  const admission = await admit(switchyard, asked);
  return admission.kind === 'refused' ? answerRefusal(admission.refusal) : admission.endpoint.serve(switchyard, admission.call);
}

function answerRefusal(refusal: AdmissionRefusal): Answer {
  switch (refusal.kind) {
    case 'invalid_key':
      return failures.invalidKey();
    case 'unavailable':
      return failures.unavailable();
    case 'too_many_requests':
      return failures.tooManyRequests(refusal.retryAfterS);
    case 'address_not_allowed':
      return failures.addressNotAllowed(refusal.address);
    case 'path_not_found':
      return failures.pathNotFound();
    case 'method_not_allowed':
      return failures.methodNotAllowed(refusal.allow);
    case 'missing_scope':
      return failures.missingScope(refusal.scope);
    default:
      return refusal satisfies never;
  }
}

/** Why a request reaches no endpoint. */
export type AdmissionRefusal =
  | { readonly kind: 'invalid_key' }
  /** This process cannot tell, by a fault of ours; another one may. */
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'too_many_requests'; readonly retryAfterS: number }
  | { readonly kind: 'address_not_allowed'; readonly address: string | null }
  | { readonly kind: 'path_not_found' }
  | { readonly kind: 'method_not_allowed'; readonly allow: readonly string[] }
  | { readonly kind: 'missing_scope'; readonly scope: KeyScope };

/** A request that may reach an endpoint, or why it may not. */
export type Admission<Admitted> =
  | { readonly kind: 'admitted'; readonly endpoint: Admitted; readonly call: Call }
  | { readonly kind: 'refused'; readonly refusal: AdmissionRefusal };

/** Authenticates a request, limits the rate of its key, and finds its endpoint, in this order: a stranger learns nothing about paths. */
export async function admit<Admitted extends Pick<Endpoint, 'method' | 'scope'>>(
  switchyard: Switchyard,
  unadmitted: UnadmittedRequest<{ readonly endpoints: readonly Admitted[]; readonly params: Call['params'] }>,
): Promise<Admission<Admitted>> {
  const { request, findRoute, timings, responseHeaders } = unadmitted;
  const startedAt = performance.now();
  await switchyard.resources.configuration.ready();
  const authentication = await authenticate(switchyard, request.headers.authorization ?? null);
  timings.add('auth', performance.now() - startedAt);
  if (authentication.kind === 'refused') {
    // With a wrong pepper no key is recognised, which is not the fault of its holder.
    const isOurs = switchyard.resources.secrets.state().wrong.includes('key_pepper');
    return refuse({ kind: isOurs ? 'unavailable' : 'invalid_key' });
  }
  const { configuration, mode, keyId, publicId, guard } = authentication;
  if (request.facts !== undefined) {
    request.facts.merchantId = configuration.merchant.id;
    request.facts.key = { id: keyId, mode };
  }
  const limit = await switchyard.rateLimit(keyId);
  // Written as draft-ietf-httpapi-ratelimit-headers-11 has it.
  responseHeaders['ratelimit-policy'] = `"default";q=${limit.requestsPerSecond};w=1`;
  responseHeaders.ratelimit = `"default";r=${limit.remaining};t=${Math.ceil(limit.resetMs / 1_000)}`;
  if (limit.exceeded) return refuse({ kind: 'too_many_requests', retryAfterS: limit.resetMs / 1_000 });
  const address = plainClientAddress(request.headers);
  if (!guard.allowsAddress(address)) return refuse({ kind: 'address_not_allowed', address });

  const route = findRoute(request.path);
  if (route === null) return refuse({ kind: 'path_not_found' });
  const params = withIdsInOneCase(route.params);
  const { paymentId } = params;
  if (request.facts !== undefined && paymentId !== undefined && isUuid(paymentId)) request.facts.paymentId = paymentId;
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const endpoint = route.endpoints.find(({ method }) => method === asked);
  if (endpoint === undefined) {
    const allow = route.endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return refuse({ kind: 'method_not_allowed', allow });
  }
  if (!guard.allowsScope(endpoint.scope)) return refuse({ kind: 'missing_scope', scope: endpoint.scope });
  const caller = { configuration, mode };
  return {
    kind: 'admitted',
    endpoint,
    call: { caller, key: { id: keyId, publicId }, params, request, timings, responseHeaders },
  };
}

/** Parameters of a path with ids in lower case, as they are stored: an id in capitals is the same id. */
function withIdsInOneCase(params: Call['params']): Call['params'] {
  return Object.fromEntries(Object.entries(params).map(([name, text]) => [name, isUuid(text) ? text.toLowerCase() : text]));
}

function refuse(refusal: AdmissionRefusal): { readonly kind: 'refused'; readonly refusal: AdmissionRefusal } {
  return { kind: 'refused', refusal };
}

const NAMES = ['auth', 'route', 'db', 'gateway'] as const;
type Name = (typeof NAMES)[number];

/** Sums up the phases of a request for the `Server-Timing` header (W3C Server Timing; milliseconds). */
export function startServerTiming(): Timings & { add(name: Name, milliseconds: number): void; header(): string } {
  const spent: Record<Name, number> = { auth: 0, route: 0, db: 0, gateway: 0 };
  return {
    add(name, milliseconds) {
      spent[name] += milliseconds;
    },
    header: () => NAMES.map((name) => `${name};dur=${spent[name].toFixed(3)}`).join(', '),
  };
}
