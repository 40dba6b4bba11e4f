export { readRuleSet, routingSnapshot } from './routing-snapshot.ts';
