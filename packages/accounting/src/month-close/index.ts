export { closeMonth } from './close-month.ts';
export { listMonths, readFrozen } from './list-months.ts';
export { readMonth } from './read-month.ts';
export { reviewMonth, type SignOffOutcome, signMonth } from './sign-off.ts';
export { writeCsv } from './write-csv.ts';
