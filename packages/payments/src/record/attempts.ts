export { readPayers } from './attempt-queries.ts';
export { CARD_ORIGIN, findCardOrigin } from './card-origin.ts';
export { packCall, readCall } from './packed-call.ts';
export { namedPayment } from './plan.ts';
