import { isUuid } from '@switchyard/db';
import { findSettlement, listSettlementLines, listSettlements } from '@switchyard/settlements/console';
import type { Endpoint } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { readListQuery } from './read-query.ts';
import { settlementCursor, settlementLineQuery, settlementListQuery } from './settlement-requests.ts';
import { lineResource, settlementResource } from './settlement-responses.ts';

/** `GET /v1/settlements` */
export const getSettlements: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, request }) {
    const read = readListQuery(request, settlementListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { status: statuses, settledFrom: from, settledTo: to, limit, cursor } = read.value;
    const of = { merchantIds: [caller.configuration.merchant.id], mode: caller.mode, accountIds: [], unexplainedOnly: false };
    const { items, next } = await listSettlements(payments, { ...of, statuses, from, to, limit, after: cursor ?? null });
    const nextCursor = next === null ? null : settlementCursor(next);
    return succeed('Settlements retrieved', { settlements: items.map(settlementResource), nextCursor });
  },
};

/** `GET /v1/settlements/{settlementId}` */
export const getSettlement: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, params }) {
    const found = await findOwn(payments, caller, params.settlementId);
    return found === null ? failures.settlementNotFound() : succeed('Settlement retrieved', settlementResource(found));
  },
};

/** `GET /v1/settlements/{settlementId}/lines` */
export const getSettlementLines: Endpoint = {
  method: 'GET',
  scope: 'settlements:read',
  async serve({ payments }, { caller, params, request }) {
    const read = readListQuery(request, settlementLineQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const found = await findOwn(payments, caller, params.settlementId);
    if (found === null) return failures.settlementNotFound();
    const { kind: kinds, limit, cursor } = read.value;
    const of = { merchantIds: [found.merchantId], settlementId: found.settlementId, unmatchedOnly: false };
    const { items, next } = await listSettlementLines(payments, { ...of, kinds, limit, after: cursor ?? null });
    return succeed('Settlement lines retrieved', {
      lines: items.map(lineResource),
      nextCursor: next === null ? null : String(next),
    });
  },
};

type Call = Parameters<Endpoint['serve']>;

/** A settlement of the caller's merchant and mode; null without one. */
async function findOwn(payments: Call[0]['payments'], { configuration, mode }: Call[1]['caller'], settlementId = '') {
  if (!isUuid(settlementId)) return null;
  const found = await findSettlement(payments, { merchantIds: [configuration.merchant.id], settlementId });
  return found?.mode === mode ? found : null;
}
