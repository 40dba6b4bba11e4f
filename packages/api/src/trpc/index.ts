export { handleTrpc } from './handle.ts';
export { type AppRouter, appRouter } from './router.ts';
