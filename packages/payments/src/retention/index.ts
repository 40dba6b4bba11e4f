export { deleteExpiredIdempotencyRecords, EXPIRED_BATCH } from '../idempotency/delete-expired.ts';
export { ageOutGatewayCalls, type CallsAgedOut } from './age-out-gateway-calls.ts';
export { ageOutGatewayWebhooks, ageOutRefusedWebhooks } from './age-out-gateway-webhooks.ts';
