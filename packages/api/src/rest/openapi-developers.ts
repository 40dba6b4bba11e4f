import { z } from 'zod';
import { ruleDraft, ruleDraftRequest, rules, rulesCheck, rulesRequest, testEventRequest } from './developers.ts';
import { dispute, disputeList, disputeListQuery } from './dispute-resources.ts';
import { webhookEvent } from './responses.ts';

/** How `openapi.ts` describes the answers of every endpoint. */
interface Answers<Response> {
  success(description: string, schema: z.ZodType): Response;
  failuresOf(...statuses: (400 | 404 | 413 | 415)[]): Record<string, Response>;
}

const jsonBody = (schema: z.ZodType) => ({ required: true, content: { 'application/json': { schema } } });

/** The stream of events; its answer of status 200 is no JSON. */
export function streamPath<Response>({ failuresOf }: Answers<Response>, example: Readonly<Record<string, unknown>>) {
  return {
    method: 'get',
    path: '/v1/events/stream',
    operationId: 'streamEvents',
    summary: 'Watch events',
    description:
      'An extension. Server-sent events: each event as it is recorded, its record as data, its id as id. After a break send the last id as ' +
      '`Last-Event-ID`; events of the ten seconds before it may come again. Five streams of a key at most.',
    request: {
      headers: z.object({
        'Last-Event-ID': z.uuid().optional().openapi({
          description:
            'The last event that was received; the stream goes on after it. One that is not known or no longer kept is a 400; without it the stream begins now.',
          example: '019a9d3c-1fe7-700b-9c3c-b6885eb37de5',
        }),
      }),
    },
    responses: {
      200: {
        description: 'Events, until the client leaves. Comments come every 15 seconds when nothing happens.',
        content: {
          'text/event-stream': {
            schema: {
              type: 'string',
              description:
                'Server-sent events. Each has the lines `id`, the id of the event, `event`, its type, and `data`, its record as one line ' +
                'of JSON: a WebhookEvent.',
              contentMediaType: 'text/event-stream',
              contentSchema: { $ref: '#/components/schemas/WebhookEvent' },
            },
            example: `id: ${example.id}\nevent: ${example.type}\ndata: ${JSON.stringify(example)}\n\n`,
          },
        },
      },
      ...failuresOf(400),
    },
  } as const;
}

/** Disputes, to be read. */
export function disputePaths<Response>({ success, failuresOf }: Answers<Response>) {
  return [
    {
      method: 'get',
      path: '/v1/disputes',
      operationId: 'listDisputes',
      summary: 'List disputes',
      description: 'An extension. Newest first, a page at a time. Disputes are answered on the dashboard.',
      request: { query: disputeListQuery },
      responses: { 200: success('A page of disputes.', disputeList), ...failuresOf(400) },
    },
    {
      method: 'get',
      path: '/v1/disputes/{disputeId}',
      operationId: 'getDispute',
      summary: 'Get a dispute',
      description: 'An extension.',
      request: { params: z.object({ disputeId: z.uuid().openapi({ description: 'Its id, as events and lists have it.' }) }) },
      responses: { 200: success('The dispute.', dispute), ...failuresOf(404) },
    },
  ] as const;
}

/** `POST /v1/events/test` */
export function testEventPath<Response>({ success, failuresOf }: Answers<Response>) {
  return {
    method: 'post',
    path: '/v1/events/test',
    operationId: 'sendTestEvent',
    summary: 'Send a test event',
    description:
      'An extension, for keys of test mode. Sends the newest event of the type that a payment of test mode has had once more, under an id of ' +
      'its own, to every webhook endpoint of test mode that subscribes to it, and to every stream. Its payment and its refund exist. Where ' +
      'there has been none of the type yet, the 400 says how to have one.',
    request: { body: jsonBody(testEventRequest) },
    responses: { 200: success('The event that was sent.', webhookEvent), ...failuresOf(400, 413, 415) },
  } as const;
}

/** Rules as files: read, checked, and saved as drafts. */
export function rulesPaths<Response>({ success, failuresOf }: Answers<Response>) {
  return [
    {
      method: 'get',
      path: '/v1/rules',
      operationId: 'getRules',
      summary: 'Get the routing rules',
      description:
        'An extension. The active rules as a file. Needs a key with the scope `rules:read`, which no key has unless it was granted.',
      responses: { 200: success('The rules.', rules), ...failuresOf(400) },
    },
    {
      method: 'post',
      path: '/v1/rules/check',
      operationId: 'checkRules',
      summary: 'Check routing rules',
      description:
        "An extension. Checks a rule-set file against the merchant's accounts, as the dashboard does before rules are published. Needs " +
        '`rules:read`.',
      request: { body: jsonBody(rulesRequest) },
      responses: { 200: success('What was found.', rulesCheck), ...failuresOf(400, 413, 415) },
    },
    {
      method: 'post',
      path: '/v1/rules/drafts',
      operationId: 'createRuleDraft',
      summary: 'Save routing rules as a draft',
      description:
        'An extension. Saves a rule-set file as a draft, which staff read, try and publish in the dashboard; nothing is published by a key. ' +
        'Needs `rules:write`, which no key has unless it was granted.',
      request: { body: jsonBody(ruleDraftRequest) },
      responses: { 200: success('The draft.', ruleDraft), ...failuresOf(400, 413, 415) },
    },
  ] as const;
}
