import { type Analysis, analyse, checkExpectations, type ExpectationResult } from '@switchyard/routing';
import type { PaymentsContext } from './context.ts';
import { type DraftQuery, type DraftRefusal, readDraft } from './read-draft.ts';

export type AnalyseRulesOutcome =
  | ({
      readonly kind: 'analysed';
      /** What the document says the merchant relies on, each held against its rules. */
      readonly expectations: readonly ExpectationResult[];
    } & Analysis)
  | DraftRefusal;

/** Everything wrong or doubtful about a document, given the merchant's own accounts in that mode. */
export async function analyseRules(context: PaymentsContext, query: DraftQuery): Promise<AnalyseRulesOutcome> {
  const draft = await readDraft(context, query);
  if (draft.kind !== 'draft') return draft;
  const { accounts } = draft.picture;
  return {
    kind: 'analysed',
    ...analyse(draft.ruleSet, accounts),
    expectations: checkExpectations(draft.ruleSet, accounts),
  };
}
