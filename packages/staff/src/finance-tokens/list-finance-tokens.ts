import type { RuntimeContext } from '@switchyard/runtime';
import { type ListedFinanceToken, listFinanceTokens } from './queries.ts';

/** The newest tokens, at most 500: all with null, or those of one staff user. */
export function listFinanceTokensOf(context: RuntimeContext, staffId: string | null): Promise<ListedFinanceToken[]> {
  return listFinanceTokens(context.resources.database, staffId);
}
