import type { RuleForm } from '../_rules/rule-form.ts';

export type SetForm = (part: Partial<RuleForm>) => void;
