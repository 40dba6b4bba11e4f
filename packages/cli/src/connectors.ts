/* Connectors and their certification: only `certify` waits for them to be loaded. */

// @boundaries-ignore the manifest's `imports` lead to a package that is declared, and is compiled into this one when it is published
export {
  type Certification,
  certify,
  countResults,
  credentialFields,
  credentialVariable,
  describeCertification,
  findGateway,
  type GatewayName,
  gatewayNames,
  parseCredentials,
  sentenceOf,
  type WebhookSource,
  wordOf,
} from '#gateways/certification';
