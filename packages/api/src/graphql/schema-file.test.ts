import { readFileSync, writeFileSync } from 'node:fs';
import { buildSchema, findBreakingChanges, printSchema } from 'graphql';
import { describe, expect, test } from 'vitest';
import { schema } from './schema.ts';

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
