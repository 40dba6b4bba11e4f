// @boundaries-ignore as in connectors.ts
export { type GatewayName, gatewayNames } from '#gateways/names';
