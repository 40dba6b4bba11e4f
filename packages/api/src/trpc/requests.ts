import { momentValue } from '@switchyard/db/moments';
import {
  findApiRequest,
  type ListedApiRequest,
  listApiRequests,
  REQUEST_OUTCOMES,
} from '@switchyard/merchants/console/request-log';
import { z } from 'zod';
import type { Switchyard } from '../process.ts';
import { foundOrThrow, pageInputAfter } from './inputs.ts';
import { listedMerchants, permitted, router } from './procedure.ts';

const NO_REQUEST = 'There is no such request, or you have no access to it. Requests are kept for some days.';

const filter = z.object({
  merchantIds: z.array(z.uuid().toLowerCase()).max(100).default([]),
  mode: z.enum(['test', 'live']),
  outcomes: z.array(z.enum(REQUEST_OUTCOMES)).max(REQUEST_OUTCOMES.length).default([]),
  methods: z.array(z.string().max(20)).max(10).default([]),
  keyIds: z.array(z.uuid().toLowerCase()).max(100).default([]),
  path: z.string().max(300).nullable().default(null),
  requestId: z.uuid().toLowerCase().nullable().default(null),
  paymentId: z.uuid().toLowerCase().nullable().default(null),
  endedFrom: momentValue.nullable().default(null),
  endedTo: momentValue.nullable().default(null),
});

/** Requests with API keys of the last days, for merchants' developers. */
export const requests = router({
  /** A page of requests, newest first. */
  list: permitted('key:read')
    .input(pageInputAfter(filter, z.uuid().toLowerCase()))
    .query(async ({ ctx, input: { merchantIds, cursor, ...rest } }) => {
      const query = { ...rest, merchantIds: listedMerchants(ctx, merchantIds), after: cursor ?? null };
      const { items, next, searched } = await listApiRequests(ctx.switchyard, query);
      return { items: items.map((item) => shown(ctx.switchyard, item)), next, searched };
    }),
  /** One request; of a refused one with its bodies, redacted, and the codes of its errors. */
  byId: permitted('key:read')
    .input(z.object({ apiRequestId: z.uuid().toLowerCase() }))
    .query(async ({ ctx, input: { apiRequestId } }) => {
      const found = await findApiRequest(ctx.switchyard, { merchantIds: ctx.merchantIds, id: apiRequestId });
      const request = foundOrThrow(found, NO_REQUEST);
      const { requestBody, responseBody } = request;
      return { ...shown(ctx.switchyard, request), requestBody, responseBody, error: errorOf(responseBody) };
    }),
});

/** The public fields of a request. */
function shown({ resources }: Switchyard, request: ListedApiRequest) {
  const { id, merchantId, mode, keyId, keyName, requestId, method, path, status, durationMs, endedAt, paymentId } = request;
  const merchantName = resources.configuration.merchant(merchantId)?.merchant.name ?? merchantId;
  const of = { merchantId, merchantName, mode, keyId, keyName };
  return { apiRequestId: id, ...of, requestId, method, path, status, durationMs, endedAt, paymentId };
}

const failure = z.object({
  code: z.string(),
  data: z.object({ details: z.array(z.object({ field: z.string(), code: z.string() })) }).nullable(),
});

/** The codes of an answer in the form of `/v1`; null for one in the form of a gateway, or of which a part was kept. */
function errorOf(responseBody: string | null) {
  try {
    const { code, data } = failure.parse(JSON.parse(responseBody ?? ''));
    return { code, fields: data?.details ?? [] };
  } catch {
    return null;
  }
}
