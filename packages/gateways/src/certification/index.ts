/* Checks of a connector against its gateway, with a merchant's own test keys. */

export { findGateway, parseCredentials } from '../registry.ts';
export { certify } from './certify.ts';
export { credentialFields } from './credential-fields.ts';
export { planCertification } from './plan.ts';
export { type Certification, certificationSchema, countResults, describeCertification, sentenceOf, wordOf } from './report.ts';
export type { WebhookSource } from './run.ts';
