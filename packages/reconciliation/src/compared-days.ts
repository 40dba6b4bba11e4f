export { RECONCILIATION_ZONE } from './days.ts';
export { listComparedDays } from './list-compared-days.ts';
