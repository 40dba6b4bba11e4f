export { CARD_ORIGIN, findCardOrigin, readPayers } from './attempt-queries.ts';
export { packCall, readCall } from './packed-call.ts';
export { namedPayment } from './plan.ts';
