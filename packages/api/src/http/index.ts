export type { PlainHandler } from './plain.ts';
export { toWebHandler } from './web-adapter.ts';
