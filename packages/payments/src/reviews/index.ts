export { type ResolveReviewOutcome, resolveReview } from './resolve-review.ts';
