import { describeRest } from '@switchyard/api/rest';
import { describe, expect, test } from 'vitest';
import { componentName, readApiDocument, type Schema } from './api-document.ts';

const description = describeRest('https://pay.example');
const document = readApiDocument(description);

describe('the API reference', () => {
  test('shows every operation of the description', () => {
    const described = Object.entries(description.paths ?? {}).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const shown = document.operations.map(({ method, path }) => `${method} ${path}`);
    expect(shown.toSorted()).toEqual(described.toSorted());
    expect(shown).toEqual(expect.arrayContaining(['post /v1/payments/initiate', 'get /v1/payments', 'get /v1/events']));
  });

  test('lists every event that webhook endpoints receive, each with a record of its type', () => {
    expect(document.events.map(({ type }) => type).toSorted()).toEqual([
      'dispute.closed',
      'dispute.opened',
      'payment.duplicate_charge',
      'payment.failed',
      'payment.refunded',
      'payment.reinstated',
      'payment.repeated',
      'payment.requires_review',
      'payment.reversed',
      'payment.succeeded',
      'refund.failed',
      'refund.succeeded',
    ]);
    const types = document.schemas.WebhookEvent?.properties?.type?.enum;
    expect(types?.toSorted()).toEqual(document.events.map(({ type }) => type).toSorted());
  });

  test('finds every object that a field points at', () => {
    const pointed = document.operations.flatMap(({ requestBody, responses }) => [
      requestBody?.content['application/json']?.schema,
      ...Object.values(responses).map(({ content }) => content?.['application/json']?.schema),
    ]);
    const visited = new Set<string>();
    const visit = (schema: Schema | undefined): void => {
      if (schema === undefined) return;
      const name = componentName(schema);
      if (name !== null && !visited.has(name)) {
        visited.add(name);
        expect(document.schemas, name).toHaveProperty(name);
        visit(document.schemas[name]);
      }
      for (const property of Object.values(schema.properties ?? {})) visit(property);
      visit(schema.items);
    };
    for (const schema of pointed) visit(schema);
    expect(visited).toContain('RoutingDecision');
  });
});
