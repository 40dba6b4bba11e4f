/* Checks of a connector against its gateway, with a merchant's own test keys. */

export { credentialFields, credentialVariable } from '../credential-fields.ts';
export { findGateway, parseCredentials } from '../registry.ts';
export { certify } from './certify.ts';
export { limitsMs } from './checks.ts';
export { type Certification, certificationSchema, countResults, describeCertification, sentenceOf, wordOf } from './report.ts';
export type { WebhookSource } from './run.ts';
