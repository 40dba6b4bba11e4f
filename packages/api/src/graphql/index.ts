export { handleGraphql } from './handle.ts';
export { operationHash } from './operations.ts';
export { schema } from './schema.ts';
