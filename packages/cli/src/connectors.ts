/* Connectors and their certification, apart from the names of the gateways: only `certify` waits for them to be loaded. */

// @boundaries-ignore the manifest's `imports` lead to a package that is declared, and is compiled into this one when it is published
export {
  type Certification,
  certify,
  countResults,
  credentialFields,
  credentialVariable,
  describeCertification,
  findGateway,
  parseCredentials,
  sentenceOf,
  type WebhookSource,
  wordOf,
} from '#gateways/certification';
