export { accountsOf, type CompiledRuleSet, compileRuleSet } from './compile.ts';
export { type DecideInput, decide, keepInputs } from './decide.ts';
export { activeOverrides } from './eligibility.ts';
export { addFallbackReasons } from './fallback-reasons.ts';
export { leadingProbe } from './probe.ts';
export { describeConfigurationFault } from './sentence.ts';
