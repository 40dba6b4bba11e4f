export { countOverdueDeliveries } from './count-overdue-deliveries.ts';
export type { FormatEvent, FormattedEvent, TraceDelivery } from './deliver.ts';
export type { DeliveryFilter } from './delivery-filter.ts';
export { type Dispatcher, openDispatcher } from './dispatcher.ts';
export { countDeliveries, type DeliveryPage, findDelivery, listDeliveries, listResends } from './list-deliveries.ts';
export { type DeliveryAttempt, deliveryOutcomes, observeDeliveryAttempts } from './observe-deliveries.ts';
export { continueResend, continueStalledResends, countRange, resendDelivery, resendRange } from './resend-range.ts';
