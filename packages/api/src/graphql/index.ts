export { handleGraphql } from './handle.ts';
export { schema } from './schema.ts';
