export { accountsOf, type CompiledRuleSet, compileRuleSet } from './compile.ts';
export { type DecideInput, decide } from './decide.ts';
export { type EligibilityVerdict, explainEligibility } from './explain-eligibility.ts';
export { leadingProbe } from './probe.ts';
export { addFallbackReasons, recompute } from './recompute.ts';
export { describeConfigurationFault } from './sentence.ts';
