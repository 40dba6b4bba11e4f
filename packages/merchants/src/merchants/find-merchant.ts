import type { Merchant } from '@switchyard/db/client';
import type { MerchantsContext } from '../context.ts';
import { findMerchantRow, listMerchantRows } from './queries.ts';

const PAGE_MAX = 100;

/** One merchant, or null; also for text that is no id. */
export async function findMerchant(context: MerchantsContext, merchantId: string): Promise<Merchant | null> {
  return findMerchantRow(context.resources.database.prisma, merchantId);
}

/** A search of merchants and the page of its result. */
export interface ListMerchantsQuery {
  /** Part of a name or number, in either case. */
  readonly search?: string;
  /** The last merchant of the page before. */
  readonly afterId?: string;
  /** At most 100. */
  readonly limit: number;
}

/** A page of merchants, oldest first. */
export async function listMerchants(context: MerchantsContext, query: ListMerchantsQuery): Promise<Merchant[]> {
  const limit = Math.min(Math.max(1, query.limit), PAGE_MAX);
  return listMerchantRows(context.resources.database, { ...query, limit });
}
