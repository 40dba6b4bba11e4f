import { listEvents } from '@switchyard/webhooks/events/list';
import type { Endpoint } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';
import { eventListQuery } from './list-queries.ts';
import { pageCursor } from './page-cursor.ts';
import { readListQuery } from './read-query.ts';

/** `GET /v1/events` */
export const getEvents: Endpoint = {
  method: 'GET',
  scope: 'events:read',
  async serve({ resources }, { caller, request }) {
    const read = readListQuery(request, eventListQuery);
    if ('errors' in read) return failures.badRequest(read.errors);
    const { type: types, cursor, ...query } = read.value;
    const { merchant } = caller.configuration;
    const of = { merchantId: merchant.id, mode: caller.mode };
    const { bodies, next } = await listEvents(resources.database, { ...query, ...of, types, after: cursor ?? null });
    const nextCursor = JSON.stringify(next === null ? null : pageCursor(next));
    const data = `{"events":[${bodies.join(',')}],"nextCursor":${nextCursor}}`;
    return { kind: 'written', statusCode: 200, body: writeSuccess('Events retrieved', data) };
  },
};
