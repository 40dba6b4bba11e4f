import { RULE_SET_FILE_SCHEMA_PATH } from '@switchyard/rule-sets/files';
import type { ExpectedRequests } from '@switchyard/telemetry';
import { EXPORT_PATH, GRAPHQL_PATH } from './reporting-paths.ts';

/** Path of the MCP server on the web process. */
export const MCP_PATH = '/api/mcp';

/** Path of the SCIM service. */
export const SCIM_PATH = '/scim/v2';

/**
 * Classes of requests, the least important first: the order in which they are shed. A report, or what an agent asks, can be asked for again. The dashboard's
 * users wait or retry. Merchants read payments more often than they must, and learn of changes by webhooks too. A verification that
 * is missed is made up for by the sweep. An initiate is a customer who pays now. A gateway's webhook and a customer's return carry
 * money that has moved already, and are the cheapest of all to answer.
 */
export const IMPORTANCE = ['reports', 'dashboard', 'reads', 'verify', 'initiate', 'webhooks'] as const;

export type Importance = (typeof IMPORTANCE)[number];

/** Class of a request, for metrics, logs and shedding. */
export interface RequestKind {
  /** A template: the text of an id is never part of it. */
  readonly route: string;
  /** Null is never shed. */
  readonly importance: Importance | null;
}

const PAYMENT = /^\/v1\/payments\/[^/]+(?:\/(verify|refunds)(\/[^/]+)?)?$/;
const WEBHOOK = /^\/webhooks\/(?!endpoints\/)[^/]+\/[^/]+$/;
const CHECKOUT = /^\/checkout\/[^/]+\/[^/]+(\/return)?$/;

const INITIATE: RequestKind = { route: '/v1/payments/initiate', importance: 'initiate' };
const READ_PAYMENT: RequestKind = { route: '/v1/payments/{paymentId}', importance: 'reads' };
const VERIFY: RequestKind = { route: '/v1/payments/{paymentId}/verify', importance: 'verify' };
const READ_REFUNDS: RequestKind = { route: '/v1/payments/{paymentId}/refunds', importance: 'reads' };
const REQUEST_REFUND: RequestKind = { route: '/v1/payments/{paymentId}/refunds', importance: 'verify' };
const READ_REFUND: RequestKind = { route: '/v1/payments/{paymentId}/refunds/{refundId}', importance: 'reads' };
const OTHER_REST: RequestKind = { route: '/v1/{other}', importance: 'reads' };
const OPENAPI: RequestKind = { route: '/v1/openapi.json', importance: 'reads' };
const GATEWAY_WEBHOOK: RequestKind = { route: '/webhooks/{gateway}/{accountId}', importance: 'webhooks' };
const RETURN: RequestKind = { route: '/checkout/{paymentId}/{accountId}/return', importance: 'webhooks' };
const RESULT: RequestKind = { route: '/checkout/{paymentId}/{accountId}', importance: 'reads' };
const COMPAT = /^\/compat\/(paystack|flutterwave)(\/.*)?$/;
const OTHER_COMPAT: RequestKind = { route: '/compat/{other}', importance: 'reads' };
const HEALTH: RequestKind = { route: '/api/health', importance: null };
const OPERATIONS: RequestKind = { route: '/{operations}', importance: null };
const GRAPHQL: RequestKind = { route: GRAPHQL_PATH, importance: 'reports' };
const EXPORT: RequestKind = { route: `${EXPORT_PATH}{list}`, importance: 'reports' };
const REPORT_FILE: RequestKind = { route: '/report-files/{token}', importance: 'reports' };
const TRPC: RequestKind = { route: '/api/trpc/{procedure}', importance: 'dashboard' };
const SCIM: RequestKind = { route: `${SCIM_PATH}/{resource}`, importance: 'dashboard' };
const MCP: RequestKind = { route: MCP_PATH, importance: 'reports' };
const STAFF_AUTH: RequestKind = { route: '/api/auth/{action}', importance: 'dashboard' };
const STATIC: RequestKind = { route: '/_next/{file}', importance: 'dashboard' };
const SCHEMA: RequestKind = { route: RULE_SET_FILE_SCHEMA_PATH, importance: 'dashboard' };
const PAGE: RequestKind = { route: '/{page}', importance: 'dashboard' };

/** Requests that each server is there for: they are counted from 0 on. */
export const EXPECTED_REQUESTS = {
  web: {
    importances: IMPORTANCE,
    routes: [
      { method: 'POST', route: INITIATE.route },
      { method: 'GET', route: READ_PAYMENT.route },
      { method: 'GET', route: VERIFY.route },
      { method: 'POST', route: VERIFY.route },
      { method: 'POST', route: REQUEST_REFUND.route },
      { method: 'GET', route: READ_REFUNDS.route },
      { method: 'GET', route: READ_REFUND.route },
      { method: 'POST', route: GATEWAY_WEBHOOK.route },
      { method: 'GET', route: RETURN.route },
    ],
  },
  reporting: {
    importances: IMPORTANCE,
    routes: [
      { method: 'POST', route: GRAPHQL.route },
      { method: 'GET', route: EXPORT.route },
    ],
  },
} as const satisfies Record<'web' | 'reporting', ExpectedRequests>;

