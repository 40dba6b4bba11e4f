export { CARD_ORIGIN, findCardOrigin } from './card-origin.ts';
export { packCall, readCall } from './packed-call.ts';
export { readPayers } from './payers.ts';
export { namedPayment } from './plan.ts';
