import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeRest } from './openapi.ts';
import { recordedExamples } from './recorded-examples.ts';
import { initiateRequest } from './requests.ts';

const document = describeRest('http://localhost:3000');

test('the description is a valid OpenAPI 3.1 document', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
  expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  expect(validator.version).toBe('3.1');
});

test('every description is one line with single spaces', () => {
  const descriptions: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if ((key === 'description' || key === 'summary') && typeof value === 'string') descriptions.push(value);
    return value;
  });
  expect(descriptions.length).toBeGreaterThan(200);
  expect(descriptions.filter((text) => /\s{2}|^\s|\s$/.test(text))).toEqual([]);
});

test('every endpoint says what it answers to a wrong method, to too many requests and when something fails', () => {
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const { responses } of Object.values(methods)) {
      expect([path, Object.keys(responses)]).toEqual([
        path,
        expect.arrayContaining(['200', '401', '403', '405', '429', '500', '503']),
      ]);
    }
  }
});

test('the request that people copy for a first payment is valid, and chooses no gateway', () => {
  const initiate = document.paths?.['/v1/payments/initiate']?.post;
  const { example } = z
    .object({ content: z.object({ 'application/json': z.object({ example: z.looseObject({}) }) }) })
    .parse(initiate?.requestBody).content['application/json'];
  expect(initiateRequest.live.safeParse(example).success).toBe(true);
  expect(example).not.toHaveProperty('requestedGateway');
});

test('every answer has a recorded example, and so has every webhook', () => {
  const recorded = z.object({ 'application/json': z.object({ examples: z.record(z.string(), z.unknown()) }) });
  const stream = z.object({ 'text/event-stream': z.object({ example: z.string() }) });
  const examples = z.object({ content: recorded.or(stream) });
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const [method, { responses }] of Object.entries(methods)) {
      const without = Object.entries(responses).filter(([, response]) => !examples.safeParse(response).success);
      expect([method, path, without.map(([status]) => status)]).toEqual([method, path, []]);
    }
  }
  const { events, answers } = recordedExamples('https://pay.example');
  expect(Object.keys(document.webhooks ?? {}).sort()).toEqual(Object.keys(events).sort());
  // Short, because a failure would print all of it.
  expect(/"text"|requestedGateway":"|switchyard\.example\/checkout/.exec(JSON.stringify({ events, answers }))?.[0]).toBe(
    undefined,
  );
});

test('the example to copy is the request that was recorded', () => {
  const initiate = document.paths?.['/v1/payments/initiate']?.post;
  const [first] = recordedExamples('https://pay.example').answers;
  expect(initiate?.requestBody).toMatchObject({ content: { 'application/json': { example: first?.request.body } } });
});

test('the description passes the linter’s recommended rules without errors or warnings', async () => {
  // The type of `createConfig`'s argument takes the compiler as long as a quarter of all packages.
  const config = await loadConfig({ customExtends: ['recommended'] });
  const lint = (source: string) => lintFromString({ source, absoluteRef: 'openapi.json', config });
  expect((await lint('{"openapi":"3.1.0","info":{},"paths":{}}')).map(({ ruleId }) => ruleId)).toContain('no-empty-servers');
  const problems = await lint(JSON.stringify(document));
  expect(problems.map(({ ruleId, severity, message }) => ({ ruleId, severity, message }))).toEqual([]);
});

test('what may be null and is no plain value is written with anyOf, and no named object is null by itself', () => {
  const text = JSON.stringify(document);
  expect(text.match(/"type":\[[^\]]*"(?:object|array)"[^\]]*\]/g)).toBeNull();
  const schemas = document.components?.schemas ?? {};
  expect(schemas.Session).toMatchObject({ type: 'object' });
  const orNull = (one: object) => ({ anyOf: [one, { type: 'null' }] });
  const session = orNull({ $ref: '#/components/schemas/Session' });
  for (const name of ['Payment', 'InitiatedPayment']) {
    expect(schemas[name]).toMatchObject({ properties: { recommendedGateway: { properties: { session } } } });
  }
  expect(schemas.RoutingDecision).toMatchObject({ properties: { recommended: orNull({ type: 'object' }) } });
  expect(schemas.Rules).toMatchObject({ properties: { file: orNull({ type: 'object' }) } });
  expect(schemas.Failure).toMatchObject({ properties: { data: orNull({ type: 'object' }) } });
});

test('every answer of status 200 has a schema, that of the stream of events too', () => {
  for (const [path, methods] of Object.entries(document.paths ?? {})) {
    for (const { responses } of Object.values(methods)) {
      const content: object = responses?.[200]?.content ?? {};
      expect([path, Object.values(content)]).toEqual([path, [expect.objectContaining({ schema: expect.any(Object) })]]);
    }
  }
  expect(document.paths?.['/v1/events/stream']?.get?.responses?.[200]?.content?.['text/event-stream']?.schema).toMatchObject({
    type: 'string',
    contentSchema: { $ref: '#/components/schemas/WebhookEvent' },
  });
});

test('every id in a path is a UUID', () => {
  const parameters = z.array(z.looseObject({ in: z.string(), name: z.string(), schema: z.looseObject({}) }));
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods)) {
      for (const { in: place, name, schema } of parameters.parse(operation.parameters ?? [])) {
        if (place === 'path') expect([name, schema.format]).toEqual([name, 'uuid']);
      }
    }
  }
});
