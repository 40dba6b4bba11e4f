export { closeGatewayConnections } from './connections.ts';
export type {
  AccountAccess,
  CallOptions,
  CallRecord,
  CheckoutOrder,
  CheckoutSession,
  Failure,
  FailureCode,
  Gateway,
  GatewayCapabilities,
  Outcome,
  OutcomeClass,
  ReceivedPayment,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  ReturnReading,
  VerifyQuery,
  WebhookDelivery,
  WebhookReading,
} from './gateway.ts';
export { findGateway, gatewayNames, gateways, type ParsedCredentials, parseCredentials } from './registry.ts';
