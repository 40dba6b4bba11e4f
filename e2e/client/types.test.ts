import { describeRest } from '@switchyard/api/rest';
import openapiTS, { astToString } from 'openapi-typescript';
import { expect, test } from 'vitest';

const HEADER = `// Written by openapi-typescript from the OpenAPI document of the REST API. To write it again after a change of the API:
// npx vitest run e2e/client/types.test.ts --update\n\n`;

test("the client's types are those of the OpenAPI document", async () => {
  const document = JSON.stringify(describeRest('https://switchyard.example'), withoutBodies);
  const types = HEADER + astToString(await openapiTS(document));
  await expect(types).toMatchFileSnapshot('../../packages/client/src/openapi.ts');
});

/** Leaves recorded bodies out: the comments of the types have the examples of single fields. */
function withoutBodies(this: unknown, name: string, value: unknown): unknown {
  const isExample = (name === 'example' || name === 'examples') && typeof value === 'object';
  const isOfBody = typeof this === 'object' && this !== null && 'schema' in this;
  return isExample && isOfBody ? undefined : value;
}
