export { announceEvent, MERCHANT_EVENT_TYPES, type MerchantEventType, type NewMerchantEvent } from './announce-event.ts';
