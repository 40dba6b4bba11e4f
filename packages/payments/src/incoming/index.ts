export { type EndedFollowUp, followUpWebhook, openWebhookFollower, type WebhookFollower } from './follow-webhooks.ts';
export { type ClaimedWebhook, packBody, readBody } from './queries.ts';
export { receiveGatewayWebhook } from './receive-webhook.ts';
