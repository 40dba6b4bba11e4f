export { followUpWebhook } from './follow-up-webhook.ts';
export { receiveGatewayWebhook } from './receive-webhook.ts';