/** The kind of a request by its method and path, which has no query. */
export function requestKind(method: string, path: string): RequestKind {
  if (path === INITIATE.route) return INITIATE;
  if (path.startsWith('/v1')) return restKind(method, path);
  if (path === '/livez' || path === '/readyz' || path === '/metrics') return OPERATIONS;
  if (path.startsWith('/webhooks/')) return WEBHOOK.test(path) ? GATEWAY_WEBHOOK : PAGE;
  if (path.startsWith('/checkout/')) return checkoutKind(path);
  if (path.startsWith('/compat/')) return compatKind(method, path);
  if (path.startsWith('/api/')) return apiKind(path);
  if (path.startsWith('/_next/')) return STATIC;
  if (path.startsWith(`${SCIM_PATH}/`)) return SCIM;
  if (path.startsWith('/report-files/')) return REPORT_FILE;
  return path === SCHEMA.route ? SCHEMA : PAGE;
}

function restKind(method: string, path: string): RequestKind {
  if (path === OPENAPI.route) return OPENAPI;
  const [whole, action, refund] = PAYMENT.exec(path) ?? [];
  if (whole === undefined) return OTHER_REST;
  if (action === undefined) return READ_PAYMENT;
  if (action === 'verify') return refund === undefined ? VERIFY : OTHER_REST;
  if (refund !== undefined) return READ_REFUND;
  return method === 'POST' ? REQUEST_REFUND : READ_REFUNDS;
}

/** Calls of gateways as they are answered here; a template for each, whatever the number of slashes an SDK puts in its path. */
const COMPAT_CALLS: readonly (readonly [dialect: string, path: RegExp, kinds: Readonly<Record<string, RequestKind>>])[] = [
  ['paystack', /^\/transaction\/initialize$/, at('/compat/paystack/transaction/initialize', { POST: 'initiate' })],
  ['paystack', /^\/transaction\/verify\/[^/]*$/, at('/compat/paystack/transaction/verify/{reference}', { GET: 'verify' })],
  ['paystack', /^\/transaction\/\d+$/, at('/compat/paystack/transaction/{id}', { GET: 'reads' })],
  ['paystack', /^\/refund$/, at('/compat/paystack/refund', { POST: 'verify', GET: 'reads' })],
  ['paystack', /^\/refund\/[^/]+$/, at('/compat/paystack/refund/{id}', { GET: 'reads' })],
  ['flutterwave', /^\/v3\/payments$/, at('/compat/flutterwave/v3/payments', { POST: 'initiate' })],
  [
    'flutterwave',
    /^\/v3\/transactions\/verify_by_reference$/,
    at('/compat/flutterwave/v3/transactions/verify_by_reference', { GET: 'verify' }),
  ],
  [
    'flutterwave',
    /^\/v3\/transactions\/[^/]+\/verify$/,
    at('/compat/flutterwave/v3/transactions/{id}/verify', { GET: 'verify' }),
  ],
  [
    'flutterwave',
    /^\/v3\/transactions\/[^/]+\/refund$/,
    at('/compat/flutterwave/v3/transactions/{id}/refund', { POST: 'verify' }),
  ],
  ['flutterwave', /^\/v3\/refunds\/[^/]+$/, at('/compat/flutterwave/v3/refunds/{id}', { GET: 'reads' })],
];

function at(route: string, byMethod: Readonly<Record<string, Importance>>): Readonly<Record<string, RequestKind>> {
  return Object.fromEntries(Object.entries(byMethod).map(([method, importance]) => [method, { route, importance }]));
}

function compatKind(method: string, path: string): RequestKind {
  const [, dialect, rest = '/'] = COMPAT.exec(path) ?? [];
  const plain = rest.replace(/\/{2,}/g, '/');
  const [, , kinds] = COMPAT_CALLS.find(([name, pattern]) => name === dialect && pattern.test(plain)) ?? [];
  return kinds?.[method] ?? OTHER_COMPAT;
}

function checkoutKind(path: string): RequestKind {
  const [whole, action] = CHECKOUT.exec(path) ?? [];
  if (whole === undefined) return PAGE;
  return action === undefined ? RESULT : RETURN;
}

function apiKind(path: string): RequestKind {
  if (path === HEALTH.route) return HEALTH;
  if (path === GRAPHQL.route) return GRAPHQL;
  if (path === MCP.route) return MCP;
  if (path.startsWith(EXPORT_PATH)) return EXPORT;
  if (path.startsWith('/api/trpc/')) return TRPC;
  return path.startsWith('/api/auth/') ? STAFF_AUTH : PAGE;
}
