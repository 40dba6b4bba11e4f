// Loaded by Node itself, so that pages and `server.ts` share one instance: Next bundles workspace packages, whatever
// `serverExternalPackages` lists (https://github.com/vercel/next.js/issues/43433).
export const {
  describeRest,
  readCheckoutResult,
  recordedExamples,
  serveCheckoutReturn,
  serveCompat,
  serveGatewayWebhook,
  serveHealth,
  serveOpenApi,
  serveRuleSetSchema,
  serveScim,
  serveV1,
} = await import(/* turbopackIgnore: true */ '@switchyard/api/rest');
