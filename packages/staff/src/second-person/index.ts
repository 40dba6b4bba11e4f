export {
  agreementOf,
  changeSecondPersonRule,
  type SecondPersonOutcome,
  type SecondPersonRule,
} from './change-rule.ts';
export { isPerson, type OpenWaiver, openWaiver, waiverEnd } from './waiver.ts';
