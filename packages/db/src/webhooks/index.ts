export {
  announceTestEvent,
  findWebhookDelivery,
  listWebhookDeliveries,
  type WebhookDeliveryKey,
  type WebhookDeliveryStory,
} from './deliveries.ts';
export {
  type ClaimedDelivery,
  claimDueDelivery,
  giveUpDeliveries,
  listDueEndpoints,
  settleTry,
  type TryResult,
} from './due-deliveries.ts';
export {
  countWebhookEndpoints,
  type EndpointTraffic,
  findEndpointSecrets,
  findWebhookEndpoint,
  insertWebhookEndpoint,
  type ListedWebhookEndpoint,
  listWebhookEndpoints,
  readEndpointTraffic,
  updateWebhookEndpoint,
  type WebhookEndpointKey,
} from './endpoints.ts';
export {
  continueWebhookResend,
  countEventsToResend,
  insertWebhookResend,
  listStalledResends,
  listWebhookResends,
  lockWebhookResend,
  queueDeliveries,
  type ResendScope,
  type WebhookResendProgress,
} from './resends.ts';
