import type { Dialect, DialectAnswer, Problem } from '@switchyard/compat';
import { isUnavailable } from '@switchyard/db';
import type { PlainRequest, PlainResponse } from '../http/plain.ts';
import { requestIdOf } from '../http/request-id.ts';
import type { Switchyard } from '../process.ts';
import { type AdmissionRefusal, admit, startServerTiming, type UnadmittedRequest } from '../rest/endpoint.ts';
import { type FoundRoute, type RouteLine, routeFinder } from '../rest/route-table.ts';
import { type CompatEndpoint, refuserOf } from './compat-endpoint.ts';
import { FLUTTERWAVE_ROUTES } from './flutterwave-routes.ts';
import { PAYSTACK_ROUTES } from './paystack-routes.ts';
import { DIALECT_PATH } from './shed-compat.ts';

/** The calls that each dialect answers. */
export const DIALECT_ROUTES: Readonly<Record<Dialect, readonly RouteLine<CompatEndpoint>[]>> = {
  paystack: PAYSTACK_ROUTES,
  flutterwave: FLUTTERWAVE_ROUTES,
};
const finders = { paystack: routeFinder(PAYSTACK_ROUTES), flutterwave: routeFinder(FLUTTERWAVE_ROUTES) };

/**
 * Serves one request under `/compat/paystack` or `/compat/flutterwave`: the same key, limits, use cases and payments as `/v1`, in the
 * gateway's own form. Every answer, errors included, has that form.
 */
export async function serveCompat(switchyard: Switchyard, request: PlainRequest): Promise<PlainResponse> {
  const [, name, path = '/'] = DIALECT_PATH.exec(request.path) ?? [];
  const dialect: Dialect = name === 'flutterwave' ? 'flutterwave' : 'paystack';
  const timing = startServerTiming();
  const requestId = requestIdOf(request.headers['x-request-id'], switchyard.payments.newId);
  const responseHeaders: Record<string, string> = {};
  let answer: DialectAnswer;
  try {
    const findRoute = () => finders[dialect](name === undefined ? '/' : plainPath(path));
    answer = await respond(switchyard, dialect, { request, findRoute, timings: timing, responseHeaders });
  } catch (error) {
    answer = refuserOf(dialect)(isUnavailable(error) ? { kind: 'unavailable' } : { kind: 'internal', requestId });
    switchyard.log.error({ request_id: requestId, 'http.request.method': request.method, error }, 'a request failed');
  }
  return {
    status: answer.status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': requestId,
      'server-timing': timing.header(),
      ...responseHeaders,
      ...answer.headers,
    },
    body: answer.body,
  };
}

/** SDKs join a base address that ends in a slash and a path that begins with one, and some end paths with a slash. */
function plainPath(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

async function respond(
  switchyard: Switchyard,
  dialect: Dialect,
  asked: UnadmittedRequest<FoundRoute<CompatEndpoint>>,
): Promise<DialectAnswer> {
  const admission = await admit(switchyard, asked);
  const refuse = refuserOf(dialect);
  if (admission.kind === 'refused') return refuse(problemOf(admission.refusal));
  return admission.endpoint.serve(switchyard, admission.call);
}

function problemOf(refusal: AdmissionRefusal): Problem {
  return refusal.kind === 'path_not_found' ? { kind: 'path_not_mapped' } : refusal;
}
