export { findLostFollowUps } from './find-lost-follow-ups.ts';
export { followUpWebhook } from './follow-up-webhook.ts';
export { receiveGatewayWebhook } from './receive-webhook.ts';
