import { expect, test } from 'vitest';
import { requestKind } from './request-kinds.ts';

const ID = '01998b1e-3d53-7abc-8def-0123456789ab';

test.each([
  ['POST', '/v1/payments/initiate', '/v1/payments/initiate', 'initiate'],
  ['GET', `/v1/payments/${ID}`, '/v1/payments/{paymentId}', 'reads'],
  ['POST', `/v1/payments/${ID}/verify`, '/v1/payments/{paymentId}/verify', 'verify'],
  ['GET', `/v1/payments/${ID}/refunds`, '/v1/payments/{paymentId}/refunds', 'reads'],
  ['POST', `/v1/payments/${ID}/refunds`, '/v1/payments/{paymentId}/refunds', 'verify'],
  ['GET', `/v1/payments/${ID}/refunds/${ID}`, '/v1/payments/{paymentId}/refunds/{refundId}', 'reads'],
  ['GET', `/v1/payments/${ID}/verify/more`, '/v1/{other}', 'reads'],
  ['GET', '/v1', '/v1/{other}', 'reads'],
  ['GET', '/v1/openapi.json', '/v1/openapi.json', 'reads'],
  ['POST', `/webhooks/paystack/${ID}`, '/webhooks/{gateway}/{accountId}', 'webhooks'],
  ['GET', `/webhooks/endpoints/${ID}`, '/{page}', 'dashboard'],
  ['GET', `/checkout/${ID}/${ID}`, '/checkout/{paymentId}/{accountId}', 'reads'],
  ['GET', `/checkout/${ID}/${ID}/return`, '/checkout/{paymentId}/{accountId}/return', 'webhooks'],
  ['POST', '/compat/paystack/transaction/initialize', '/compat/paystack/transaction/initialize', 'initiate'],
  ['GET', '/compat/paystack/transaction/verify/a', '/compat/paystack/transaction/verify/{reference}', 'verify'],
  ['GET', '/compat/paystack/transaction/initialize', '/compat/{other}', 'reads'],
  ['GET', '/compat/flutterwave//v3/transactions/7/verify', '/compat/flutterwave/v3/transactions/{id}/verify', 'verify'],
  ['POST', '/compat/flutterwave/v3/payments', '/compat/flutterwave/v3/payments', 'initiate'],
  ['GET', '/compat/paystack/v3/payments', '/compat/{other}', 'reads'],
  ['GET', '/api/health', '/api/health', null],
  ['GET', '/readyz', '/{operations}', null],
  ['POST', '/api/graphql', '/api/graphql', 'reports'],
  ['POST', '/api/mcp', '/api/mcp', 'reports'],
  ['GET', '/report-files/secret', '/report-files/{token}', 'reports'],
  ['GET', '/api/export/payments.csv', '/api/export/{list}', 'reports'],
  ['GET', '/api/trpc/payments.list,payments.count', '/api/trpc/{procedure}', 'dashboard'],
  ['POST', '/api/auth/sign-in/email', '/api/auth/{action}', 'dashboard'],
  ['GET', '/_next/static/chunks/a.js', '/_next/{file}', 'dashboard'],
  ['GET', `/payments/${ID}`, '/{page}', 'dashboard'],
  ['GET', '/ada@example.com', '/{page}', 'dashboard'],
])('%s %s is %s', (method, path, route, importance) => {
  expect(requestKind(method, path)).toEqual({ route, importance });
});
