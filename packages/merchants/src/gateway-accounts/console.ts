export { ACCOUNTS_MAX, type ConnectGatewayOutcome, connectGateway } from './connect-gateway.ts';
export { checkAccountAtGateway, describeGateways } from './describe-gateways.ts';
export { feeExample, PUBLISHED_FEES } from './fee-example.ts';
export type { GatewayAccountSettings } from './gateway-fields.ts';
export { listGateways } from './list-gateways.ts';
export { type UpdateGatewayOutcome, updateGateway } from './update-gateway.ts';
