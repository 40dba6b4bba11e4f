import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, parse, printSchema, validate } from 'graphql';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { schema } from './handle.ts';

const FILE = new URL('../../schema.graphql', import.meta.url);
const written = readFileSync(FILE, 'utf8');
const printed = `${printSchema(schema)}\n`;

describe('the schema file', () => {
  test('has no breaking change: every query of the published schema stays valid', () => {
    const broken = findBreakingChanges(buildSchema(written), buildSchema(printed));
    expect(broken.map(({ description }) => description)).toEqual([]);
  });

  test('matches the schema; UPDATE_SCHEMA=1 rewrites it', () => {
    if (process.env.UPDATE_SCHEMA === '1') writeFileSync(FILE, printed);
    else expect(written).toBe(printed);
  });
});

test('the query that the first steps give is valid', () => {
  const document = readFileSync(new URL('../../../../docs/first-payment.md', import.meta.url), 'utf8');
  const body = /api\/graphql [^']*\s-d '(\{"query".*\})'/.exec(document)?.[1] ?? '';
  const { query } = z.object({ query: z.string() }).parse(JSON.parse(body));
  expect(validate(schema, parse(query))).toEqual([]);
});
