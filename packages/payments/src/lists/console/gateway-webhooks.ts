export { countGatewayWebhooks, listGatewayWebhooks } from './list-gateway-webhooks.ts';
