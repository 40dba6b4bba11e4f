export { MERCHANT_EVENT_TYPES, type MerchantEventType, type NewMerchantEvent, announceEvent } from './announce-event.ts';
