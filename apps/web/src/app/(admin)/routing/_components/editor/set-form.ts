import type { RuleForm } from '../rules/rule-form.ts';

/** Changes some fields of the rule form. */
export type SetForm = (part: Partial<RuleForm>) => void;
