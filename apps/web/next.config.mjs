// Node reads the types away. A `next.config.ts` would make each web process load Next's compiler for it.
export { default } from './src/server/next-config.ts';
