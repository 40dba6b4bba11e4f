export { describeRouting } from './describe-routing.ts';
export { evaluateRules } from './evaluate-rules.ts';
export { listTakeovers } from './list-takeovers.ts';
