export { makeLateJournal } from '../late-arrivals/make-late-journal.ts';
export { closeMonth } from './close-month.ts';
export { listClosedMonths } from './closed-months.ts';
export { listMonths, readFrozen } from './list-months.ts';
export { readMonth } from './read-month.ts';
export { listReviewWaivers, type ReviewRule, readReviewRule, requireReview } from './review-rule.ts';
export { reviewMonth, type SignOffOutcome, signMonth } from './sign-off.ts';
export { writeCsv } from './write-csv.ts';
