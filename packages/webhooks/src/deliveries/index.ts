export type { FormatEvent, FormattedEvent, TraceDelivery } from './deliver.ts';
export type { DeliveryFilter } from './delivery-noun.ts';
export { type Dispatcher, openDispatcher } from './dispatcher.ts';
export { countDeliveries, type DeliveryPage, findDelivery, listDeliveries, listResends } from './list-deliveries.ts';
export { countOverdueDeliveries, type DeliveryAttempt, deliveryOutcomes, observeDeliveryAttempts } from './observe-deliveries.ts';
export { continueResend, continueStalledResends, countRange, resendDelivery, resendRange } from './resend-range.ts';
