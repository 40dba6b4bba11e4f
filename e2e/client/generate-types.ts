/**
 * Generates the types of the REST API for the client from the OpenAPI document. Run by what checks or builds the client, when the API has
 * changed; needs the database client.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeRest } from '@switchyard/api/rest';
import openapiTS, { astToString } from 'openapi-typescript';

const FILE = fileURLToPath(new URL('../../packages/client/src/generated/openapi.ts', import.meta.url));

/** Leaves recorded bodies out: the comments of the types have the examples of single fields. */
function withoutBodies(this: unknown, name: string, value: unknown): unknown {
  const isExample = (name === 'example' || name === 'examples') && typeof value === 'object';
  const isOfBody = typeof this === 'object' && this !== null && 'schema' in this;
  return isExample && isOfBody ? undefined : value;
}

const document = JSON.stringify(describeRest('https://switchyard.example'), withoutBodies);
const types = `// Generated from the OpenAPI document of the REST API.\n\n${astToString(await openapiTS(document))}`;
mkdirSync(dirname(FILE), { recursive: true });
// Whole or not at all: another process may be reading it.
writeFileSync(`${FILE}.${process.pid}`, types);
renameSync(`${FILE}.${process.pid}`, FILE);
