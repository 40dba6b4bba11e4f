import type { PairName } from '../harness/gateways.ts';

/*
 * The contract's tables: every field by name and type, and no other. The envelope first.
 */
export const SUCCESS = { status: 'boolean', statusCode: 'integer', message: 'string', data: 'object' };

const PAYMENT = {
  paymentId: 'string',
  merchantOrderId: 'string',
  status: 'string',
  executionStatus: 'string',
  currency: 'string',
  amount: 'integer',
  recommendedGateway: 'object',
  fallbackGateways: 'array',
  'fallbackGateways[]': 'object',
  'fallbackGateways[].name': 'string',
  'fallbackGateways[].reason': 'string',
  routing: 'object',
  createdAt: 'string',
  updatedAt: 'string',
};
export const ONLY_ON_INITIATE = { routingMode: 'string', requestedGateway: 'null', smartRoutingBypassed: 'boolean' };

const RECOMMENDED_GATEWAY = { 'recommendedGateway.name': 'string', 'recommendedGateway.session': 'object' };

const SESSION = {
  raw: 'object',
  gateway: 'string',
  reference: 'string',
  accessCode: 'string',
  redirectUrl: 'string',
  metadata: 'object',
  'metadata.mode': 'string',
  'metadata.paymentId': 'string',
  'metadata.merchantId': 'string',
  'metadata.callbackUrl': 'string',
  'metadata.redirectUrl': 'string',
  'metadata.merchantOrderId': 'string',
  'metadata.referencePrefix': 'string',
  'metadata.fallbackGateways': 'array',
  'metadata.fallbackGateways[]': 'object',
  'metadata.fallbackGateways[].name': 'string',
  'metadata.fallbackGateways[].reason': 'string',
};
const RAW: Record<PairName, object> = {
  paystack: { 'raw.reference': 'string', 'raw.access_code': 'string', 'raw.authorization_url': 'string' },
  flutterwave: { 'raw.link': 'string' },
};

const ROUTING = {
  version: 'integer',
  decidedAt: 'string',
  rationale: 'string',
  rationaleCode: 'string',
  contextKey: 'string',
  overrides: 'array',
  reasons: 'array',
  'reasons[]': 'object',
  'reasons[].code': 'string',
  'reasons[].title': 'string',
  'reasons[].message': 'string',
  'reasons[].category': 'string',
  'reasons[].severity': 'string',
  candidates: 'array',
  'candidates[]': 'object',
  'candidates[].index': 'integer',
  'candidates[].eligible': 'boolean',
  'candidates[].provider': 'string',
  'candidates[].subproviderId': 'string',
  'candidates[].ineligibleReason': 'null',
  recommended: 'object',
  'recommended.index': 'integer',
  'recommended.provider': 'string',
  'recommended.subproviderId': 'string',
};

export const VERIFICATION_RESULT = {
  id: 'string',
  type: 'string',
  createdAt: 'string',
  merchantNumber: 'string',
  data: 'object',
  'data.paymentId': 'string',
  'data.merchantOrderId': 'string',
  'data.status': 'string',
  'data.executionStatus': 'string',
  'data.currency': 'string',
  'data.amount': 'integer',
  'data.gatewayReference': 'string',
};

/** A table's rows below a field. */
export function under(prefix: string, table: object): Record<string, string> {
  return Object.fromEntries(Object.entries(table).map(([path, type]) => [`${prefix}.${path}`, type]));
}

/** The Payment resource as get answers it, opened at a gateway. */
export function paymentTable(gateway: PairName): Record<string, string> {
  return {
    ...PAYMENT,
    ...RECOMMENDED_GATEWAY,
    ...under('recommendedGateway.session', { ...SESSION, ...RAW[gateway] }),
    ...under('routing', ROUTING),
  };
}
