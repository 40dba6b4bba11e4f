import type { MerchantsContext } from '@switchyard/merchants';
import { type ListedFinanceToken, listFinanceTokens } from './queries.ts';

/** The newest tokens, at most 500: of everybody with null, or of one person. */
export function listFinanceTokensOf(context: MerchantsContext, staffId: string | null): Promise<ListedFinanceToken[]> {
  return listFinanceTokens(context.resources.database, staffId);
}
