export { makeCertificate } from './certificates.ts';
export { openReceiver, type Receiver, until } from './receiver.ts';
export { webhooksOf } from './webhooks.ts';
