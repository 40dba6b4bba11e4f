import type { StaffContext } from '../context.ts';
import { type ListedFinanceToken, listFinanceTokens } from './queries.ts';

/** The newest tokens, at most 500: all with null, or those of one staff user. */
export function listFinanceTokensOf(context: StaffContext, staffId: string | null): Promise<ListedFinanceToken[]> {
  return listFinanceTokens(context.resources.database, staffId);
}
