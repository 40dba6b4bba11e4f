import { z } from 'zod';
import { settlementLineQuery, settlementListQuery } from './settlement-requests.ts';
import { settlementLineListSchema, settlementListSchema, settlementSchema } from './settlement-responses.ts';

/** How `openapi.ts` describes the answers of every endpoint. */
interface Answers<Response> {
  success(description: string, schema: z.ZodType): Response;
  failureOf(status: 404, description: string): Response;
  failuresOf(...statuses: (400 | 404)[]): Record<string, Response>;
}

const NOT_FOUND = 'There is no such settlement.';

/** Settlements, read only. */
export function settlementPaths<Response>({ success, failureOf, failuresOf }: Answers<Response>, exampleId: string) {
  const params = z.object({
    settlementId: z.uuid().openapi({ description: 'The id of the settlement.', example: exampleId }),
  });
  return [
    {
      method: 'get',
      path: '/v1/settlements',
      operationId: 'listSettlements',
      summary: 'List settlements',
      description: 'An extension. Payouts of gateways, those that are not paid out yet first, then the newest, a page at a time.',
      request: { query: settlementListQuery },
      responses: { 200: success('A page of settlements.', settlementListSchema), ...failuresOf(400) },
    },
    {
      method: 'get',
      path: '/v1/settlements/{settlementId}',
      operationId: 'getSettlement',
      summary: 'Get a settlement',
      description: 'An extension.',
      request: { params },
      responses: { 200: success('The settlement.', settlementSchema), ...failuresOf(404), 404: failureOf(404, NOT_FOUND) },
    },
    {
      method: 'get',
      path: '/v1/settlements/{settlementId}/lines',
      operationId: 'listSettlementLines',
      summary: 'List the lines of a settlement',
      description: "An extension. In the gateway's order, a page at a time. They add up to the net amount.",
      request: { params, query: settlementLineQuery },
      responses: {
        200: success('A page of lines.', settlementLineListSchema),
        ...failuresOf(400, 404),
        404: failureOf(404, NOT_FOUND),
      },
    },
  ] as const;
}
