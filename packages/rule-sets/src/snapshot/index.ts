export { readRuleSet, routingPicture } from './routing-snapshot.ts';
