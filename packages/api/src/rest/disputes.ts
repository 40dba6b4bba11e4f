import { isUuid } from '@switchyard/db';
import { findMerchantDispute, listMerchantDisputes } from '@switchyard/disputes/merchant-disputes';
import { disputeListQuery } from './dispute-resources.ts';
import type { Endpoint } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { pageCursor, readListQuery } from './list-queries.ts';

/** `GET /v1/disputes` */
export const getDisputes: Endpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ resources }, { caller, request }) {
    const read = readListQuery(request, disputeListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { state, cursor, ...query } = read.value;
    const of = { merchantId: caller.configuration.merchant.id, mode: caller.mode };
    const states = state.map((word) => word.toUpperCase() as Uppercase<typeof word>);
    const { items, next } = await listMerchantDisputes(resources.database, { ...query, ...of, states, after: cursor ?? null });
    return succeed('Disputes retrieved', { disputes: items, nextCursor: next === null ? null : pageCursor(next) });
  },
};

/** `GET /v1/disputes/{disputeId}` */
export const getDispute: Endpoint = {
  method: 'GET',
  scope: 'payments:read',
  async serve({ resources }, { caller, params }) {
    const disputeId = params.disputeId ?? '';
    const key = { merchantId: caller.configuration.merchant.id, mode: caller.mode, disputeId };
    const found = isUuid(disputeId) ? await findMerchantDispute(resources.database, key) : null;
    return found === null ? failures.disputeNotFound() : succeed('Dispute retrieved', found);
  },
};
