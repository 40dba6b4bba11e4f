export { closeGatewayConnections } from './connections.ts';
export type {
  AccountAccess,
  CallOptions,
  CallRecord,
  CheckoutOrder,
  CheckoutSession,
  DisputeQuery,
  Failure,
  FailureCode,
  Gateway,
  GatewayCapabilities,
  ListedPayment,
  ListedRefund,
  ListPage,
  ListQuery,
  Outcome,
  OutcomeClass,
  PublishedFees,
  ReceivedPayment,
  RefundListQuery,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  ReportedDispute,
  ReturnReading,
  VerifyQuery,
  WebhookReading,
  WebhookRequest,
} from './gateway.ts';
export { failureCodes } from './gateway.ts';
export { gatewayNames } from './names.ts';
export {
  countOperationsUnderWay,
  type GatewayOperation,
  gatewayOperations,
  observeGatewayOperations,
} from './observe-gateway.ts';
export { readAllPages } from './pages.ts';
export { createRedactor, redactBody } from './redact.ts';
export { findGateway, gateways, type ParsedCredentials, parseCredentials } from './registry.ts';
