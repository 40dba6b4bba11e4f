export { closeGatewayConnections } from './connections.ts';
export type {
  AccountAccess,
  AnnouncedSettlement,
  CallOptions,
  CallRecord,
  CheckoutOrder,
  CheckoutSession,
  DisputeAction,
  DisputeAnswer,
  DisputeQuery,
  DisputeSupport,
  EvidenceFile,
  Failure,
  FailureCode,
  Gateway,
  GatewayCapabilities,
  ListedDispute,
  ListedPayment,
  ListedRefund,
  ListedSettlement,
  ListedSettlementLine,
  ListPage,
  ListQuery,
  Outcome,
  OutcomeClass,
  PublishedFees,
  PublishedSettlement,
  ReceivedPayment,
  RefundListQuery,
  RefundOrder,
  RefundQuery,
  RefundReceipt,
  ReportedDispute,
  ReturnReading,
  SettlementLineQuery,
  UnrecognisedStatus,
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
export { observeUnrecognisedStates, stateKinds } from './published-states.ts';
export { createRedactor, redactBody } from './redact.ts';
export { findGateway, gateways, type ParsedCredentials, parseCredentials } from './registry.ts';
