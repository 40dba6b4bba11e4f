export type { ClaimedWebhook } from './follow-up-queries.ts';
export { followUpWebhook } from './follow-up-webhook.ts';
export { type EndedFollowUp, openWebhookFollower, type WebhookFollower } from './follow-webhooks.ts';
export { packBody, readBody } from './packed-body.ts';
export { receiveGatewayWebhook } from './receive-webhook.ts';
